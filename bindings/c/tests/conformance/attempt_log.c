/* Records the attempts that the observer of a client receives, as a JSON list. */
#define _POSIX_C_SOURCE 200809L

#include "runner.h"

void attempt_log_begin(struct attempt_log *log) {
  *log = (struct attempt_log){.attempts = {0}};
  pthread_mutex_init(&log->lock, NULL);
  json_open(&log->attempts, '[');
}

static void text(struct json *out, const char *name, vitalwire_str value) {
  if (value.data == NULL) return;
  json_name(out, name);
  json_text(out, value);
}

static void whole(struct json *out, const char *name, int64_t value) {
  json_name(out, name);
  json_integer(out, value);
}

void attempt_log_add(void *user_data, const vitalwire_attempt *attempt) {
  struct attempt_log *log = user_data;
  pthread_mutex_lock(&log->lock);
  struct json *out = &log->attempts;
  json_open(out, '{');
  text(out, "operation", attempt->operation);
  text(out, "http_method", attempt->http_method);
  text(out, "path_template", attempt->path_template);
  whole(out, "attempt", attempt->attempt);
  if (attempt->status != 0) whole(out, "status", attempt->status);
  if (attempt->code != VITALWIRE_OK) whole(out, "code", attempt->code);
  if (attempt->next_delay_ms >= 0) whole(out, "next_delay_ms", attempt->next_delay_ms);
  text(out, "request_id", attempt->request_id);
  json_close(out, '}');
  pthread_mutex_unlock(&log->lock);
}

void attempt_log_end(struct attempt_log *log) {
  json_close(&log->attempts, ']');
  pthread_mutex_destroy(&log->lock);
}
