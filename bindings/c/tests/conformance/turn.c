/* One case's turn. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "generated/calls.h"
#include "given.h"

/* A call and what came of it. */
struct played {
  struct turn turn;
  const struct operation *operation;
  /* The outcome; and the same without attempts, which may differ between calls that share a budget of retries. */
  struct json outcome;
  struct json plain;
  /* The error's message. */
  struct json message;
  pthread_t thread;
};

static void outcome_of(struct json *out, struct json *value) {
  json_open(out, '{');
  json_name(out, "value");
  json_whole(out, value);
  if (value->basis != NULL) {
    json_name(out, "basis");
    json_string(out, value->basis);
  }
  json_close(out, '}');
}

static void unplayable(struct json *out, const char *what, const char *why) {
  json_open(out, '{');
  json_name(out, what);
  json_string(out, why);
  json_close(out, '}');
}

static void *play(void *place) {
  struct played *played = place;
  struct json value = {0};
  vitalwire_error *error = NULL;
  const vitalwire_code code = played->operation->call(&played->turn, &value, &error);
  if (played->turn.mistake[0] != '\0') {
    unplayable(&played->outcome, "unplayable", played->turn.mistake);
  } else if (code == VITALWIRE_OK) {
    outcome_of(&played->outcome, &value);
    outcome_of(&played->plain, &value);
  } else {
    failure_outcome(&played->outcome, code, error, true);
    failure_outcome(&played->plain, code, error, false);
    json_text(&played->message, vitalwire_error_message(error));
  }
  vitalwire_error_free(error);
  json_free(&value);
  return NULL;
}

static void pause_for(uint64_t milliseconds) {
  const struct timespec time = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000000};
  nanosleep(&time, NULL);
}

/* What becomes of calls on their way, and after how many milliseconds; 0 is nothing. One of the two is there. */
struct ending {
  uint64_t after;
  vitalwire_cancel *cancel;
  vitalwire_client *client;
  bool ends;
};

/* All calls of the case, in threads of their own where they are several or one has to end them. */
static void play_all(struct played *played, size_t count, const struct ending *ending) {
  if (count == 1 && ending->after == 0) {
    play(played);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    if (pthread_create(&played[i].thread, NULL, play, &played[i]) != 0) give_up("no thread for a call");
  }
  if (ending->after > 0) {
    pause_for(ending->after);
    vitalwire_cancel_cancel(ending->cancel);
    vitalwire_client_close(ending->client, ending->ends);
  }
  for (size_t i = 0; i < count; i++) pthread_join(played[i].thread, NULL);
}

static bool all_same(const struct played *played, size_t count, bool plain) {
  for (size_t i = 1; i < count; i++) {
    if (!json_same(plain ? &played[0].plain : &played[0].outcome, plain ? &played[i].plain : &played[i].outcome)) return false;
  }
  return true;
}

/* One outcome where all are the same; else each of them, which fits no case. The object stays open. */
static void report(struct json *out, const struct played *played, size_t count) {
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

static void played_free(struct played *played) {
  json_free(&played->outcome);
  json_free(&played->plain);
  json_free(&played->message);
}

/* What is reported of a case that makes no call. */
static void report_one(struct json *out, struct played *played) {
  report(out, played, 1);
  json_close(out, '}');
  played_free(played);
}

/* The one call of a case. */
static void play_operation(const struct planned *planned, vitalwire_client *client, const struct operation *operation, struct json *out) {
  uint64_t count = 1;
  plan_number(planned, "/call/operation/options/at_once", &count);
  struct ending ending = {0, NULL, NULL, false};
  const struct leaf *ends = plan_at(planned, "/call/operation/options/close_ends");
  ending.ends = ends != NULL && vitalwire_str_equals(ends->value, "true");
  if (plan_number(planned, "/call/operation/options/cancel_after_ms", &ending.after)) {
    ending.cancel = vitalwire_cancel_new();
  } else if (plan_number(planned, "/call/operation/options/close_after_ms", &ending.after)) {
    if (ending.after == 0) vitalwire_client_close(client, ending.ends);
    ending.client = client;
  }
  vitalwire_call_options *options = settings_options(planned);
  struct played *played = memory(NULL, count * sizeof *played);
  for (size_t i = 0; i < count; i++) {
    played[i] = (struct played){.turn = {planned, client, options, ending.cancel, ""}, .operation = operation};
    given_names(&played[i].turn, operation->arguments);
  }
  play_all(played, count, &ending);
  report(out, played, count);
  for (size_t i = 0; i < count; i++) played_free(&played[i]);
  free(played);
  vitalwire_call_options_free(options);
  vitalwire_cancel_free(ending.cancel);
}

/* Calls one after the other, each of them a case of one call to the functions here. */
static void play_row(const struct planned *planned, vitalwire_client *client, struct json *out) {
  struct json texts = {0};
  json_open(out, '{');
  json_name(out, "outcome");
  json_open(out, '{');
  json_name(out, "in_row");
  json_open(out, '[');
  json_open(&texts, '[');
  struct planned call;
  for (size_t at = 0; plan_call(planned, at, &call); at++) {
    const struct operation *operation = operation_of(&call);
    vitalwire_call_options *options = settings_options(&call);
    struct played played = {.turn = {&call, client, options, NULL, ""}, .operation = operation};
    if (operation == NULL) {
      unplayable(&played.outcome, "unplayable", "no such operation");
    } else {
      given_names(&played.turn, operation->arguments);
      play(&played);
      /* A connection is free a moment after its answer is there. */
      pause_for(200);
    }
    json_whole(out, &played.outcome);
    if (played.message.length > 0) json_whole(&texts, &played.message);
    played_free(&played);
    vitalwire_call_options_free(options);
    plan_call_free(&call);
  }
  json_close(out, ']');
  json_close(out, '}');
  json_close(&texts, ']');
  json_name(out, "texts");
  json_whole(out, &texts);
  json_free(&texts);
}

void turn_play(const struct planned *planned, struct json *out) {
  const char *unsupported = settings_unsupported(planned);
  const bool row = plan_has(planned, "/call/in_row");
  const struct operation *operation = operation_of(planned);
  struct played one = {0};
  if (unsupported != NULL || (operation == NULL && !row)) {
    unplayable(&one.outcome, unsupported != NULL ? "unsupported" : "unplayable", unsupported != NULL ? unsupported : "no such operation");
    report_one(out, &one);
    return;
  }
  const bool tells = plan_has(planned, "/client/on_attempt");
  struct told told = {.attempts = {0}};
  if (tells) told_begin(&told);
  vitalwire_error *error = NULL;
  vitalwire_client *client = settings_client(planned, tells ? &told : NULL, &error);
  if (client == NULL) {
    failure_outcome(&one.outcome, vitalwire_error_code(error), error, true);
    json_text(&one.message, vitalwire_error_message(error));
    vitalwire_error_free(error);
    report(out, &one, 1);
    played_free(&one);
  } else if (row) {
    play_row(planned, client, out);
  } else {
    play_operation(planned, client, operation, out);
  }
  vitalwire_client_free(client);
  if (tells) {
    told_end(&told);
    json_name(out, "told");
    json_whole(out, &told.attempts);
    json_free(&told.attempts);
  }
  json_close(out, '}');
}

void turn_late(struct json *out) {
  struct played one = {0};
  unplayable(&one.outcome, "unplayable", "no outcome in time");
  report_one(out, &one);
}
