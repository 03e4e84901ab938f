/* Plays a conformance case. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "generated/calls.h"
#include "played_call.h"
#include "range.h"
#include "shared/canonical.h"

static void pause_for(uint64_t milliseconds) {
  const struct timespec time = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000000};
  nanosleep(&time, NULL);
}

/* Ends calls in flight after a delay in milliseconds, by cancelling them or by closing their client. 0 means never. */
struct ending {
  uint64_t after;
  vitalwire_cancel_token *cancel;
  vitalwire_client *client;
  bool ends;
};

/* Makes all calls of the case. Several calls, and calls that must be ended, run on their own threads. */
static void play_all(struct played_call *played, size_t count, const struct ending *ending) {
  if (count == 1 && ending->after == 0) {
    played_call_run(played);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    if (pthread_create(&played[i].thread, NULL, played_call_run, &played[i]) != 0) give_up("no thread for a call");
  }
  if (ending->after > 0) {
    pause_for(ending->after);
    vitalwire_cancel_token_cancel(ending->cancel);
    vitalwire_client_close(ending->client, ending->ends);
  }
  for (size_t i = 0; i < count; i++) pthread_join(played[i].thread, NULL);
}

static bool all_same(const struct played_call *played, size_t count, bool plain) {
  for (size_t i = 1; i < count; i++) {
    if (!json_same(plain ? &played[0].plain : &played[0].outcome, plain ? &played[i].plain : &played[i].outcome)) return false;
  }
  return true;
}

/* Writes the outcomes of calls. Equal outcomes are written once; different outcomes become a list, which no case expects. Leaves the JSON
 * object open. */
static void report(struct json *out, const struct played_call *played, size_t count) {
  json_open(out, '{');
  json_name(out, "outcome");
  if (all_same(played, count, false)) {
    json_whole(out, &played[0].outcome);
  } else if (all_same(played, count, true)) {
    json_whole(out, &played[0].plain);
  } else {
    json_open(out, '{');
    json_name(out, "several");
    json_open(out, '[');
    for (size_t i = 0; i < count; i++) json_whole(out, &played[i].plain);
    json_close(out, ']');
    json_close(out, '}');
  }
  json_name(out, "texts");
  json_open(out, '[');
  for (size_t i = 0; i < count; i++) {
    if (played[i].message.length > 0) json_whole(out, &played[i].message);
  }
  json_close(out, ']');
}

static const struct operation *operation_of(const struct planned *planned) {
  const struct leaf *id = plan_at(planned, "/call/operation/id");
  for (size_t i = 0; id != NULL && i < operation_count; i++) {
    if (vitalwire_str_equals(id->value, operations[i].id)) return &operations[i];
  }
  return NULL;
}

/* Writes the report of a case without a call. */
static void report_one(struct json *out, struct played_call *played) {
  report(out, played, 1);
  json_close(out, '}');
  played_call_free(played);
}

/* Plays the single call of a case. */
static void play_operation(const struct planned *planned, vitalwire_client *client, bool waits, struct json *out) {
  const struct operation *operation = operation_of(planned);
  if (operation == NULL || (waits && operation->wait == NULL)) {
    struct played_call one = {.waits = waits};
    unplayable(&one.outcome, "no such operation");
    report(out, &one, 1);
    played_call_free(&one);
    return;
  }
  uint64_t count = 1;
  plan_number(planned, "/call/operation/options/at_once", &count);
  struct ending ending = {0, NULL, NULL, false};
  const struct leaf *ends = plan_at(planned, "/call/operation/options/close_ends");
  ending.ends = ends != NULL && vitalwire_str_equals(ends->value, "true");
  if (plan_number(planned, "/call/operation/options/cancel_after_ms", &ending.after)) {
    ending.cancel = vitalwire_cancel_token_new();
  } else if (plan_number(planned, "/call/operation/options/close_after_ms", &ending.after)) {
    if (ending.after == 0) vitalwire_client_close(client, ending.ends);
    ending.client = client;
  }
  struct played_call *played = memory(NULL, count * sizeof *played);
  for (size_t i = 0; i < count; i++) played[i] = played_call_prepare(planned, client, ending.cancel, operation, waits);
  play_all(played, count, &ending);
  report(out, played, count);
  for (size_t i = 0; i < count; i++) played_call_free(&played[i]);
  free(played);
  vitalwire_cancel_token_free(ending.cancel);
}

