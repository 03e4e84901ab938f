/* Plays syncs, each from the state of an earlier one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "outcome.h"
#include "runner.h"
#include "shared/case_arguments.h"

/* Position of the version in a state. */
enum { VERSION_AT = 6 };

/* Maximum number of columns in an outcome. */
enum { MAX_COLUMNS = 8 };

/* States of the last part, before and after its changes. `data` is NULL before the first part. */
struct states {
  struct bytes before;
  struct bytes last;
};

static struct bytes copy(const uint8_t *data, size_t length) {
  struct bytes bytes = {memory(NULL, length + 1), length};
  memcpy(bytes.data, data, length);
  return bytes;
}

static void states_store(struct states *states, vitalwire_bytes before, vitalwire_bytes last) {
  free(states->before.data);
  free(states->last.data);
  *states = (struct states){copy(before.data, before.length), copy(last.data, last.length)};
}

/* Writes a text of a list, by index from 0. Returns false beyond the end. */
static bool text_at(const struct planned *planned, const char *list, size_t at, vitalwire_str *text) {
  char place[60];
  snprintf(place, sizeof place, "%s/%zu", list, at);
  return plan_text(planned, place, text);
}

/* Returns the date at a pointer. An invalid date becomes one that every function rejects. */
static vitalwire_date date_at(const struct planned *planned, const char *place) {
  vitalwire_str text;
  vitalwire_date date;
  return plan_text(planned, place, &text) && date_read(text, &date) ? date : (vitalwire_date){0, 0, 0};
}

/* Sets the state from which a sync starts. */
static void set_state(vitalwire_sync_params *params, const struct planned *sync, const struct states *states) {
  vitalwire_str source = {"", 0};
  plan_text(sync, "/call/operation/state", &source);
  const struct bytes *of = vitalwire_str_equals(source, "before") ? &states->before : &states->last;
  if (of->data == NULL || vitalwire_str_equals(source, "none")) return;
  struct bytes state = copy(of->data, of->length);
  if (vitalwire_str_equals(source, "damaged")) state.data[state.length - 1] ^= 1;
  if (vitalwire_str_equals(source, "newer_version")) state.data[VERSION_AT]++;
  vitalwire_sync_params_set_state(params, state.data, state.length);
  free(state.data);
}

/* Adds a webhook about changed records. */
static void add_webhook(vitalwire_sync_params *params, const struct planned *event) {
  static const char *const names[] = {"earliest_record_start_at", "latest_record_end_at", "application_user_id"};
  struct json body = {0};
  vitalwire_webhook_event_list *list = NULL;
  json_open(&body, '[');
  json_open(&body, '{');
  json_name(&body, "event_type");
  json_string(&body, "record_change");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char place[60];
    vitalwire_str text = {NULL, 0};
    snprintf(place, sizeof place, "/call/operation/webhook/%s", names[i]);
    plan_text(event, place, &text);
    json_name(&body, names[i]);
    json_text(&body, text);
  }
  json_close(&body, '}');
  json_close(&body, ']');
  const vitalwire_code code = vitalwire_webhook_events((const uint8_t *)body.text, body.length, &list, NULL);
  if (code != VITALWIRE_OK) give_up("a webhook that cannot be read");
  vitalwire_sync_params_add_webhook_event(params, vitalwire_webhook_event_list_at(list, 0));
  vitalwire_webhook_event_list_free(list);
  json_free(&body);
}

static void add_events(vitalwire_sync_params *params, const struct planned *sync) {
  struct planned event;
  vitalwire_str kind;
  for (size_t at = 0; plan_item(sync, "/call/operation/events", at, &event); at++) {
    for (size_t i = 0; text_at(&event, "/call/operation/days/kinds", i, &kind); i++) {
      const vitalwire_date first = date_at(&event, "/call/operation/days/first"), last = date_at(&event, "/call/operation/days/last");
      vitalwire_sync_params_add_event(params, kind, first, last);
    }
    if (plan_has(&event, "/call/operation/webhook")) add_webhook(params, &event);
    plan_call_free(&event);
  }
}

