// Plays syncs, each from the state of an earlier one.
#include <array>

#include "call_report.hpp"
#include "settings.hpp"

namespace runner {

// Position of the version in a state.
static constexpr std::size_t version_at = 6;

// States of the last part, before and after its changes. Empty before the first part.
struct sync_states {
  std::string before;
  std::string last;
};

static std::string copy_state(vitalwire::bytes of) { return std::string(of.data(), of.data() + of.size()); }

// Returns the state from which a sync starts; empty for none.
static std::string state_of(const planned &sync, const sync_states &states) {
  const auto source = text_at(sync, "/call/operation/state");
  if (source == "none" || states.last.empty()) return "";
  if (source == "before") return states.before;
  std::string state = states.last;
  if (source == "damaged") {
    state.back() ^= 1;
  } else if (source == "newer_version") {
    ++state.at(version_at);
  } else if (source != "last") {
    throw mistake("no such state");
  }
  return state;
}

// Adds a webhook about changed records.
static void add_webhook(vitalwire::sync_params &params, const planned &event) {
  writer body;
  json_open(&body, '[');
  json_open(&body, '{');
  member(body, "event_type", std::string_view("record_change"));
  for (const char *const name : {"earliest_record_start_at", "latest_record_end_at", "application_user_id"}) {
    member(body, name, text_at(event, std::string("/call/operation/webhook/") + name));
  }
  json_close(&body, '}');
  json_close(&body, ']');
  const auto events = vitalwire::webhook::events(std::string_view(body.text, body.length));
  for (const auto of : events) params.add_event(of);
}

static vitalwire::date date_at(const planned &planned, const char *place) { return date_of(text_at(planned, place).value_or("")); }

static vitalwire::sync_params params_of(const planned &sync, const sync_states &states) {
  const auto text = [&](const char *name) { return text_at(sync, std::string("/call/operation/") + name); };
  vitalwire::sync_params params(text("user").value_or(""), text("secret").value_or(""));
  for (const auto kind : texts_at(sync, "/call/operation/kinds")) params.add_kind(kind);
  params.state(state_of(sync, states));
  if (const auto day = text("first")) params.from(date_of(*day));
  if (const auto days = number_at(sync, "/call/operation/look_back")) params.look_back(static_cast<std::uint32_t>(*days));
  if (const auto yes = boolean_at(sync, "/call/operation/check_account")) params.check_account(*yes);
  if (const auto id = text("expect_account")) params.expect_account(*id);
  for (std::size_t at = 0;; ++at) {
    const part event(sync, "/call/operation/events", at);
    if (!event) return params;
    for (const auto kind : texts_at(*event, "/call/operation/days/kinds")) {
      params.add_event(kind, date_at(*event, "/call/operation/days/first"), date_at(*event, "/call/operation/days/last"));
    }
    if (plan_has(&*event, "/call/operation/webhook")) add_webhook(params, *event);
  }
}

// `columns` are terminated by null.
static void write_change(writer &out, const vitalwire::sync_change &of, const std::vector<const char *> &columns) {
  static constexpr std::string_view types[] = {"none", "added", "changed", "removed", "day_removed"};
  json_open(&out, '{');
  member(out, "type", types[of.type()]);
  member(out, "kind", of.kind());
  member(out, "id", of.id());
  member(out, "day", of.day());
  member(out, "before", of.before());
  member(out, "after", of.after());
  if (columns.size() > 1) {
    json_name(&out, "rows");
    json_copy_rows(&out, c(of.json_rows()), columns.data());
  }
  json_close(&out, '}');
}

static void write_part(writer &out, const vitalwire::sync_part &of, const std::vector<const char *> &columns) {
  const auto [first, last] = of.dates();
  const auto progress = of.progress();
  json_open(&out, '{');
  json_name(&out, "days");
  write_all(out, std::array{first, last});
  json_name(&out, "kinds");
  write_all(out, of.kinds());
  json_name(&out, "progress");
  write_all(out, std::array{static_cast<std::int64_t>(progress.done_days), static_cast<std::int64_t>(progress.total_days)});
  whole(out, "left_out", static_cast<std::int64_t>(of.left_out()));
  json_name(&out, "changes");
  json_open(&out, '[');
  for (const auto change : of.changes()) write_change(out, change, columns);
  json_close(&out, ']');
  json_close(&out, '}');
}

static void read_sync(writer &out, const vitalwire::sync_call &call, const planned &sync, sync_states &states) {
  std::vector<const char *> columns;
  for (const auto column : texts_at(sync, "/call/operation/columns")) columns.push_back(column.data());
  columns.push_back(nullptr);
  auto left = number_at(sync, "/call/operation/max_parts").value_or(UINT64_MAX);
  const auto parts = call.read();
  for (const auto &part : parts) {
    write_part(out, part, columns);
    states = {copy_state(part.state_before()), copy_state(part.state())};
    if (--left == 0) break;
  }
}

// Plays one sync. `client` is the client that syncs share.
static void play_sync(call_report &made, const planned &whole, const planned &sync, const vitalwire::client &client, sync_states &states) {
  static constexpr std::string_view reasons[] = {"none", "damaged", "unsupported_version", "other_key", "other_service", "other_user"};
  writer &out = made.outcome;
  std::optional<vitalwire::error> failed;
  json_open(&out, '{');
  json_name(&out, "parts");
  json_open(&out, '[');
  try {
    const auto path = text_at(sync, "/call/operation/base_path");
    const auto params = params_of(sync, states);
    const auto options = options_of(sync);
    const auto call = path ? client_of(whole, nullptr, *path).sync(params, options) : client.sync(params, options);
    if (boolean_at(sync, "/call/operation/record_events").value_or(false)) {
      states.before = states.last = call.record_events();
    } else {
      read_sync(out, call, sync, states);
    }
  } catch (const vitalwire::error &error) {
    failed = error;
    made.message.append(error.what()).append("\n");
  }
  json_close(&out, ']');
  if (failed && failed->state_reason() == VITALWIRE_STATE_REASON_NONE) {
    json_name(&out, "error");
    failure(out, *failed, true);
  } else if (failed) {
    member(out, "state_error", reasons[failed->state_reason()]);
  }
  json_close(&out, '}');
}

call_report play_syncs(const planned &planned, const vitalwire::client &client) {
  call_report made;
  sync_states states;
  json_open(&made.outcome, '{');
  json_name(&made.outcome, "sync");
  json_open(&made.outcome, '[');
  try {
    for (std::size_t at = 0;; ++at) {
      const part sync(planned, "/call/sync", at);
      if (!sync) break;
      play_sync(made, planned, *sync, client, states);
    }
  } catch (const mistake &mistake) {
    return unplayable(mistake.what());
  }
  json_close(&made.outcome, ']');
  json_close(&made.outcome, '}');
  return made;
}

}  // namespace runner