/* Plays the calls of a case in sequence. Each call is played like a case with a single call. */
static void play_row(const struct planned *planned, vitalwire_client *client, struct json *out) {
  struct json texts = {0};
  json_open(out, '{');
  json_name(out, "outcome");
  json_open(out, '{');
  json_name(out, "in_row");
  json_open(out, '[');
  json_open(&texts, '[');
  struct planned call;
  for (size_t at = 0; plan_item(planned, "/call/in_row", at, &call); at++) {
    const struct operation *operation = operation_of(&call);
    struct played_call played = played_call_prepare(&call, client, NULL, operation, false);
    if (operation == NULL) {
      unplayable(&played.outcome, "no such operation");
    } else {
      played_call_run(&played);
      /* Pauses, because a connection can be reused only shortly after its response was read. */
      pause_for(200);
    }
    json_whole(out, &played.outcome);
    if (played.message.length > 0) json_whole(&texts, &played.message);
    played_call_free(&played);
    plan_call_free(&call);
  }
  json_close(out, ']');
  json_close(out, '}');
  json_close(&texts, ']');
  json_name(out, "texts");
  json_whole(out, &texts);
  json_free(&texts);
}

/* Plays a case over a range. */
static void play_range(const struct planned *planned, vitalwire_client *client, struct json *out) {
  struct played_call played = played_call_prepare(planned, client, NULL, operation_of(planned), false);
  const struct operation *operation = played.operation;
  vitalwire_range_options *options = range_options(planned);
  vitalwire_range_call *range = NULL;
  vitalwire_error *error = NULL;
  vitalwire_str action;
  if (operation == NULL || operation->range == NULL) {
    unplayable(&played.outcome, "no such operation");
  } else {
    vitalwire_code code = operation->range(&played.input, options, &range, &error);
    if (code == VITALWIRE_OK && played.input.arguments.mistake[0] == '\0') {
      const bool reads = plan_text(planned, "/call/operation/turn", &action);
      code = reads ? range_read_parts(&played.outcome, action, range, &error) : range_collect(&played.outcome, operation, range, &error);
    }
    if (played.input.arguments.mistake[0] != '\0') {
      unplayable(&played.outcome, played.input.arguments.mistake);
    } else if (code != VITALWIRE_OK) {
      failure_outcome(&played.outcome, code, error, true);
      json_text(&played.message, vitalwire_error_message(error));
    }
  }
  vitalwire_error_free(error);
  vitalwire_range_call_free(range);
  vitalwire_range_options_free(options);
  report(out, &played, 1);
  played_call_free(&played);
}

static void play_call(const struct planned *planned, vitalwire_client *client, struct json *out) {
  struct planned call;
  if (plan_has(planned, "/call/in_row")) {
    play_row(planned, client, out);
  } else if (plan_has(planned, "/call/sync")) {
    struct played_call played = {0};
    sync_play(planned, client, &played.outcome, &played.message);
    report(out, &played, 1);
    played_call_free(&played);
  } else if (plan_under(planned, "/call/wait", &call)) {
    play_operation(&call, client, true, out);
    plan_call_free(&call);
  } else if (plan_under(planned, "/call/split", &call)) {
    play_range(&call, client, out);
    plan_call_free(&call);
  } else {
    play_operation(planned, client, false, out);
  }
}

void case_play(const struct planned *planned, struct json *out) {
  struct played_call one = {0};
  if (local_plays(planned)) {
    local_play(planned, &one.outcome, &one.message);
    report_one(out, &one);
    return;
  }
  const bool tells = plan_has(planned, "/client/on_attempt");
  struct attempt_log log = {.attempts = {0}};
  if (tells) attempt_log_begin(&log);
  vitalwire_error *error = NULL;
  vitalwire_client *client = settings_client(planned, vitalwire_str_from(""), tells ? &log : NULL, &error);
  if (client == NULL) {
    failure_outcome(&one.outcome, vitalwire_error_code(error), error, true);
    json_text(&one.message, vitalwire_error_message(error));
    vitalwire_error_free(error);
    report(out, &one, 1);
    played_call_free(&one);
  } else {
    play_call(planned, client, out);
  }
  vitalwire_client_free(client);
  if (tells) {
    attempt_log_end(&log);
    json_name(out, "reported_attempts");
    json_whole(out, &log.attempts);
    json_free(&log.attempts);
  }
  json_close(out, '}');
}
