/* Tests of syncs, against the sandbox. Its day is 2025-11-20, and the user is person-1. */
#include "smoke.h"

#include <string.h>
#include <unistd.h>

static const uint8_t secret[] = "0123456789abcdef";

/* A copy of the user's records: its state, and the changes of the last run in one text. */
static struct {
  uint8_t state[1 << 16];
  size_t length;
  char changes[4096];
  int parts;
  /* Id of a meal. Changes of other meals, which other cases upload, are left out. */
  char meal[64];
} copy;

static vitalwire_sync_params *params_of(const char *user) {
  const vitalwire_date first = {2025, 11, 18};
  vitalwire_sync_params *params = vitalwire_sync_params_new(str(user), secret, sizeof secret - 1);
  vitalwire_sync_params_add_kind(params, str(VITALWIRE_RECORD_KIND_DAILY));
  vitalwire_sync_params_add_kind(params, str(VITALWIRE_RECORD_KIND_NUTRITION));
  vitalwire_sync_params_set_from(params, first);
  vitalwire_sync_params_set_state(params, copy.length > 0 ? copy.state : NULL, copy.length);
  return params;
}

/* Creates a sync from the state of the copy. */
static vitalwire_sync_call *sync_of(vitalwire_client *client) {
  vitalwire_sync_params *params = params_of("user-7");
  vitalwire_sync_call *sync = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_sync(client, params, NULL, NULL, &sync, &error), &error);
  vitalwire_sync_params_free(params); /* the sync has a copy */
  return sync;
}

static void note(const vitalwire_sync_change *change) {
  static const char *const types[] = {"none", "added", "changed", "removed", "day_removed"};
  const vitalwire_str kind = vitalwire_sync_change_kind(change), id = vitalwire_sync_change_id(change);
  vitalwire_date day = {0, 0, 0};
  const bool dated = vitalwire_sync_change_day(change, &day);
  if (vitalwire_str_equals(kind, VITALWIRE_RECORD_KIND_NUTRITION) && !vitalwire_str_equals(id, copy.meal)) return;
  const size_t used = strlen(copy.changes);
  snprintf(copy.changes + used, sizeof copy.changes - used, "%s %.*s %s %d\n", types[vitalwire_sync_change_type(change)],
           VITALWIRE_STR(kind), vitalwire_str_equals(id, copy.meal) ? "meal" : "day", dated ? day.day : 0);
  /* An added record has rows and a new key, a removed record an old key. */
  const bool removed = vitalwire_sync_change_type(change) == VITALWIRE_CHANGE_REMOVED;
  const bool added = vitalwire_sync_change_type(change) == VITALWIRE_CHANGE_ADDED;
  CHECK((vitalwire_sync_change_before(change).data == NULL) == added && (vitalwire_sync_change_after(change).data == NULL) == removed);
  vitalwire_json *rows = vitalwire_sync_change_json_rows(change);
  CHECK(vitalwire_str_equals(vitalwire_json_text(rows), "[]") == removed);
  if (day.day == 20 && vitalwire_str_equals(kind, VITALWIRE_RECORD_KIND_DAILY)) CHECK(contains(vitalwire_json_text(rows), "\"steps\":1267"));
  vitalwire_json_free(rows);
  size_t row = 0;
  CHECK(vitalwire_sync_change_rows_count(change) == (removed ? 0 : 1) && vitalwire_sync_change_rows_at(change, 0, &row) == !removed);
}

/* Applies a part. */
static bool apply(void *user_data, const vitalwire_sync_part *part) {
  vitalwire_client *client = user_data;
  const vitalwire_bytes state = vitalwire_sync_part_state(part);
  for (size_t i = 0; i < vitalwire_sync_part_changes_count(part); i++) note(vitalwire_sync_part_changes_at(part, i));
  if (!CHECK(state.length > 0 && state.length <= sizeof copy.state)) return false;
  memcpy(copy.state, state.data, state.length);
  copy.length = state.length;
  copy.parts++;
  uint64_t generation = 0;
  CHECK(vitalwire_sync_state_generation(copy.state, copy.length, &generation, NULL) == VITALWIRE_OK);
  CHECK(generation == vitalwire_sync_part_generation(part) && vitalwire_sync_part_left_out(part) == 0);
  vitalwire_sync_progress progress = {0, 0};
  CHECK(vitalwire_sync_part_progress(part, &progress) && (progress.done_days < progress.total_days) == vitalwire_sync_part_has_more(part));
  /* A callback may make calls. */
  CHECK(client == NULL || is_person(client));
  return true;
}

