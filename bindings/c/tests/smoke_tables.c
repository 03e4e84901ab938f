/* Tables, read as the documentation of the Arrow C data interface describes. */
#include "smoke.h"

#include <string.h>

static vitalwire_statistics_daily_params *days(void) {
  const vitalwire_date first = {2025, 11, 18}, last = {2025, 11, 20};
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(first, last);
  vitalwire_statistics_daily_params_add_types(params, str("steps"));
  return params;
}

/* Returns the index of a column; -1 if there is none. */
static int64_t column(const struct ArrowSchema *schema, const char *name) {
  for (int64_t at = 0; at < schema->n_children; at++) {
    if (strcmp(schema->children[at]->name, name) == 0) return at;
  }
  return -1;
}

/* Checks the table of three days. The last day has the steps of the sandbox. Dates are days since 1970. */
static void check_steps(const struct ArrowSchema *schema, const struct ArrowArray *array) {
  const int64_t date = column(schema, "date"), steps = column(schema, "steps");
  CHECK(strcmp(schema->format, "+s") == 0 && array->n_children == schema->n_children && array->length > 0);
  if (!CHECK(date >= 0 && steps >= 0)) return;
  CHECK(strcmp(schema->children[date]->format, "tdD") == 0 && strcmp(schema->children[steps]->format, "g") == 0);
  CHECK((schema->children[steps]->flags & ARROW_FLAG_NULLABLE) != 0);
  const struct ArrowArray *dates = array->children[date], *counts = array->children[steps];
  const int64_t last = array->length - 1;
  CHECK(dates->n_buffers == 2 && counts->n_buffers == 2 && dates->length == array->length);
  CHECK(((const int32_t *)dates->buffers[1])[dates->offset + last] == 20412);
  CHECK(((const double *)counts->buffers[1])[counts->offset + last] == 1267);
}

static vitalwire_table *read_table(vitalwire_client *client) {
  vitalwire_statistics_daily_params *params = days();
  vitalwire_table *table = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_statistics_daily_table(client, params, str(VITALWIRE_TABLE_DAILY_STATISTICS), NULL, NULL, &table, &error), &error);
  vitalwire_statistics_daily_params_free(params);
  return table;
}

static void exports(vitalwire_client *client) {
  vitalwire_table *table = read_table(client);
  vitalwire_error *error = NULL;
  CHECK(vitalwire_str_equals(vitalwire_table_name(table), VITALWIRE_TABLE_DAILY_STATISTICS) && vitalwire_table_rows_count(table) > 0);
  CHECK(vitalwire_table_skipped_count(table) == 0 && vitalwire_table_resume_token(table).data == NULL);
  struct ArrowArrayStream stream;
  struct ArrowArray array, again;
  struct ArrowSchema schema, other;
  CHECK_OK(vitalwire_table_stream(table, &stream, &error), &error);
  CHECK_OK(vitalwire_table_array(table, &array, &schema, &error), &error);
  const size_t rows = vitalwire_table_rows_count(table);
  /* An exported table stays valid after its handle is freed. */
  vitalwire_table_free(table);
  check_steps(&schema, &array);
  CHECK((size_t)array.length == rows);
  CHECK(stream.get_schema(&stream, &other) == 0 && other.n_children == schema.n_children);
  CHECK(stream.get_next(&stream, &again) == 0 && again.release != NULL);
  stream.release(&stream);
  check_steps(&other, &again);
  /* The array and the stream share memory. */
  const int64_t steps = column(&schema, "steps");
  CHECK(array.children[steps]->buffers[1] == again.children[steps]->buffers[1]);
  again.release(&again);
  other.release(&other);
  array.release(&array);
  schema.release(&schema);
}

