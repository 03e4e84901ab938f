/* The user data of observers of ranges and waits is freed once, however the call ends. */
#define _POSIX_C_SOURCE 200809L

#include "smoke.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

static const uint64_t soon_ms = 15000;

/* Number of calls of an observer and of its destructor. */
struct observed {
  atomic_int calls, ended;
};

static void on_part(void *data, const vitalwire_range_progress *progress) {
  CHECK(progress->total == 4);
  struct observed *observed = data;
  CHECK(observed->ended == 0);
  observed->calls++;
}

static void on_poll(void *data, const vitalwire_wait_progress *progress) {
  CHECK(progress->status.length > 0);
  struct observed *observed = data;
  CHECK(observed->ended == 0);
  observed->calls++;
}

static void count_destructor(void *data) { ((struct observed *)data)->ended++; }

/* Returns whether the user data is freed soon, and only once. */
static bool is_destroyed_once(struct observed *observed) {
  const struct timespec pause = {0, 10 * 1000 * 1000};
  const double start = now();
  while (observed->ended == 0 && now() - start < 15) nanosleep(&pause, NULL);
  nanosleep(&pause, NULL);
  return observed->ended == 1;
}

static const char no_days[] = "{\"from_date\":\"2025-11-01\",\"to_date\":\"2025-11-03\",\"statistics\":[]}";

/* Creates a range call over ten days in four parts. The response to the second part has this status and delay. */
static vitalwire_range_call *four_parts(vitalwire_client **client, uint16_t status, uint64_t delay_ms) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  const uint8_t *body = (const uint8_t *)no_days;
  add_response(responses, "daily_statistics", no_days, 0);
  CHECK(vitalwire_mock_responses_add(responses, str("daily_statistics"), status, body, strlen(no_days), delay_ms, NULL) == VITALWIRE_OK);
  *client = client_with(responses);
  const vitalwire_date first = {2025, 11, 1}, last = {2025, 11, 10};
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(first, last);
  vitalwire_statistics_daily_params_add_types(params, str("steps"));
  vitalwire_range_options *options = vitalwire_range_options_new();
  vitalwire_range_options_set_part_days(options, 3);
  vitalwire_range_options_set_concurrency(options, 1);
  vitalwire_range_call *range = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_statistics_daily_range(*client, params, options, NULL, NULL, &range, &error), &error);
  vitalwire_range_options_free(options);
  vitalwire_statistics_daily_params_free(params);
  return range;
}

/* Collects a range as one response or as one table. */
static vitalwire_code collect(vitalwire_range_call *range, bool table, vitalwire_range_observer observer, struct observed *observed, bool out) {
  vitalwire_merged_range *merged = NULL;
  vitalwire_table *rows = NULL;
  const vitalwire_str first = {NULL, 0};
  const vitalwire_code code = table ? vitalwire_range_call_table(range, first, observer, observed, count_destructor, out ? &rows : NULL, NULL)
                                    : vitalwire_range_call_collect(range, observer, observed, count_destructor, out ? &merged : NULL, NULL);
  vitalwire_merged_range_free(merged);
  vitalwire_table_free(rows);
  return code;
}

static vitalwire_call *start(vitalwire_range_call *range, bool table, vitalwire_range_observer observer, struct observed *observed) {
  vitalwire_call *call = NULL;
  vitalwire_error *error = NULL;
  const vitalwire_str first = {NULL, 0};
  CHECK_OK(table ? vitalwire_range_call_table_start(range, first, observer, observed, count_destructor, NULL, NULL, NULL, &call, &error)
                 : vitalwire_range_call_collect_start(range, observer, observed, count_destructor, NULL, NULL, NULL, &call, &error),
           &error);
  return call;
}

static void blocking(bool table) {
  for (int failed = 0; failed < 2; failed++) {
    vitalwire_client *client;
    struct observed observed = {0, 0}, refused = {0, 0}, none = {0, 0}, unknown = {0, 0};
    vitalwire_range_call *range = four_parts(&client, failed ? 404 : 200, 0);
    CHECK(collect(range, table, on_part, &observed, true) == (failed ? VITALWIRE_ERROR_NOT_FOUND : VITALWIRE_OK));
    CHECK(observed.calls == (failed ? 1 : 4) && observed.ended == 1);
    CHECK(collect(range, table, on_part, &refused, false) == VITALWIRE_ERROR_INVALID_ARGUMENT && refused.calls == 0 && refused.ended == 1);
    CHECK(collect(NULL, table, on_part, &unknown, true) == VITALWIRE_ERROR_INVALID_ARGUMENT && unknown.calls == 0 && unknown.ended == 1);
    CHECK(collect(range, table, NULL, &none, true) != VITALWIRE_ERROR_INVALID_ARGUMENT && none.calls == 0 && none.ended == 1);
    vitalwire_range_call_free(range);
    vitalwire_client_free(client);
  }
}