/* Runs a sync to its end, with a callback. Returns the changes. */
static const char *run(vitalwire_client *client) {
  vitalwire_sync_call *sync = sync_of(client);
  vitalwire_error *error = NULL;
  copy.changes[0] = '\0';
  copy.parts = 0;
  CHECK_OK(vitalwire_sync_call_each(sync, apply, client, NULL, &error), &error);
  CHECK(copy.parts == 2);
  vitalwire_sync_call_free(sync);
  return copy.changes;
}

static bool stop(void *user_data, const vitalwire_sync_part *part) {
  (void)part;
  ++*(int *)user_data;
  return false;
}

static void count_end(void *user_data) { *(int *)user_data += 10; }

/* Reads a part without blocking; NULL after the last one. */
static vitalwire_sync_part *next(vitalwire_sync_parts *parts) {
  vitalwire_call *call = NULL;
  vitalwire_sync_part *part = NULL;
  vitalwire_error *error = NULL;
  if (!CHECK_OK(vitalwire_sync_parts_next_start(parts, NULL, NULL, NULL, &call, &error), &error)) return NULL;
  CHECK(vitalwire_call_wait(call, 30000));
  CHECK_OK(vitalwire_sync_parts_next_finish(call, &part, &error), &error);
  vitalwire_call_free(call);
  return part;
}

static void upload(vitalwire_client *client) {
  vitalwire_nutrition_upload_response *response = NULL;
  vitalwire_error *error = NULL;
  vitalwire_nutrition_records_upload_params *params = vitalwire_nutrition_records_upload_params_new();
  vitalwire_nutrition_records_upload_params_set_body(params, picture, sizeof picture);
  vitalwire_nutrition_records_upload_params_set_wait_on_process(params, true);
  if (CHECK_OK(vitalwire_client_nutrition_records_upload(client, params, NULL, NULL, &response, &error), &error)) {
    const vitalwire_str id = vitalwire_nutrition_upload_response_record_id(response);
    snprintf(copy.meal, sizeof copy.meal, "%.*s", VITALWIRE_STR(id));
  }
  vitalwire_nutrition_upload_response_free(response);
  vitalwire_nutrition_records_upload_params_free(params);
}

/* Ends a sync after its first part. The next sync continues from the state of this part. */
static void cancel_and_continue(vitalwire_client *client) {
  vitalwire_sync_call *sync = sync_of(client);
  vitalwire_sync_parts *parts = NULL;
  vitalwire_sync_part *part = NULL;
  vitalwire_table *table = NULL;
  vitalwire_error *error = NULL;
  int calls = 0;
  CHECK_OK(vitalwire_sync_call_each(sync, stop, &calls, count_end, &error), &error);
  CHECK(calls == 11);
  CHECK_OK(vitalwire_sync_call_read(sync, &parts, &error), &error);
  vitalwire_sync_call_free(sync); /* the parts continue */
  CHECK((part = next(parts)) != NULL && vitalwire_sync_part_has_more(part));
  CHECK(vitalwire_sync_part_kinds_count(part) == 1 && vitalwire_str_equals(vitalwire_sync_part_kinds_at(part, 0), "daily"));
  vitalwire_date first = {0, 0, 0}, last = {0, 0, 0};
  CHECK(vitalwire_sync_part_dates(part, &first, &last) && first.day == 18 && last.day == 21);
  /* Rows of unchanged records are in the table, too. */
  if (CHECK_OK(vitalwire_sync_part_table(part, str(VITALWIRE_RECORD_KIND_DAILY), &table, &error), &error))
    CHECK(vitalwire_table_rows_count(table) == 3);
  vitalwire_table_free(table);
  CHECK_REFUSED(vitalwire_sync_part_table(part, str(VITALWIRE_RECORD_KIND_SLEEPS), &table, &error), &error, "kind");
  CHECK(vitalwire_sync_part_state_before(part).length > 0);
  copy.changes[0] = '\0';
  apply(NULL, part);
  CHECK(strcmp(copy.changes, "") == 0);
  vitalwire_sync_part_free(part);
  part = NULL;
  /* The sync ends if a part is freed unread. A later part would have a state without its changes. */
  vitalwire_call *call = NULL;
  CHECK_OK(vitalwire_sync_parts_next_start(parts, NULL, NULL, NULL, &call, &error), &error);
  CHECK(vitalwire_call_wait(call, 30000));
  vitalwire_call_free(call);
  CHECK(vitalwire_sync_parts_next(parts, &part, NULL) == VITALWIRE_ERROR_CANCELLED && part == NULL);
  vitalwire_sync_parts_close(parts);
  CHECK(vitalwire_sync_parts_next(parts, &part, &error) == VITALWIRE_OK && part == NULL);
  vitalwire_sync_parts_free(parts);
}