static void started(vitalwire_client *client) {
  vitalwire_statistics_daily_params *params = days();
  vitalwire_call *call = NULL;
  vitalwire_table *table = NULL;
  vitalwire_daily_statistics *records = NULL;
  vitalwire_error *error = NULL;
  const vitalwire_str first = {NULL, 0};
  CHECK_OK(vitalwire_client_statistics_daily_table_start(client, params, first, NULL, NULL, NULL, NULL, NULL, &call, &error), &error);
  CHECK(vitalwire_call_wait(call, 15000));
  CHECK_REFUSED(vitalwire_client_statistics_daily_finish(call, &records, &error), &error, "call");
  CHECK_OK(vitalwire_client_statistics_daily_table_finish(call, &table, &error), &error);
  CHECK(vitalwire_table_rows_count(table) > 0);
  vitalwire_table_free(table);
  vitalwire_call_free(call);
  /* Without include_stages, a call for the table of stages is rejected. */
  vitalwire_sleeps_get_params *night = vitalwire_sleeps_get_params_new(str(setting("VITALWIRE_SLEEP_ID")));
  vitalwire_sleeps_get_params_set_include_stages(night, false);
  table = NULL;
  CHECK(vitalwire_client_sleeps_get_table(client, night, str(VITALWIRE_TABLE_SLEEP_STAGES), NULL, NULL, &table, &error) ==
        VITALWIRE_ERROR_INVALID_ARGUMENT);
  CHECK(table == NULL);
  vitalwire_error_free(error);
  error = NULL;
  vitalwire_sleeps_get_params_set_include_stages(night, true);
  CHECK_OK(vitalwire_client_sleeps_get_table(client, night, str(VITALWIRE_TABLE_SLEEP_STAGES), NULL, NULL, &table, &error), &error);
  CHECK(vitalwire_table_rows_count(table) > 3);
  vitalwire_table_free(table);
  vitalwire_sleeps_get_params_free(night);
  CHECK_REFUSED(vitalwire_client_statistics_daily_table(client, params, str(VITALWIRE_TABLE_LAB_RESULTS), NULL, NULL, &table, &error), &error,
                "table");
  CHECK_REFUSED(vitalwire_client_statistics_daily_table(client, params, str("no_table"), NULL, NULL, &table, &error), &error, "table");
  CHECK_REFUSED(vitalwire_client_statistics_daily_table(client, params, (vitalwire_str){"\xff", 1}, NULL, NULL, &table, &error), &error, "table");
  CHECK_REFUSED(vitalwire_client_statistics_daily_table(client, params, first, NULL, NULL, NULL, &error), &error, "out");
  vitalwire_statistics_daily_params_free(params);
}

static void record_progress(void *data, const vitalwire_range_progress *progress) { *(uint32_t *)data = progress->done; }

/* Reads a range into a table, without blocking. */
static vitalwire_table *merged_started(vitalwire_range_call *range) {
  const vitalwire_str first = {NULL, 0};
  vitalwire_call *call = NULL;
  vitalwire_table *table = NULL;
  vitalwire_merged_range *records = NULL;
  vitalwire_error *error = NULL;
  uint32_t done = 0;
  CHECK_REFUSED(vitalwire_range_call_table_start(range, str("no_table"), NULL, NULL, NULL, NULL, NULL, NULL, &call, &error), &error, "table");
  CHECK_REFUSED(vitalwire_range_call_table_start(NULL, first, NULL, NULL, NULL, NULL, NULL, NULL, &call, &error), &error, "range");
  CHECK_REFUSED(vitalwire_range_call_table_start(range, first, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &error), &error, "out");
  CHECK_OK(vitalwire_range_call_table_start(range, first, record_progress, &done, NULL, NULL, NULL, NULL, &call, &error), &error);
  CHECK(vitalwire_call_wait(call, 15000) && done == 3);
  CHECK_REFUSED(vitalwire_range_call_collect_finish(call, &records, &error), &error, "call");
  CHECK_REFUSED(vitalwire_range_call_table_finish(NULL, &table, &error), &error, "call");
  CHECK_OK(vitalwire_range_call_table_finish(call, &table, &error), &error);
  CHECK(vitalwire_str_equals(vitalwire_table_name(table), VITALWIRE_TABLE_DAILY_STATISTICS));
  vitalwire_call_free(call);
  return table;
}

