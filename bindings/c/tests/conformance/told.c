/* Attempts reported to a client's observer, in the format of reports. */
#define _POSIX_C_SOURCE 200809L

#include "runner.h"

void told_begin(struct told *told) {
  *told = (struct told){.attempts = {0}};
  pthread_mutex_init(&told->lock, NULL);
  json_open(&told->attempts, '[');
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

void told_add(void *user_data, const vitalwire_attempt *attempt) {
  struct told *told = user_data;
  pthread_mutex_lock(&told->lock);
  struct json *out = &told->attempts;
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
  pthread_mutex_unlock(&told->lock);
}

void told_end(struct told *told) {
  json_close(&told->attempts, ']');
  pthread_mutex_destroy(&told->lock);
}