static void started(bool table) {
  /* Ranges that complete, and ranges that fail. */
  for (int failed = 0; failed < 2; failed++) {
    vitalwire_client *client;
    struct observed observed = {0, 0};
    vitalwire_range_call *range = four_parts(&client, failed ? 404 : 200, 0);
    vitalwire_call *call = start(range, table, on_part, &observed);
    vitalwire_range_call_free(range);
    CHECK(vitalwire_call_wait(call, soon_ms) && is_destroyed_once(&observed) && observed.calls == (failed ? 1 : 4));
    vitalwire_call_free(call);
    vitalwire_client_free(client);
  }
  /* Calls that are cancelled or freed while the second part is in flight, which takes a minute. */
  for (int freed = 0; freed < 2; freed++) {
    vitalwire_client *client;
    struct observed observed = {0, 0}, none = {0, 0}, refused = {0, 0};
    vitalwire_range_call *range = four_parts(&client, 200, 60000);
    vitalwire_call *call = start(range, table, on_part, &observed);
    const double begun = now();
    while (observed.calls == 0 && now() - begun < 15) CHECK(!vitalwire_call_wait(call, 1));
    CHECK(observed.calls == 1 && observed.ended == 0);
    if (!freed) {
      vitalwire_call_cancel(call);
      CHECK(vitalwire_call_wait(call, soon_ms) && is_destroyed_once(&observed));
    }
    vitalwire_call_free(call);
    CHECK(is_destroyed_once(&observed) && observed.calls == 1);
    call = start(range, table, NULL, &none);
    CHECK(none.ended == 1);
    vitalwire_call_free(call);
    vitalwire_error *error = NULL;
    const vitalwire_str first = {NULL, 0};
    if (table) {
      CHECK_REFUSED(vitalwire_range_call_table_start(range, first, on_part, &refused, count_destructor, NULL, NULL, NULL, NULL, &error), &error, "out");
    } else {
      CHECK_REFUSED(vitalwire_range_call_collect_start(range, on_part, &refused, count_destructor, NULL, NULL, NULL, NULL, &error), &error, "out");
    }
    CHECK(refused.ended == 1 && refused.calls == 0 && none.ended == 1);
    vitalwire_range_call_free(range);
    vitalwire_client_free(client);
  }
}

/* The options of a started wait are freed, changed and copied during the wait. */
static void waits(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  add_response(responses, "get_nutrition_record",
             "{\"record_id\":\"r-1\",\"status\":\"processing\",\"uploaded_at\":\"2025-11-21T12:00:00Z\","
             "\"modified_at\":\"2025-11-21T12:00:01Z\",\"consumed_at\":\"2025-11-21T12:00:00Z\"}",
             0);
  vitalwire_client *client = client_with(responses);
  vitalwire_nutrition_records_get_params *get = vitalwire_nutrition_records_get_params_new(str("r-1"));
  for (int replaced = 0; replaced < 2; replaced++) {
    struct observed observed = {0, 0}, none = {0, 0}, other = {0, 0};
    vitalwire_wait_options *wait = vitalwire_wait_options_new();
    vitalwire_wait_options_set_interval_ms(wait, 1, 1);
    vitalwire_wait_options_set_on_progress(wait, NULL, &none, count_destructor);
    CHECK(none.ended == 1);
    vitalwire_wait_options_set_on_progress(wait, on_poll, &observed, count_destructor);
    vitalwire_call *call = NULL;
    vitalwire_error *error = NULL;
    CHECK_OK(vitalwire_client_nutrition_records_wait_for_start(client, get, wait, NULL, NULL, NULL, NULL, NULL, &call, &error), &error);
    vitalwire_wait_options *copy = vitalwire_wait_options_clone(wait);
    if (replaced) {
      vitalwire_wait_options_set_on_progress(copy, on_poll, &other, count_destructor);
      vitalwire_wait_options_set_on_progress(wait, NULL, NULL, NULL);
    }
    vitalwire_wait_options_free(wait);
    vitalwire_wait_options_free(copy);
    CHECK(other.ended == replaced && other.calls == 0);
    const int before = observed.calls;
    const double begun = now();
    while (observed.calls < before + 3 && now() - begun < 15) CHECK(!vitalwire_call_wait(call, 1));
    CHECK(observed.calls >= before + 3 && observed.ended == 0);
    vitalwire_call_cancel(call);
    CHECK(vitalwire_call_wait(call, soon_ms) && is_destroyed_once(&observed));
    vitalwire_call_free(call);
    CHECK(is_destroyed_once(&observed) && none.ended == 1);
  }
  vitalwire_nutrition_records_get_params_free(get);
  vitalwire_client_free(client);
}

void case_observers(void) {
  for (int table = 0; table < 2; table++) {
    blocking(table);
    started(table);
  }
  waits();
}