/* Reads the parts of a range into one table. */
static void merged(vitalwire_client *client) {
  vitalwire_statistics_daily_params *params = days();
  vitalwire_range_options *options = vitalwire_range_options_new();
  vitalwire_range_options_set_part_days(options, 1);
  vitalwire_range_call *range = NULL;
  vitalwire_table *table = NULL, *whole = read_table(client);
  vitalwire_error *error = NULL;
  uint32_t done = 0;
  CHECK_OK(vitalwire_client_statistics_daily_range(client, params, options, NULL, NULL, &range, &error), &error);
  CHECK_OK(vitalwire_range_call_table(range, str(VITALWIRE_TABLE_DAILY_STATISTICS), record_progress, &done, NULL, &table, &error), &error);
  CHECK(done == 3 && vitalwire_table_rows_count(table) == vitalwire_table_rows_count(whole));
  struct ArrowArray array;
  struct ArrowSchema schema;
  CHECK_OK(vitalwire_table_array(table, &array, &schema, &error), &error);
  check_steps(&schema, &array);
  array.release(&array);
  schema.release(&schema);
  vitalwire_table_free(table);
  table = merged_started(range);
  CHECK(vitalwire_table_rows_count(table) == vitalwire_table_rows_count(whole));
  CHECK_REFUSED(vitalwire_range_call_table(range, str("no_table"), NULL, NULL, NULL, &table, &error), &error, "table");
  CHECK_REFUSED(vitalwire_range_call_table(NULL, str("no_table"), NULL, NULL, NULL, &table, &error), &error, "range");
  CHECK_REFUSED(vitalwire_range_call_table(range, str("no_table"), NULL, NULL, NULL, NULL, &error), &error, "out");
  vitalwire_table_free(table);
  vitalwire_table_free(whole);
  vitalwire_range_call_free(range);
  vitalwire_range_options_free(options);
  vitalwire_statistics_daily_params_free(params);

  /* A failed part is missing, and the resume token covers it. The error has the rows of the other parts. */
  static const char one_day[] =
      "{\"from_date\":\"2025-11-01\",\"to_date\":\"2025-11-01\",\"statistics\":[{\"date\":\"2025-11-01\",\"values\":{\"steps\":100}}]}";
  static const char none[] = "{\"from_date\":\"2025-11-01\",\"to_date\":\"2025-11-03\",\"statistics\":[]}";
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  add_response(responses, "daily_statistics", one_day, 0);
  CHECK(vitalwire_mock_responses_add(responses, str("daily_statistics"), 404, NULL, 0, 0, NULL) == VITALWIRE_OK);
  vitalwire_client *failing = client_with(responses);
  params = days();
  options = vitalwire_range_options_new();
  vitalwire_range_options_set_part_days(options, 1);
  vitalwire_range_options_set_concurrency(options, 1);
  CHECK_OK(vitalwire_client_statistics_daily_range(failing, params, options, NULL, NULL, &range, &error), &error);
  table = NULL;
  CHECK(vitalwire_range_call_table(range, (vitalwire_str){NULL, 0}, NULL, NULL, NULL, &table, &error) == VITALWIRE_ERROR_NOT_FOUND && table == NULL);
  CHECK(vitalwire_error_resume_token(error).length > 0 && vitalwire_error_partial_result(error) == NULL);
  table = vitalwire_error_partial_table(error);
  vitalwire_error_free(error);
  error = NULL;
  CHECK(vitalwire_table_rows_count(table) == 1 && vitalwire_table_resume_token(table).length > 0);
  vitalwire_table_free(table);
  CHECK(vitalwire_error_partial_table(NULL) == NULL);
  vitalwire_range_call_free(range);
  vitalwire_client_free(failing);
  responses = vitalwire_mock_responses_new();
  add_response(responses, "daily_statistics", none, 0);
  CHECK(vitalwire_mock_responses_add(responses, str("daily_statistics"), 404, NULL, 0, 0, NULL) == VITALWIRE_OK);
  failing = client_with(responses);
  vitalwire_range_options_set_collect_failures(options, true);
  CHECK_OK(vitalwire_client_statistics_daily_range(failing, params, options, NULL, NULL, &range, &error), &error);
  CHECK_OK(vitalwire_range_call_table(range, (vitalwire_str){NULL, 0}, NULL, NULL, NULL, &table, &error), &error);
  CHECK(vitalwire_table_rows_count(table) == 0 && vitalwire_table_resume_token(table).length > 0);
  vitalwire_table_free(table);
  vitalwire_range_call_free(range);
  vitalwire_range_options_free(options);
  vitalwire_statistics_daily_params_free(params);
  vitalwire_client_free(failing);
}

/* The response has a day that is null, and steps that are text: one skipped item and one skipped value. */
static void skipped(void) {
  static const char body[] =
      "{\"from_date\":\"2025-11-18\",\"to_date\":\"2025-11-20\",\"statistics\":["
      "{\"date\":\"2025-11-18\",\"values\":{\"steps\":100}},null,{\"date\":\"2025-11-20\",\"values\":{\"steps\":\"canary\"}}]}";
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  add_response(responses, "daily_statistics", body, 0);
  vitalwire_client *client = client_with(responses);
  vitalwire_table *table = read_table(client);
  vitalwire_client_free(client);
  CHECK(vitalwire_table_rows_count(table) == 2 && vitalwire_table_skipped_count(table) == 2);
  vitalwire_skipped_values values;
  CHECK(vitalwire_table_skipped_at(table, 0, &values) && values.count == 1);
  CHECK(vitalwire_str_equals(values.column, "statistics") && vitalwire_str_equals(values.reason, "expected an object"));
  CHECK(vitalwire_table_skipped_at(table, 1, &values) && values.count == 1);
  CHECK(vitalwire_str_equals(values.column, "steps") && vitalwire_str_equals(values.reason, "expected a number"));
  CHECK(!vitalwire_table_skipped_at(table, 2, &values));
  CHECK(vitalwire_table_skipped_count(NULL) == 0 && !vitalwire_table_skipped_at(NULL, 0, &values));
  vitalwire_table_free(table);
}

void case_tables(void) {
  vitalwire_client *client = sandbox();
  skipped();
  exports(client);
  started(client);
  merged(client);
  struct ArrowArrayStream stream;
  struct ArrowArray array;
  vitalwire_error *error = NULL;
  CHECK_REFUSED(vitalwire_table_stream(NULL, &stream, &error), &error, "of");
  CHECK_REFUSED(vitalwire_table_array(NULL, &array, NULL, &error), &error, "of");
  CHECK(vitalwire_table_name(NULL).data == NULL && vitalwire_table_rows_count(NULL) == 0);
  vitalwire_table_free(NULL);
  vitalwire_client_free(client);
}