static vitalwire_sync_params *params_of(const struct planned *sync, const struct states *states) {
  vitalwire_str user = {"", 0}, secret = {"", 0}, text;
  uint64_t number;
  bool yes;
  plan_text(sync, "/call/operation/user", &user);
  plan_text(sync, "/call/operation/secret", &secret);
  vitalwire_sync_params *params = vitalwire_sync_params_new(user, (const uint8_t *)secret.data, secret.length);
  for (size_t i = 0; text_at(sync, "/call/operation/kinds", i, &text); i++) vitalwire_sync_params_add_kind(params, text);
  set_state(params, sync, states);
  if (plan_has(sync, "/call/operation/first")) vitalwire_sync_params_set_from(params, date_at(sync, "/call/operation/first"));
  if (plan_number(sync, "/call/operation/look_back", &number)) vitalwire_sync_params_set_look_back(params, (uint32_t)number);
  if (plan_boolean(sync, "/call/operation/check_account", &yes)) vitalwire_sync_params_set_check_account(params, yes);
  if (plan_text(sync, "/call/operation/expect_account", &text)) vitalwire_sync_params_set_expect_account(params, text);
  add_events(params, sync);
  return params;
}

static void write_change(struct json *out, const vitalwire_sync_change *of, const char *const *columns) {
  static const char *const types[] = {"none", "added", "changed", "removed", "day_removed"};
  json_open(out, '{');
  json_name(out, "type");
  json_string(out, types[vitalwire_sync_change_type(of)]);
  TEXT(vitalwire_sync_change_kind, "kind");
  TEXT(vitalwire_sync_change_id, "id");
  PLAIN(date, vitalwire_date, vitalwire_sync_change_day, "day");
  TEXT(vitalwire_sync_change_before, "before");
  TEXT(vitalwire_sync_change_after, "after");
  if (columns[0] != NULL) {
    vitalwire_json *rows = vitalwire_sync_change_json_rows(of);
    json_name(out, "rows");
    json_copy_rows(out, vitalwire_json_text(rows), columns);
    vitalwire_json_free(rows);
  }
  json_close(out, '}');
}

static void write_part(struct json *out, const vitalwire_sync_part *of, const char *const *columns) {
  vitalwire_date first = {0, 0, 0}, last = {0, 0, 0};
  vitalwire_sync_progress progress = {0, 0};
  vitalwire_sync_part_dates(of, &first, &last);
  vitalwire_sync_part_progress(of, &progress);
  json_open(out, '{');
  json_name(out, "days");
  json_open(out, '[');
  json_date(out, first);
  json_date(out, last);
  json_close(out, ']');
  json_name(out, "kinds");
  json_open(out, '[');
  for (size_t i = 0; i < vitalwire_sync_part_kinds_count(of); i++) json_text(out, vitalwire_sync_part_kinds_at(of, i));
  json_close(out, ']');
  json_name(out, "progress");
  json_open(out, '[');
  json_integer(out, (int64_t)progress.done_days);
  json_integer(out, (int64_t)progress.total_days);
  json_close(out, ']');
  json_name(out, "left_out");
  json_integer(out, (int64_t)vitalwire_sync_part_left_out(of));
  json_name(out, "changes");
  json_open(out, '[');
  for (size_t i = 0; i < vitalwire_sync_part_changes_count(of); i++) write_change(out, vitalwire_sync_part_changes_at(of, i), columns);
  json_close(out, ']');
  json_close(out, '}');
}