/* The server never responds: cancelling the call closes its connection. A cancelled token fails every read. */
static void cancel_in_flight(void) {
  int server;
  vitalwire_client *client = silent_client(&server);
  vitalwire_sync_params *params = params_of("user-7");
  vitalwire_sync_params_set_state(params, NULL, 0);
  vitalwire_sync_call *sync = NULL;
  vitalwire_sync_parts *parts = NULL;
  vitalwire_sync_part *part = NULL;
  vitalwire_call *call = NULL;
  vitalwire_error *error = NULL;
  vitalwire_cancel_token *cancel = vitalwire_cancel_token_new();
  CHECK_OK(vitalwire_client_sync(client, params, NULL, cancel, &sync, &error), &error);
  CHECK_OK(vitalwire_sync_call_read(sync, &parts, &error), &error);
  CHECK_OK(vitalwire_sync_parts_next_start(parts, NULL, NULL, NULL, &call, &error), &error);
  const int connection = requested(server);
  /* Only one read at a time. */
  CHECK(vitalwire_sync_parts_next(parts, &part, NULL) == VITALWIRE_ERROR_CONFIGURATION);
  vitalwire_call_cancel(call);
  CHECK(closed(connection) && vitalwire_call_wait(call, 15000));
  CHECK(vitalwire_sync_parts_next_finish(call, &part, NULL) == VITALWIRE_ERROR_CANCELLED);
  vitalwire_call_free(call);
  vitalwire_sync_parts_free(parts);
  vitalwire_cancel_token_cancel(cancel);
  CHECK_OK(vitalwire_sync_call_read(sync, &parts, &error), &error);
  CHECK(vitalwire_sync_parts_next(parts, &part, NULL) == VITALWIRE_ERROR_CANCELLED && part == NULL);
  CHECK(vitalwire_sync_parts_next(parts, &part, NULL) == VITALWIRE_OK && part == NULL);
  vitalwire_sync_parts_free(parts);
  vitalwire_sync_call_free(sync);
  vitalwire_sync_params_free(params);
  vitalwire_cancel_token_free(cancel);
  vitalwire_client_free(client);
  close(server);
}

/* Checks that a state is rejected with this reason, and frees the parameters. */
static void check_reason(vitalwire_client *client, vitalwire_sync_params *params, vitalwire_state_reason reason) {
  vitalwire_sync_call *sync = NULL;
  vitalwire_error *error = NULL;
  const vitalwire_code code = vitalwire_client_sync(client, params, NULL, NULL, &sync, &error);
  CHECK(vitalwire_error_state_reason(error) == reason && sync == NULL);
  CHECK(contains(vitalwire_error_message(error), "start again without a state"));
  CHECK_REFUSED(code, &error, "state");
  vitalwire_sync_params_free(params);
}

