// Calls of every resource, against a sandbox whose day is 2025-11-20. The user is person-1.
#include "check.hpp"
#include "vitalwire.hpp"

#include <algorithm>
#include <numeric>

using namespace std::chrono_literals;

static void user(const vitalwire::client &client) {
  vitalwire::response_metadata facts;
  const auto info = client.user().info(vitalwire::call_options().timeout(30s).response_metadata(facts));
  CHECK(info.application_user_id() == "person-1" && info.uid().value_or("").size() == 36);
  CHECK(info.integrated_providers_presence() == VITALWIRE_PRESENCE_LIST && !info.integrated_providers().empty());
  CHECK(!info.extra() && info.to_json().find("\"uid\":") != std::string::npos);
  const auto last = facts.read();
  CHECK(last && last->status == 200 && last->attempts == 1);
  const auto properties = client.user().properties();
  CHECK(properties.to_json().front() == '{');
}

static void night(const vitalwire::client &client) {
  const std::string id = setting("VITALWIRE_SLEEP_ID");
  const auto night = client.sleeps().get(vitalwire::sleeps_get_params(id).include_stages().include_samples());
  CHECK(night.sleep_id() == id && night.sleep_date() == vitalwire::date(2025, 11, 20));
  const std::optional<vitalwire::timestamp> from = night.start_at_timestamp(), to = night.end_at_timestamp();
  CHECK(from && to && night.duration() == *to - *from);
  // The sandbox's time is 2025-11-20T12:00:00Z. The night is in the 24 hours before.
  const vitalwire::timestamp now(1763640000s);
  CHECK(*to <= now && *from > now - 24h);
  auto before = *from;
  for (const auto stage : night.stages()) {
    CHECK(stage.stage() && *stage.start_at() >= before && *stage.duration() == *stage.end_at() - *stage.start_at());
    before = *stage.end_at();
  }
  CHECK(night.stages().size() > 3 && before <= *to);
  const auto samples = night.samples();
  const auto values = samples->values();
  CHECK(values && !samples->durations().empty());
  for (const auto [name, series] : *values) {
    CHECK(series.size() == samples->durations().size() && values->get(name)->data() == series.data());
    CHECK(std::accumulate(series.begin(), series.end(), 0.0) > 0);
  }
  CHECK(!values->get("no_such_metric"));
  const auto metrics = night.metrics();
  CHECK(metrics && !metrics->empty() && metrics->get(VITALWIRE_METRIC_NAME_HEARTRATE) == metrics->heartrate());
  // Lists that were not requested are absent, not empty.
  const auto bare = client.sleeps().get(vitalwire::sleeps_get_params(id).include_stages(false).include_samples(false));
  CHECK(bare.stages_presence() == VITALWIRE_PRESENCE_ABSENT && bare.stages().empty() && !bare.samples());
}

static void statistics(const vitalwire::client &client) {
  const auto daily = client.statistics().daily(
      vitalwire::statistics_daily_params({2025, 11, 18}, {2025, 11, 20}).types({"steps"}).include_record_ids());
  CHECK(daily.statistics().size() > 0);
  for (const auto bucket : daily.statistics()) CHECK(bucket.to_json().find("steps") != std::string::npos);
  const vitalwire::timestamp to(1763640000s);
  const auto hours = client.statistics().interval(
      vitalwire::statistics_interval_params(VITALWIRE_STATISTICS_INTERVAL_ONE_HOUR).types({"steps"}).from_timestamp(to - 6h).to_timestamp(to));
  CHECK(hours.statistics().size() > 0 && hours.statistics().size() <= 7);
}

static void others(const vitalwire::client &client) {
  const auto consent = client.integrations().init_url(vitalwire::integrations_init_url_params("garmin").state("s"));
  CHECK(consent.path().value_or("").size() > 1);
  const auto benefits = client.care().benefits(vitalwire::care_benefits_params("clinic-1", "patient-1", "policy-1"));
  CHECK(benefits.status() == VITALWIRE_BENEFITS_STATUS_SUCCESS && benefits.data() && benefits.data()->plan_type());
  try {
    client.tokens().exchange(vitalwire::tokens_exchange_params(1, "person-1", "0000"));
    CHECK(false);
  } catch (const vitalwire::error &error) {
    CHECK(error.code() == vitalwire::code::authentication && error.status() == 401 && error.problem());
    CHECK(error.kind() == "authentication" && error.operation() && std::string(error.what()) == error.message());
    CHECK(!error.record_id() && !error.last_lab_report() && !error.is_transient());
  }
}

void case_sandbox() {
  const auto client = vitalwire::client::from_env();
  user(client);
  night(client);
  statistics(client);
  others(client);
  CHECK(vitalwire::version() == VITALWIRE_VERSION);
}

void case_uploads() {
  const auto client = vitalwire::client::from_env();
  int report_count = 0;
  std::string id;
  auto wait = vitalwire::wait_options().interval(1ms, 100ms).on_progress([&](const vitalwire::wait_progress &progress) {
    ++report_count;
    id = progress.record_id.value_or("");
  });
  const auto meal = client.nutrition_records().upload_and_wait(vitalwire::nutrition_records_upload_params().body(picture), wait);
  CHECK(meal.status() == VITALWIRE_NUTRITION_STATUS_COMPLETED && report_count > 1 && meal.record_id() == id);
  const auto meals = client.nutrition_records().list();
  CHECK(std::any_of(meals.begin(), meals.end(), [&](const auto &one) { return one.record_id() == id; }));
  CHECK(client.nutrition_records().update(vitalwire::nutrition_records_update_params(id, 2)).record_id() == id);
  CHECK(client.nutrition_records().get(id).record_id() == id);
  client.nutrition_records().delete_(id);
  try {
    client.nutrition_records().get(id);
    CHECK(false);
  } catch (const vitalwire::error &error) {
    CHECK(error.code() == vitalwire::code::not_found);
  }
  const auto report = client.lab_reports().upload_and_wait({"%PDF-1.7\n", "report.pdf"}, vitalwire::wait_options().interval(1ms, 100ms));
  CHECK(!report.to_json().empty());
  CHECK(client.lab_reports().list().size() > 0);
  // A missing file is rejected before any request.
  try {
    vitalwire::lab_reports_upload_params::from_file("no-such-file.pdf");
    CHECK(false);
  } catch (const vitalwire::error &error) {
    CHECK(error.code() == vitalwire::code::invalid_argument);
  }
}