static vitalwire_code read_parts(struct json *out, const vitalwire_sync_call *call, const struct planned *sync, struct states *states,
                                 vitalwire_error **error) {
  const char *columns[MAX_COLUMNS + 1] = {NULL};
  vitalwire_str column;
  for (size_t i = 0; i < MAX_COLUMNS && text_at(sync, "/call/operation/columns", i, &column); i++) columns[i] = column.data;
  uint64_t left = UINT64_MAX;
  plan_number(sync, "/call/operation/max_parts", &left);
  vitalwire_sync_parts *parts = NULL;
  vitalwire_code code = vitalwire_sync_call_read(call, &parts, error);
  while (code == VITALWIRE_OK && left-- > 0) {
    vitalwire_sync_part *part = NULL;
    code = vitalwire_sync_parts_next(parts, &part, error);
    if (part == NULL) break;
    write_part(out, part, columns);
    states_store(states, vitalwire_sync_part_state_before(part), vitalwire_sync_part_state(part));
    vitalwire_sync_part_free(part);
  }
  vitalwire_sync_parts_free(parts);
  return code;
}

static vitalwire_code record_events(const vitalwire_sync_call *call, struct states *states, vitalwire_error **error) {
  vitalwire_sync_state *state = NULL;
  const vitalwire_code code = vitalwire_sync_call_record_events(call, &state, error);
  if (code == VITALWIRE_OK) states_store(states, vitalwire_sync_state_bytes(state), vitalwire_sync_state_bytes(state));
  vitalwire_sync_state_free(state);
  return code;
}

static void write_failure(struct json *out, vitalwire_code code, const vitalwire_error *error) {
  static const char *const reasons[] = {"none", "damaged", "unsupported_version", "other_key", "other_service", "other_user"};
  const vitalwire_state_reason reason = vitalwire_error_state_reason(error);
  if (reason == VITALWIRE_STATE_REASON_NONE) {
    json_name(out, "error");
    failure_outcome(out, code, error, true);
  } else {
    json_name(out, "state_error");
    json_string(out, reasons[reason]);
  }
}

/* Plays one sync. `client` is the client that syncs share. */
static void play_sync(const struct planned *planned, const struct planned *sync, const vitalwire_client *client, struct states *states,
                      struct json *out, struct json *messages) {
  vitalwire_client *own = NULL;
  vitalwire_sync_params *params = params_of(sync, states);
  vitalwire_call_options *options = settings_options(sync);
  vitalwire_sync_call *call = NULL;
  vitalwire_error *error = NULL;
  vitalwire_str path;
  bool records = false;
  plan_boolean(sync, "/call/operation/record_events", &records);
  json_open(out, '{');
  json_name(out, "parts");
  json_open(out, '[');
  if (plan_text(sync, "/call/operation/base_path", &path)) client = own = settings_client(planned, path, NULL, &error);
  vitalwire_code code = vitalwire_error_code(error);
  if (code == VITALWIRE_OK) code = vitalwire_client_sync(client, params, options, NULL, &call, &error);
  if (code == VITALWIRE_OK) code = records ? record_events(call, states, &error) : read_parts(out, call, sync, states, &error);
  json_close(out, ']');
  if (code != VITALWIRE_OK) {
    write_failure(out, code, error);
    json_text(messages, vitalwire_error_message(error));
  }
  json_close(out, '}');
  vitalwire_error_free(error);
  vitalwire_sync_call_free(call);
  vitalwire_call_options_free(options);
  vitalwire_sync_params_free(params);
  vitalwire_client_free(own);
}

void sync_play(const struct planned *planned, const vitalwire_client *client, struct json *outcome, struct json *messages) {
  struct states states = {{NULL, 0}, {NULL, 0}};
  struct planned sync;
  json_open(outcome, '{');
  json_name(outcome, "sync");
  json_open(outcome, '[');
  for (size_t at = 0; plan_item(planned, "/call/sync", at, &sync); at++) {
    play_sync(planned, &sync, client, &states, outcome, messages);
    plan_call_free(&sync);
  }
  json_close(outcome, ']');
  json_close(outcome, '}');
  free(states.before.data);
  free(states.last.data);
}
