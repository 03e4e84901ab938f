// Tests of syncs, against a sandbox whose day is 2025-11-20. The user is person-1.
#include "check.hpp"
#include "vitalwire.hpp"

#include <thread>

using namespace std::chrono_literals;

static const std::string secret = "0123456789abcdef";

// State of the copy, and the changes of the last run.
static std::string state, changes;

static std::string copied(vitalwire::bytes of) { return std::string(of.data(), of.data() + of.size()); }

static vitalwire::sync_params params(std::string_view user = "user-7") {
  return vitalwire::sync_params(user, secret)
      .kinds({VITALWIRE_RECORD_KIND_DAILY, VITALWIRE_RECORD_KIND_NUTRITION})
      .from({2025, 11, 18})
      .state(state);
}

// Applies the changes of the statistics and of one meal. Other cases upload other meals.
static void note(const vitalwire::sync_part &part, const std::string &meal) {
  for (const auto change : part.changes()) {
    if (change.kind() != VITALWIRE_RECORD_KIND_DAILY && change.id() != meal) continue;
    changes += change.type() == VITALWIRE_CHANGE_ADDED ? '+' : change.type() == VITALWIRE_CHANGE_REMOVED ? '-' : '*';
    changes += change.day() ? change.day()->text() : "?";
    const bool removed = change.type() == VITALWIRE_CHANGE_REMOVED;
    CHECK(change.after().has_value() != removed && (change.json_rows() == "[]") == removed && change.rows().size() == (removed ? 0 : 1));
  }
  state = copied(part.state());
  CHECK(vitalwire::sync_call::generation(state) == part.generation() && part.left_out() == 0 && part.state_before().size() > 0);
}

// Runs a sync to its end.
static std::string run(const vitalwire::client &client, const std::string &meal = "") {
  changes.clear();
  int count = 0;
  const auto parts = client.sync(params()).read();
  for (const auto &part : parts) {
    CHECK(part.has_more() == (count++ == 0) && part.kinds().size() == 1 && part.dates().first == vitalwire::date(2025, 11, 18));
    CHECK((part.progress().done_days < part.progress().total_days) == part.has_more());
    note(part, meal);
  }
  CHECK(count == 2 && parts.begin() == parts.end());
  return changes;
}

template <class Call>
static std::optional<vitalwire::error> thrown(Call call) {
  try {
    call();
  } catch (const vitalwire::error &error) {
    return error;
  }
  return std::nullopt;
}

static void rejected_states(const vitalwire::client &client) {
  const auto reason = [&](const vitalwire::sync_params &of) {
    const auto error = thrown([&] { client.sync(of); });
    CHECK(error && error->code() == vitalwire::code::invalid_argument && error->argument() == "state");
    return error->state_reason();
  };
  CHECK(reason(params("user-8")) == VITALWIRE_STATE_REASON_OTHER_USER);
  CHECK(reason(params().service_name("another")) == VITALWIRE_STATE_REASON_OTHER_SERVICE);
  std::string damaged = state;
  damaged[damaged.size() / 2] ^= 1;
  CHECK(reason(params().state(damaged)) == VITALWIRE_STATE_REASON_DAMAGED);
  CHECK(thrown([&] { (void)vitalwire::sync_call::generation(damaged); })->state_reason() == VITALWIRE_STATE_REASON_DAMAGED);
  CHECK(thrown([&] { client.sync(params().look_back(0)); })->argument() == "look_back");
  const auto other = thrown([&] { client.sync(params().expect_account("person-2")).each([](const auto &) {}); });
  CHECK(other && other->argument() == "token" && other->state_reason() == VITALWIRE_STATE_REASON_NONE);
}

void case_sync() {
  const auto client = vitalwire::client::from_env();
  state.clear();
  CHECK(run(client) == "+2025-11-18+2025-11-19+2025-11-20");
  CHECK(run(client).empty());
  const auto upload = vitalwire::nutrition_records_upload_params().body(picture).wait_on_process();
  const auto uploaded = client.nutrition_records().upload(upload);
  const std::string meal(uploaded.record_id());
  // A sync that ends after its first part: the next one continues.
  changes.clear();
  client.sync(params()).each([&](const auto &part) {
    note(part, meal);
    return false;
  });
  CHECK(changes.empty() && run(client, meal) == "+2025-11-20");
  client.nutrition_records().update(vitalwire::nutrition_records_update_params(meal, 2));
  CHECK(run(client, meal) == "*2025-11-20");
  client.nutrition_records().delete_(meal);
  // Without blocking.
  const auto sync = client.sync(params());
  const auto parts = sync.read();
  changes.clear();
  while (const auto part = parts.next_async().future().get()) note(*part, meal);
  CHECK(changes == "-2025-11-20");
  rejected_states(client);

  const auto plan = sync.plan();
  CHECK(plan.requests() == 3 && plan.days().size() == 2 && plan.days()[1].kinds()[0] == VITALWIRE_RECORD_KIND_NUTRITION);
  CHECK(plan.days()[0].ranges().front().first == vitalwire::date(2025, 11, 18) && plan.days()[0].requests() == 1);
  const char webhook[] = R"([{"application_user_id":"person-1","earliest_record_start_at":"2025-11-19T12:00:00Z"}])";
  const auto events = vitalwire::webhook::events(webhook);
  const auto with_event = client.sync(params().look_back(1).add_event(events[0])).record_events();
  CHECK(vitalwire::sync_call::generation(with_event) == vitalwire::sync_call::generation(state) + 1);
  const auto due = client.sync(params().look_back(1).state(with_event)).plan();
  CHECK(due.days()[0].ranges().front().first == vitalwire::date(2025, 11, 18));
  const auto quiet = client.sync(params().look_back(1)).plan();
  CHECK(quiet.days()[0].ranges().front().first != vitalwire::date(2025, 11, 18));
  // Of another user than that of the state.
  const auto others = vitalwire::webhook::events(R"([{"application_user_id":"person-2","earliest_record_start_at":"2025-11-19T12:00:00Z"}])");
  CHECK(thrown([&] { client.sync(params().add_event(others[0])); })->argument() == "event");

  const vitalwire::cancel_token cancel;
  const auto cancelled = client.sync(params(), vitalwire::call_options().cancel(cancel)).read();
  const std::string before = state;
  CHECK(cancelled.next().has_value());
  cancel.cancel();
  CHECK(thrown([&] { (void)cancelled.next(); })->code() == vitalwire::code::cancelled && !cancelled.next() && state == before);
  const auto table = client.sync(params()).read();
  const auto part = table.next();
  CHECK(part->table(VITALWIRE_RECORD_KIND_DAILY).rows() == 3);
  table.close();
  CHECK(!table.next());
}
