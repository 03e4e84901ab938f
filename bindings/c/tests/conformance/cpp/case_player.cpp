// Plays a conformance case.
#include <cstdlib>
#include <future>
#include <mutex>
#include <thread>

#include "../shared/program.h"
#include "generated/calls.hpp"
#include "call_report.hpp"
#include "settings.hpp"

namespace runner {

using std::chrono::milliseconds;

// The attempts that the observer of a client received, as a JSON list.
class attempt_log {
 public:
  attempt_log() { json_open(&attempts_, '['); }

  void add(const vitalwire::attempt &of) {
    const std::lock_guard<std::mutex> held(lock_);
    json_open(&attempts_, '{');
    member(attempts_, "operation", of.operation);
    member(attempts_, "http_method", of.http_method);
    member(attempts_, "path_template", of.path_template);
    whole(attempts_, "attempt", of.number);
    if (of.status) whole(attempts_, "status", *of.status);
    if (static_cast<int>(of.code) != VITALWIRE_OK) whole(attempts_, "code", static_cast<std::int64_t>(of.code));
    member(attempts_, "next_delay_ms", of.next_delay);
    member(attempts_, "request_id", of.request_id);
    json_close(&attempts_, '}');
  }
  // Closes the JSON list. No call may be in flight.
  void report(writer &out) {
    json_close(&attempts_, ']');
    json_name(&out, "reported_attempts");
    json_whole(&out, &attempts_);
  }

 private:
  std::mutex lock_;
  writer attempts_;
};

static const operation *operation_of(const planned &planned) {
  const auto id = text_at(planned, "/call/operation/id");
  for (const operation *of = operations; of->id != nullptr; ++of) {
    if (id == of->id) return of;
  }
  return nullptr;
}

static std::vector<call_report> alone(call_report one) {
  std::vector<call_report> all;
  all.push_back(std::move(one));
  return all;
}

// Makes calls on their own threads. Cancels the calls or closes the client after a delay.
static std::vector<call_report> play_concurrently(const planned &planned, const vitalwire::client &client, const operation &operation, bool waits) {
  const auto cancel_after = number_at(planned, "/call/operation/options/cancel_after_ms");
  const auto close_after = number_at(planned, "/call/operation/options/close_after_ms");
  const bool ends = boolean_at(planned, "/call/operation/options/close_ends").value_or(false);
  const auto cancel_token = cancel_after ? std::optional<vitalwire::cancel_token>(std::in_place) : std::nullopt;
  if (close_after == std::uint64_t{0}) client.close(ends);
  std::vector<std::future<call_report>> calls(number_at(planned, "/call/operation/options/at_once").value_or(1));
  for (auto &call : calls) {
    call = std::async(std::launch::async, [&] { return play(planned, client, operation, waits, cancel_token); });
  }
  std::this_thread::sleep_for(milliseconds(static_cast<std::int64_t>(cancel_after.value_or(close_after.value_or(0)))));
  if (cancel_token) cancel_token->cancel();
  if (close_after && *close_after > 0) client.close(ends);
  std::vector<call_report> all;
  for (auto &call : calls) all.push_back(call.get());
  return all;
}

// Plays the call of a case, once or several times at the same time.
static std::vector<call_report> play_operation(const planned &planned, const vitalwire::client &client, bool waits) {
  const operation *const operation = operation_of(planned);
  if (operation == nullptr || (waits && operation->wait == nullptr)) return alone(unplayable("no such operation"));
  for (const char *const name : {"at_once", "cancel_after_ms", "close_after_ms"}) {
    if (number_at(planned, std::string("/call/operation/options/") + name)) return play_concurrently(planned, client, *operation, waits);
  }
  return alone(play(planned, client, *operation, waits));
}

// Plays the calls of a case in sequence. Each call is played like a case with a single call.
static void play_row(const planned &planned, const vitalwire::client &client, writer &out) {
  writer texts;
  json_open(&out, '{');
  json_name(&out, "outcome");
  json_open(&out, '{');
  json_name(&out, "in_row");
  json_open(&out, '[');
  json_open(&texts, '[');
  for (std::size_t at = 0;; ++at) {
    const part call(planned, "/call/in_row", at);
    if (!call) break;
    const auto all = play_operation(*call, client, false);
    json_whole(&out, &all.front().outcome);
    if (!all.front().message.empty()) write(texts, std::string_view(all.front().message));
    // Pauses, because a connection can be reused only shortly after its response was read.
    std::this_thread::sleep_for(milliseconds(200));
  }
  json_close(&out, ']');
  json_close(&out, '}');
  json_close(&texts, ']');
  json_name(&out, "texts");
  json_whole(&out, &texts);
}

static call_report play_range(const planned &planned, const vitalwire::client &client) {
  const operation *const operation = operation_of(planned);
  if (operation == nullptr || operation->range == nullptr) return unplayable("no such operation");
  try {
    call_report made;
    const auto action = text_at(planned, "/call/operation/turn");
    call_input input{call_arguments(planned, operation->arguments), client, options_of(planned), {}, action};
    operation->range(input, range_of(planned), made.outcome);
    return made;
  } catch (const vitalwire::error &error) {
    return failed(error);
  } catch (const mistake &mistake) {
    return unplayable(mistake.what());
  }
}

// Plays the call of a case.
static void play_call(const planned &planned, const vitalwire::client &client, writer &out) {
  const part wait(planned, "/call/wait"), split(planned, "/call/split");
  if (plan_has(&planned, "/call/in_row")) {
    play_row(planned, client, out);
  } else if (plan_has(&planned, "/call/sync")) {
    report(out, alone(play_syncs(planned, client)));
  } else if (split) {
    report(out, alone(play_range(*split, client)));
  } else {
    report(out, wait ? play_operation(*wait, client, true) : play_operation(planned, client, false));
  }
}

static void play_with_client(const planned &planned, writer &out) {
  attempt_log attempts;
  const bool tells = plan_has(&planned, "/client/on_attempt");
  const auto tell = [&](const vitalwire::attempt &attempt) { attempts.add(attempt); };
  try {
    const auto client = client_of(planned, tells ? vitalwire::attempt_observer(tell) : nullptr);
    play_call(planned, client, out);
  } catch (const vitalwire::error &error) {
    report(out, alone(failed(error)));
  }
  if (tells) attempts.report(out);
}

}  // namespace runner

void case_play(const planned *planned, json *out) {
  runner::writer made;
  if (runner::is_local(*planned)) {
    runner::report(made, runner::alone(runner::play_local(*planned)));
  } else {
    runner::play_with_client(*planned, made);
  }
  json_close(&made, '}');
  *out = made.release();
}