static void rejected_states(vitalwire_client *client) {
  check_reason(client, params_of("user-8"), VITALWIRE_STATE_REASON_OTHER_USER);
  vitalwire_sync_params *params = params_of("user-7");
  vitalwire_sync_params_set_service_name(params, str("another"));
  check_reason(client, params, VITALWIRE_STATE_REASON_OTHER_SERVICE);
  params = vitalwire_sync_params_new(str("user-7"), (const uint8_t *)"another secret of the caller", 28);
  vitalwire_sync_params_add_kind(params, str(VITALWIRE_RECORD_KIND_DAILY));
  vitalwire_sync_params_set_state(params, copy.state, copy.length);
  check_reason(client, params, VITALWIRE_STATE_REASON_OTHER_KEY);
  uint64_t generation = 0;
  vitalwire_error *error = NULL;
  copy.state[copy.length / 2] ^= 1;
  check_reason(client, params_of("user-7"), VITALWIRE_STATE_REASON_DAMAGED);
  CHECK_REFUSED(vitalwire_sync_state_generation(copy.state, copy.length, &generation, &error), &error, "state");
  copy.state[copy.length / 2] ^= 1;
  copy.state[6]++; /* the version */
  check_reason(client, params_of("user-7"), VITALWIRE_STATE_REASON_UNSUPPORTED_VERSION);
  copy.state[6]--;
  CHECK(vitalwire_error_state_reason(NULL) == VITALWIRE_STATE_REASON_NONE);
}

static void rejected_arguments(vitalwire_client *client) {
  vitalwire_sync_call *sync = NULL;
  vitalwire_sync_parts *parts = NULL;
  vitalwire_sync_part *part = NULL;
  vitalwire_error *error = NULL;
  vitalwire_sync_params *params = vitalwire_sync_params_new(str("user-7"), secret, sizeof secret - 1);
  CHECK_REFUSED(vitalwire_client_sync(client, params, NULL, NULL, &sync, &error), &error, "kinds");
  vitalwire_sync_params_add_kind(params, str("weather"));
  CHECK_REFUSED(vitalwire_client_sync(client, params, NULL, NULL, &sync, &error), &error, "kind");
  vitalwire_sync_params_free(params);
  params = vitalwire_sync_params_new(str("user-7"), secret, 15);
  CHECK_REFUSED(vitalwire_client_sync(client, params, NULL, NULL, &sync, &error), &error, "secret");
  vitalwire_sync_params_free(params);
  params = params_of("user-7");
  vitalwire_sync_params_set_look_back(params, 0);
  CHECK_REFUSED(vitalwire_client_sync(client, params, NULL, NULL, &sync, &error), &error, "look_back");
  vitalwire_sync_params_set_look_back(params, 1);
  vitalwire_sync_params_set_expect_account(params, str("person-2"));
  CHECK_OK(vitalwire_client_sync(client, params, NULL, NULL, &sync, &error), &error);
  CHECK_OK(vitalwire_sync_call_read(sync, &parts, &error), &error);
  CHECK(vitalwire_sync_parts_next(parts, &part, &error) == VITALWIRE_ERROR_INVALID_ARGUMENT);
  CHECK(vitalwire_str_equals(vitalwire_error_argument(error), "token"));
  CHECK(vitalwire_error_state_reason(error) == VITALWIRE_STATE_REASON_NONE);
  vitalwire_error_free(error);
  vitalwire_sync_parts_free(parts);
  vitalwire_sync_call_free(sync);
  vitalwire_sync_params_free(params);
}

/* Returns the first day of the statistics that a plan would request. */
static int first_planned(vitalwire_sync_params *params, vitalwire_client *client, uint64_t requests) {
  vitalwire_sync_call *sync = NULL;
  vitalwire_sync_plan *plan = NULL;
  vitalwire_error *error = NULL;
  vitalwire_date first = {0, 0, 0}, last = {0, 0, 0};
  CHECK_OK(vitalwire_client_sync(client, params, NULL, NULL, &sync, &error), &error);
  if (CHECK_OK(vitalwire_sync_call_plan(sync, &plan, &error), &error)) {
    CHECK(vitalwire_sync_plan_requests(plan) == requests && vitalwire_sync_plan_days_count(plan) == 2);
    const vitalwire_planned_days *days = vitalwire_sync_plan_days_at(plan, 0);
    CHECK(vitalwire_planned_days_kinds_count(days) == 1 && vitalwire_str_equals(vitalwire_planned_days_kinds_at(days, 0), "daily"));
    CHECK(vitalwire_planned_days_ranges_count(days) >= 1 && vitalwire_planned_days_ranges_at(days, 0, &first, &last));
    CHECK(vitalwire_planned_days_requests(days) >= 1);
  }
  vitalwire_sync_plan_free(plan);
  vitalwire_sync_call_free(sync);
  return first.day;
}

