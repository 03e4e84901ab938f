/* Plays cases over a range, which is collected or read part by part. */
#define _POSIX_C_SOURCE 200809L

#include "range.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "shared/canonical.h"

/* Time after which a read is surely in flight, in milliseconds. The judge delays the response longer. */
enum { IN_FLIGHT_AFTER_MS = 150 };

vitalwire_range_options *range_options(const struct planned *planned) {
  vitalwire_range_options *options = vitalwire_range_options_new();
  uint64_t number;
  const struct leaf *collects = plan_at(planned, "/call/operation/collect_errors");
  if (plan_number(planned, "/call/operation/days", &number)) vitalwire_range_options_set_part_days(options, (uint32_t)number);
  if (plan_number(planned, "/call/operation/hours", &number)) vitalwire_range_options_set_part_hours(options, (uint32_t)number);
  if (plan_number(planned, "/call/operation/concurrency", &number)) vitalwire_range_options_set_concurrency(options, (uint32_t)number);
  if (collects != NULL) vitalwire_range_options_set_collect_failures(options, vitalwire_str_equals(collects->value, "true"));
  return options;
}

static void collected(struct json *out, const struct operation *operation, const vitalwire_merged_range *merged) {
  struct json value = {0};
  operation->merged(&value, merged);
  outcome_open(out, &value);
  json_free(&value);
  const size_t failures = vitalwire_merged_range_failures_count(merged);
  if (failures > 0) {
    json_name(out, "failed_parts");
    json_open(out, '[');
    for (size_t i = 0; i < failures; i++) {
      const vitalwire_range_part *part = vitalwire_merged_range_failures_at(merged, i);
      json_open(out, '[');
      json_integer(out, vitalwire_range_part_index(part));
      json_text(out, vitalwire_error_kind(vitalwire_range_part_failure(part)));
      json_close(out, ']');
    }
    json_close(out, ']');
  }
  skipped_items(out, vitalwire_merged_range_skipped_items(merged));
  json_close(out, '}');
}

vitalwire_code range_collect(struct json *out, const struct operation *operation, const vitalwire_range_call *range, vitalwire_error **error) {
  vitalwire_merged_range *merged = NULL;
  const vitalwire_code code = vitalwire_range_call_collect(range, NULL, NULL, NULL, &merged, error);
  if (code == VITALWIRE_OK) collected(out, operation, merged);
  vitalwire_merged_range_free(merged);
  return code;
}

/* The outcomes of all reads so far. */
struct part_log {
  struct json read;
  vitalwire_error *error;
};

/* The inputs and outcome of reading one part, possibly on its own thread. */
struct reading {
  const vitalwire_range_parts *parts;
  vitalwire_range_part *part;
  vitalwire_error *error;
};

static void *read_part(void *place) {
  struct reading *reading = place;
  const vitalwire_code code = vitalwire_range_parts_next(reading->parts, &reading->part, &reading->error);
  if ((code == VITALWIRE_OK) != (reading->error == NULL)) give_up("a code that is none of its error");
  return NULL;
}

/* Adds the outcome of a read. Returns whether the read returned a part. */
static bool take(struct part_log *log, struct reading *reading) {
  const bool there = reading->part != NULL;
  if (there) json_integer(&log->read, vitalwire_range_part_index(reading->part));
  vitalwire_range_part_free(reading->part);
  if (reading->error != NULL) {
    vitalwire_error_free(log->error);
    log->error = reading->error;
  }
  return there;
}

static bool next(struct part_log *log, const vitalwire_range_parts *parts) {
  struct reading reading = {parts, NULL, NULL};
  read_part(&reading);
  return take(log, &reading);
}

/* Reads a part on another thread. During this read, closes the parts or reads another part on this thread. */
static void read_concurrently(struct part_log *log, const vitalwire_range_parts *parts, bool closes) {
  struct reading first = {parts, NULL, NULL}, second = {parts, NULL, NULL};
  pthread_t thread;
  const struct timespec time = {0, IN_FLIGHT_AFTER_MS * 1000000L};
  if (pthread_create(&thread, NULL, read_part, &first) != 0) give_up("no thread for a reading");
  nanosleep(&time, NULL);
  if (closes) {
    vitalwire_range_parts_close(parts);
  } else {
    read_part(&second);
  }
  pthread_join(thread, NULL);
  take(log, &second);
  take(log, &first);
}

static uint32_t parts_left(const vitalwire_range_parts *parts) {
  vitalwire_json *text = vitalwire_range_parts_resume_token(parts);
  vitalwire_resume_token *token = NULL;
  if (text != NULL && vitalwire_resume_token_parse(vitalwire_json_text(text), &token, NULL) != VITALWIRE_OK)
    give_up("a resume token that cannot be read");
  const uint32_t left = vitalwire_resume_token_parts_left(token);
  vitalwire_resume_token_free(token);
  vitalwire_json_free(text);
  return left;
}

vitalwire_code range_read_parts(struct json *out, vitalwire_str action, const vitalwire_range_call *range, vitalwire_error **error) {
  vitalwire_range_parts *parts = NULL;
  const vitalwire_code code = vitalwire_range_call_read(range, &parts, error);
  if (code != VITALWIRE_OK) return code;
  struct part_log log = {{0}, NULL};
  json_open(&log.read, '[');
  next(&log, parts);
  if (vitalwire_str_equals(action, "second_reader")) read_concurrently(&log, parts, false);
  if (vitalwire_str_equals(action, "closed_while_read")) read_concurrently(&log, parts, true);
  if (vitalwire_str_equals(action, "closed")) vitalwire_range_parts_close(parts);
  if (vitalwire_str_equals(action, "read_on")) {
    while (next(&log, parts)) {
    }
  }
  while (next(&log, parts)) {
  }
  json_close(&log.read, ']');
  json_open(out, '{');
  json_name(out, "value");
  json_open(out, '{');
  json_name(out, "read");
  json_whole(out, &log.read);
  json_name(out, "left");
  json_integer(out, parts_left(parts));
  if (log.error != NULL) {
    json_name(out, "error");
    json_text(out, vitalwire_error_kind(log.error));
    json_name(out, "code");
    json_integer(out, vitalwire_error_code(log.error));
  }
  json_close(out, '}');
  json_close(out, '}');
  vitalwire_error_free(log.error);
  json_free(&log.read);
  vitalwire_range_parts_free(parts);
  return VITALWIRE_OK;
}
