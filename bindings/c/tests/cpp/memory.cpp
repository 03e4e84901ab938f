// Tests of mock responses, callbacks, cancellation, waits that end early, and ranges.
#include "check.hpp"
#include "vitalwire.hpp"

#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static const char user[] = R"({"uid":"u-1"})";
static const char uploaded[] = R"({"record_id":"r-1","status":"pending","uploaded_at":"2025-11-21T12:00:00Z"})";
static const char processing[] =
    R"({"record_id":"r-1","status":"processing","uploaded_at":"2025-11-21T12:00:00Z","modified_at":"2025-11-21T12:00:01Z","consumed_at":"2025-11-21T12:00:00.000001Z"})";
static const char no_days[] = R"({"from_date":"2025-11-01","to_date":"2025-11-03","statistics":[]})";

// Returns the error that a call throws.
template <class Call>
static vitalwire::error thrown(Call call) {
  try {
    call();
  } catch (const vitalwire::error &error) {
    return error;
  }
  throw std::logic_error("nothing was thrown");
}

// Observers and token providers are destroyed with the client.
static void functions() {
  vitalwire::mock_responses responses;
  responses.add("get_user_info", "", 503);
  responses.add("get_user_info", user);
  const auto kept = std::make_shared<int>(0);
  std::vector<vitalwire::code> codes;
  {
    auto builder = vitalwire::client_builder().mock_responses(responses);
    builder.on_attempt([kept, &codes](const vitalwire::attempt &attempt) {
      CHECK(attempt.operation == "get_user_info" && attempt.path_template == "/v3/userinfo" && attempt.number == codes.size() + 1);
      CHECK(attempt.next_delay.has_value() == codes.empty() && attempt.status == (codes.empty() ? 503 : 200));
      codes.push_back(attempt.code);
      throw std::runtime_error("canary: of no matter to the call");
    });
    const auto client = builder.build();
    CHECK(client.user().info().uid() == "u-1" && kept.use_count() == 2);
    // The first build consumed the builder.
    CHECK(thrown([&] { builder.build(); }).code() == vitalwire::code::invalid_argument);
  }
  CHECK(kept.use_count() == 1 && codes == (std::vector<vitalwire::code>{vitalwire::code::service, vitalwire::code{}}));
  CHECK(responses.requests().find("/v3/userinfo") != std::string::npos);
}

static void tokens() {
  const std::string token = setting("VITALWIRE_TOKEN"), base_url = setting("VITALWIRE_BASE_URL");
  std::vector<vitalwire::refresh_reason> reasons;
  const auto kept = std::make_shared<int>(0);
  {
    auto builder = vitalwire::client_builder().base_url(base_url).token_provider([&, kept](vitalwire::refresh_reason reason) {
      reasons.push_back(reason);
      return vitalwire::token(reasons.size() == 1 ? "no-such-token" : token, 1h);
    });
    const auto client = builder.build();
    CHECK(client.user().info().application_user_id() == "person-1");
  }
  CHECK(kept.use_count() == 1 && reasons.size() == 2 && reasons.back() == VITALWIRE_REFRESH_REASON_REJECTED);
  auto failing = vitalwire::client_builder().base_url(base_url).token_provider([](vitalwire::refresh_reason) -> vitalwire::token {
    throw std::runtime_error("canary: the key is lost");
  });
  const auto client = failing.build();
  const auto error = thrown([&] { client.user().info(); });
  CHECK(error.code() == vitalwire::code::authentication && error.cause() == "canary: the key is lost");
  CHECK(std::string(error.what()).find("canary") == std::string::npos);
}

static void cancelling() {
  vitalwire::mock_responses responses;
  responses.add("get_user_info", user, 200, 60s);
  const auto client = vitalwire::client_builder().mock_responses(responses).build();
  const vitalwire::cancel_token cancel_token;
  std::thread other([&] {
    std::this_thread::sleep_for(50ms);
    cancel_token.cancel();
  });
  CHECK(thrown([&] { client.user().info(vitalwire::call_options().cancel(cancel_token)); }).code() == vitalwire::code::cancelled);
  other.join();
  CHECK(thrown([&] { client.user().info(vitalwire::call_options().timeout(50ms)); }).code() == vitalwire::code::timeout);
  client.close();
  CHECK(thrown([&] { client.user().info(); }).code() == vitalwire::code::closed);
}