static void plans_and_events(vitalwire_client *client) {
  vitalwire_sync_params *params = params_of("user-7");
  vitalwire_sync_params_set_state(params, NULL, 0);
  /* The user's information, statistics and meals. */
  CHECK(first_planned(params, client, 3) == 18);
  vitalwire_sync_params_set_state(params, copy.state, copy.length);
  vitalwire_sync_params_set_look_back(params, 1);
  /* The days 2025-11-20 and 2025-11-21 are not over. The look-back has the day before them. */
  CHECK(first_planned(params, client, 3) == 19);
  const vitalwire_date day = {2025, 11, 18};
  vitalwire_sync_params *with_event = vitalwire_sync_params_clone(params);
  vitalwire_sync_params_add_event(with_event, str(VITALWIRE_RECORD_KIND_DAILY), day, day);
  vitalwire_sync_call *sync = NULL;
  vitalwire_sync_state *state = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_sync(client, with_event, NULL, NULL, &sync, &error), &error);
  if (CHECK_OK(vitalwire_sync_call_record_events(sync, &state, &error), &error)) {
    const vitalwire_bytes bytes = vitalwire_sync_state_bytes(state);
    uint64_t before = 0, after = 0;
    CHECK_OK(vitalwire_sync_state_generation(copy.state, copy.length, &before, &error), &error);
    CHECK_OK(vitalwire_sync_state_generation(bytes.data, bytes.length, &after, &error), &error);
    CHECK(after == before + 1);
    vitalwire_sync_params_set_state(params, bytes.data, bytes.length);
    CHECK(first_planned(params, client, 3) == 18);
  }
  vitalwire_sync_state_free(state);
  vitalwire_sync_call_free(sync);
  vitalwire_sync_params_free(with_event);
  vitalwire_sync_params_free(params);
}

/* A part that fails is left out. Its error follows the other parts. */
static void failed_part(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  add_response(responses, "get_user_info", "{\"application_user_id\":\"person-1\"}", 0);
  CHECK(vitalwire_mock_responses_add(responses, str("daily_statistics"), 404, NULL, 0, 0, NULL) == VITALWIRE_OK);
  add_response(responses, "list_nutrition_records", "[]", 0);
  vitalwire_client *client = client_with(responses);
  copy.length = 0;
  vitalwire_sync_params *params = params_of("user-7");
  vitalwire_sync_call *sync = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_sync(client, params, NULL, NULL, &sync, &error), &error);
  copy.parts = 0;
  CHECK(vitalwire_sync_call_each(sync, apply, NULL, NULL, NULL) == VITALWIRE_ERROR_NOT_FOUND && copy.parts > 0);
  vitalwire_sync_call_free(sync);
  vitalwire_sync_params_free(params);
  vitalwire_client_free(client);
}

void case_sync(void) {
  vitalwire_client *client = sandbox();
  vitalwire_error *error = NULL;
  copy.length = 0;
  CHECK(strcmp(run(client), "added daily day 18\nadded daily day 19\nadded daily day 20\n") == 0);
  CHECK(strcmp(run(client), "") == 0);
  upload(client);
  cancel_and_continue(client);
  CHECK(strcmp(run(client), "added nutrition meal 20\n") == 0);
  vitalwire_nutrition_record *record = NULL;
  vitalwire_nutrition_records_update_params *update = vitalwire_nutrition_records_update_params_new(str(copy.meal), 2);
  CHECK_OK(vitalwire_client_nutrition_records_update(client, update, NULL, NULL, &record, &error), &error);
  CHECK(strcmp(run(client), "changed nutrition meal 20\n") == 0);
  vitalwire_nutrition_records_delete_params *gone = vitalwire_nutrition_records_delete_params_new(str(copy.meal));
  CHECK_OK(vitalwire_client_nutrition_records_delete(client, gone, NULL, NULL, &error), &error);
  CHECK(strcmp(run(client), "removed nutrition meal 20\n") == 0);
  CHECK(strcmp(run(client), "") == 0);
  vitalwire_nutrition_record_free(record);
  vitalwire_nutrition_records_update_params_free(update);
  vitalwire_nutrition_records_delete_params_free(gone);
  rejected_states(client);
  rejected_arguments(client);
  plans_and_events(client);
  vitalwire_client_free(client);
  cancel_in_flight();
  failed_part();
}