// The error of a wait that ends early has the record and its id.
static void waits() {
  vitalwire::mock_responses responses;
  responses.add("upload_nutrition_record", uploaded);
  responses.add("get_nutrition_record", processing);
  const auto client = vitalwire::client_builder().mock_responses(responses).build();
  const auto error = thrown([&] {
    client.nutrition_records().upload_and_wait(vitalwire::nutrition_records_upload_params().body(picture),
                                               vitalwire::wait_options().interval(1ms, 2ms).timeout(1s));
  });
  CHECK(error.code() == vitalwire::code::timeout && error.record_id() == "r-1" && error.may_have_taken_effect());
  CHECK(error.last_nutrition_record() && error.last_nutrition_record()->status() == "processing" && !error.last_lab_report());
  // 2025-11-21T12:00:00.000001Z
  CHECK(error.last_nutrition_record()->consumed_at() == vitalwire::timestamp(1763726400000001us));
}

// Returns whether a request of a client contains this text.
static bool was_requested(const vitalwire::mock_responses &responses, const char *text) { return responses.requests().find(text) != std::string::npos; }

// Copies of parameters and options are independent values, and started calls have their own copies.
static void copies() {
  vitalwire::mock_responses responses;
  responses.add("daily_statistics", no_days);
  responses.add("get_user_info", user, 200, 200ms);
  responses.add("get_nutrition_record", processing);
  const auto client = vitalwire::client_builder().mock_responses(responses).build();
  const auto one = vitalwire::statistics_daily_params({2025, 11, 1}, {2025, 11, 3}).types({"steps"});
  auto other = one;
  other.add_types("weight");
  client.statistics().daily(one);
  CHECK(was_requested(responses, "steps") && !was_requested(responses, "weight"));
  auto call = client.statistics().daily_async(other);
  other.add_types("height");
  std::move(call).future().get();
  CHECK(was_requested(responses, "weight") && !was_requested(responses, "height"));
  other = one;
  other.add_types("age");
  client.statistics().daily(one);
  CHECK(!was_requested(responses, "age"));
  client.statistics().daily(other);
  CHECK(was_requested(responses, "age") && !was_requested(responses, "height"));

  const auto quick = vitalwire::call_options().timeout(1ms);
  auto slow = quick;
  slow.timeout(15s);
  CHECK(thrown([&] { client.user().info(quick); }).code() == vitalwire::code::timeout && client.user().info(slow).uid() == "u-1");
  auto started = client.user().info_async(slow);
  slow.timeout(1ms);
  CHECK(std::move(started).future().get().uid() == "u-1");

  // Copies of wait options share the callback until one of them gets another callback.
  const auto kept = std::make_shared<int>(0), others = std::make_shared<int>(0);
  {
    auto wait = vitalwire::wait_options().interval(1ms, 1ms).timeout(50ms).on_progress([kept](const auto &) { ++*kept; });
    auto copy = wait;
    copy.on_progress([others](const auto &) { ++*others; });
    auto waiting = client.nutrition_records().wait_for_async("r-1", wait);
    wait.on_progress({});
    CHECK(kept.use_count() == 2 && others.use_count() == 2);
    CHECK(thrown([&] { std::move(waiting).future().get(); }).code() == vitalwire::code::timeout && *kept > 0 && *others == 0);
    CHECK(thrown([&] { client.nutrition_records().wait_for("r-1", copy); }).code() == vitalwire::code::timeout && *others > 0);
  }
  CHECK(vitalwire::shutdown() && kept.use_count() == 1 && others.use_count() == 1);

  const auto five = vitalwire::range_options().part_days(5);
  auto two = five;
  two.part_days(2);
  const auto whole = client.statistics().daily_range(one, five).collect();
  const auto halves = client.statistics().daily_range(one, two).collect();
  CHECK(whole.parts().size() == 1 && halves.parts().size() == 2);
}

static void arguments() {
  const auto client = vitalwire::client_builder().mock_responses(vitalwire::mock_responses::samples()).build();
  CHECK(thrown([&] { client.sleeps().get(nullptr); }).argument() == "sleep_id");
  CHECK(thrown([&] { client.sleeps().get("\xff"); }).argument() == "sleep_id");
  const vitalwire::statistics_daily_params no_such_day({2025, 2, 30}, {70000, 1, 1});
  CHECK(thrown([&] { client.statistics().daily(no_such_day); }).argument() == "from_date");
  const auto made = thrown([] { vitalwire::client_builder().base_url("no url").build(); });
  CHECK(made.code() == vitalwire::code::configuration || made.code() == vitalwire::code::invalid_argument);
  // A moved-from object is empty, and its functions return nothing.
  auto night = client.sleeps().get("s");
  const auto moved = std::move(night);
  CHECK(moved.sleep_id() && !night.sleep_id() && night.stages().empty() && !night.metrics());
}

// An empty file name is not a missing one, even without data: the file's own name, which may be personal, is not sent.
static void empty_file_names() {
  static const char path[] = "personal-name.pdf";
  std::ofstream(path) << "%PDF-1.7\n";
  const auto was_sent = [](std::optional<std::string_view> filename) {
    const auto responses = vitalwire::mock_responses::samples();
    const auto client = vitalwire::client_builder().mock_responses(responses).build();
    client.lab_reports().upload(vitalwire::lab_reports_upload_params::from_file(path, filename));
    return was_requested(responses, path);
  };
  CHECK(was_sent(std::nullopt) && !was_sent("report.pdf") && !was_sent("") && !was_sent(std::string_view()));
  CHECK(std::remove(path) == 0);
}

void case_memory() {
  functions();
  tokens();
  cancelling();
  waits();
  copies();
  arguments();
  empty_file_names();
}

// Creates a range call over ten days, in four parts.
static auto ten_days(const vitalwire::client &client, vitalwire::range_options parts = {}) {
  const auto days = vitalwire::statistics_daily_params({2025, 11, 1}, {2025, 11, 10}).types({"steps"});
  return client.statistics().daily_range(days, parts.part_days(3).concurrency(1));
}

void case_ranges() {
  vitalwire::mock_responses responses;
  responses.add("daily_statistics", no_days);
  const auto client = vitalwire::client_builder().mock_responses(responses).build();
  std::uint32_t done = 0;
  const auto all = ten_days(client).collect([&](const vitalwire::range_progress &progress) {
    CHECK(progress.done == done + 1 && progress.total == 4 && progress.items == 0);
    done = progress.done;
  });
  CHECK(done == 4 && all.response().statistics().empty() && all.failures().empty() && !all.resume_token() && all.parts().size() == 4);
  CHECK(all.parts()[3].index() == 3 && all.parts()[3].dates()->first == vitalwire::date(2025, 11, 10) && !all.parts()[3].instants());
  const auto merged = all.merge(all);
  CHECK(merged.parts().size() == 4);
  const auto parts = ten_days(client).read();
  std::uint32_t read = 0;
  for (auto part = parts.next(); part; part = parts.next()) {
    CHECK(part->index() == read++ && part->response() && !part->failure() && part->dates() && !part->instants());
  }
  CHECK(read == 4 && parts.progress().done == 4 && !parts.resume_token());

  vitalwire::mock_responses ending;
  ending.add("daily_statistics", no_days);
  ending.add("daily_statistics", "", 404);
  const auto other = vitalwire::client_builder().mock_responses(ending).build();
  const auto range = ten_days(other);
  const auto error = thrown([&] { range.collect(); });
  CHECK(error.code() == vitalwire::code::not_found && error.resume_token());
  CHECK(range.partial_result(error) && range.partial_result(error)->parts().size() == 1 && !range.partial_table(error));
  const vitalwire::timestamp from(1763640000s);
  const auto reports = vitalwire::lab_reports_list_params().from_timestamp(from).to_timestamp(from + 24h);
  CHECK(!other.lab_reports().list_range(reports).partial_result(error));
  const auto left = vitalwire::resume_token::parse(*error.resume_token());
  CHECK(left.parts_left == 3 && left.operation == "daily_statistics" && left.dates->second == vitalwire::date(2025, 11, 10));
  const auto rest = ten_days(client, vitalwire::range_options().resume_token(*error.resume_token())).collect();
  const auto whole = range.partial_result(error)->merge(rest);
  CHECK(rest.parts().size() == 3 && whole.parts().size() == 4);
  vitalwire::mock_responses failing;
  failing.add("daily_statistics", no_days);
  failing.add("daily_statistics", "", 404);
  const auto some = vitalwire::client_builder().mock_responses(failing).build();
  const auto collected = ten_days(some, vitalwire::range_options().collect_failures()).collect();
  CHECK(collected.failures().size() == 3 && collected.failures()[0].failure()->code() == vitalwire::code::not_found);
  CHECK(!collected.failures()[0].response() && collected.resume_token());
  vitalwire::mock_responses table_ending;
  table_ending.add("daily_statistics", no_days);
  table_ending.add("daily_statistics", "", 404);
  const auto third = vitalwire::client_builder().mock_responses(table_ending).build();
  const auto table_error = thrown([&] { ten_days(third).table(); });
  CHECK(range.partial_table(table_error) && !range.partial_result(table_error) && table_error.resume_token());
}
