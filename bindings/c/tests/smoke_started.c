/* Tests of started calls: waiting, taking the result, and freeing a call before it ends. */
#define _POSIX_C_SOURCE 200809L

#include "smoke.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const uint64_t soon_ms = 15000;

/* Starts a call for user information, without a completion. */
static vitalwire_call *user_info(vitalwire_client *client, const vitalwire_call_options *options, const vitalwire_cancel_token *cancel) {
  vitalwire_call *call = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_user_info_start(client, options, cancel, NULL, NULL, NULL, &call, &error), &error);
  return call;
}

static bool returns_person(vitalwire_call *call) {
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  const bool there = CHECK_OK(vitalwire_client_user_info_finish(call, &user, &error), &error);
  const bool right = there && vitalwire_str_equals(vitalwire_user_info_application_user_id(user), "person-1");
  vitalwire_user_info_free(user);
  return right;
}

static void *start_often(void *data) {
  vitalwire_client *client = data;
  enum { CALLS = 10 };
  vitalwire_call *calls[CALLS];
  int right = 0;
  for (int i = 0; i < CALLS; i++) calls[i] = user_info(client, NULL, NULL);
  for (int i = 0; i < CALLS; i++) {
    right += vitalwire_call_wait(calls[i], soon_ms) && returns_person(calls[i]);
    vitalwire_call_free(calls[i]);
  }
  return right == CALLS ? client : NULL;
}

void case_started(void) {
  vitalwire_client *client = sandbox();
  vitalwire_response_metadata *metadata = vitalwire_response_metadata_new();
  vitalwire_call_options *options = vitalwire_call_options_new();
  vitalwire_call_options_set_response_metadata(options, metadata);
  vitalwire_call *call = user_info(client, options, NULL);
  CHECK(vitalwire_call_wait(call, soon_ms) && vitalwire_call_wait(call, 0) && returns_person(call));
  vitalwire_response response;
  CHECK(vitalwire_response_metadata_read(metadata, &response) && response.status == 200 && response.attempts == 1);
  /* The result can be taken only once. */
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  CHECK_REFUSED(vitalwire_client_user_info_finish(call, &user, &error), &error, "call");
  vitalwire_call_free(call);
  vitalwire_call_options_free(options);
  vitalwire_response_metadata_free(metadata);

  /* The `_finish` function of another call is rejected, and the result stays available. */
  call = user_info(client, NULL, NULL);
  CHECK(vitalwire_call_wait(call, UINT64_MAX));
  vitalwire_sleep_record *night = NULL;
  CHECK_REFUSED(vitalwire_client_sleeps_get_finish(call, &night, &error), &error, "call");
  CHECK_REFUSED(vitalwire_client_user_info_finish(call, NULL, &error), &error, "out");
  CHECK(user == NULL && night == NULL && returns_person(call));
  vitalwire_call_free(call);

  /* The error equals that of a blocking call. */
  static const char id[] = "5ca1ab1e-0000-4000-8000-000000000000";
  vitalwire_sleeps_get_params *params = vitalwire_sleeps_get_params_new(str(id));
  CHECK_OK(vitalwire_client_sleeps_get_start(client, params, NULL, NULL, NULL, NULL, NULL, &call, &error), &error);
  /* The parameters may be freed after the start, because they were copied. */
  vitalwire_sleeps_get_params_free(params);
  CHECK(vitalwire_call_wait(call, soon_ms) && vitalwire_client_sleeps_get_finish(call, &night, &error) == VITALWIRE_ERROR_NOT_FOUND);
  CHECK(vitalwire_str_equals(vitalwire_error_operation(error), "get_sleep") && vitalwire_error_attempts(error) == 1);
  CHECK(night == NULL && !contains(vitalwire_error_message(error), id));
  vitalwire_error_free(error);
  error = NULL;
  vitalwire_call_free(call);

  /* An error of the core is returned by `_finish`. */
  params = vitalwire_sleeps_get_params_new(str(".."));
  CHECK_OK(vitalwire_client_sleeps_get_start(client, params, NULL, NULL, NULL, NULL, NULL, &call, &error), &error);
  CHECK(vitalwire_call_wait(call, soon_ms));
  CHECK_REFUSED(vitalwire_client_sleeps_get_finish(call, &night, &error), &error, "sleep_id");
  vitalwire_call_free(call);
  vitalwire_sleeps_get_params_free(params);

  pthread_t threads[2];
  for (size_t i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, start_often, client) == 0);
  for (size_t i = 0; i < 2; i++) {
    void *result = NULL;
    CHECK(pthread_join(threads[i], &result) == 0 && result == client);
  }
  vitalwire_client_free(client);
}

/* Number of calls of a completion that must not run, and of its destructor. */
struct counters {
  int completed, ended;
};

static void completed(void *data, vitalwire_call *call) {
  (void)call;
  ((struct counters *)data)->completed++;
}

static void count_destructor(void *data) { ((struct counters *)data)->ended++; }

static void cancelled(vitalwire_call *call, uint32_t attempts) {
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  CHECK(vitalwire_client_user_info_finish(call, &user, &error) == VITALWIRE_ERROR_CANCELLED && user == NULL);
  CHECK(vitalwire_error_attempts(error) == attempts && vitalwire_str_equals(vitalwire_error_operation(error), "get_user_info"));
  CHECK(!vitalwire_error_may_have_taken_effect(error));
  vitalwire_error_free(error);
}

static void count_progress(void *data, const vitalwire_wait_progress *progress) {
  CHECK(vitalwire_str_equals(progress->record_id, "r-1"));
  atomic_fetch_add((atomic_int *)data, 1);
}

/* The observer of a wait is called until the call is freed. */
static void observed_waits(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  add_response(responses, "upload_nutrition_record",
             "{\"record_id\":\"r-1\",\"status\":\"pending\",\"uploaded_at\":\"2025-11-21T12:00:00Z\"}", 0);
  add_response(responses, "get_nutrition_record",
             "{\"record_id\":\"r-1\",\"status\":\"processing\",\"uploaded_at\":\"2025-11-21T12:00:00Z\","
             "\"modified_at\":\"2025-11-21T12:00:01Z\",\"consumed_at\":\"2025-11-21T12:00:00Z\"}", 0);
  vitalwire_client *client = client_with(responses);
  vitalwire_nutrition_records_upload_params *upload = vitalwire_nutrition_records_upload_params_new();
  vitalwire_nutrition_records_upload_params_set_body(upload, picture, sizeof picture);
  vitalwire_wait_options *wait = vitalwire_wait_options_new();
  vitalwire_wait_options_set_interval_ms(wait, 1, 1);
  atomic_int report_count = 0;
  vitalwire_wait_options_set_on_progress(wait, count_progress, &report_count, NULL);
  vitalwire_call *call = NULL;
  vitalwire_nutrition_record *record = NULL;
  vitalwire_error *error = NULL;
  for (int cancelled = 0; cancelled < 2; cancelled++) {
    CHECK_OK(vitalwire_client_nutrition_records_upload_and_wait_start(client, upload, wait, NULL, NULL, NULL, NULL, NULL, &call, &error),
             &error);
    const double start = now();
    const int before = atomic_load(&report_count);
    while (atomic_load(&report_count) < before + 3 && now() - start < 15) CHECK(!vitalwire_call_wait(call, 1));
    if (cancelled) {
      vitalwire_call_cancel(call);
      CHECK(vitalwire_call_wait(call, soon_ms));
      CHECK(vitalwire_client_nutrition_records_upload_and_wait_finish(call, &record, &error) == VITALWIRE_ERROR_CANCELLED && record == NULL);
      CHECK(vitalwire_str_equals(vitalwire_error_record_id(error), "r-1") && vitalwire_error_last_nutrition_record(error) != NULL);
      vitalwire_error_free(error);
    }
    vitalwire_call_free(call);
    const int after = atomic_load(&report_count);
    CHECK(after >= before + 3);
    const struct timespec soon = {0, 20 * 1000 * 1000};
    nanosleep(&soon, NULL);
    CHECK(atomic_load(&report_count) == after);
  }
  vitalwire_wait_options_free(wait);
  vitalwire_nutrition_records_upload_params_free(upload);
  vitalwire_client_free(client);
}

void case_freed_early(void) {
  observed_waits();
  int server;
  vitalwire_client *client = silent_client(&server);
  vitalwire_call *call = user_info(client, NULL, NULL);
  int connection = requested(server);
  /* The call has not ended, and vitalwire_call_wait times out. */
  const double start = now();
  CHECK(!vitalwire_call_wait(call, 0) && !vitalwire_call_wait(call, 50));
  CHECK(now() - start >= 0.05 && now() - start < 15);
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  CHECK_REFUSED(vitalwire_client_user_info_finish(call, &user, &error), &error, "call");
  vitalwire_call_cancel(call);
  vitalwire_call_cancel(call);
  CHECK(vitalwire_call_wait(call, soon_ms));
  cancelled(call, 1);
  CHECK(closed(connection));
  vitalwire_call_free(call);

  /* A cancel token cancels the call. A later call with the cancelled token sends nothing. */
  vitalwire_cancel_token *cancel = vitalwire_cancel_token_new();
  vitalwire_call *other = user_info(client, NULL, NULL);
  const int kept = requested(server);
  call = user_info(client, NULL, cancel);
  connection = requested(server);
  vitalwire_cancel_token_cancel(cancel);
  CHECK(vitalwire_call_wait(call, soon_ms) && !vitalwire_call_wait(other, 0));
  cancelled(call, 1);
  vitalwire_call_free(call);
  CHECK(closed(connection));
  call = user_info(client, NULL, cancel);
  CHECK(vitalwire_call_wait(call, soon_ms));
  cancelled(call, 0);
  vitalwire_call_free(call);
  vitalwire_cancel_token_free(cancel);

  /* Freeing a call cancels it. Its destructor is called, but not its completion. */
  vitalwire_call_free(other);
  CHECK(closed(kept));
  struct counters counters = {0, 0};
  CHECK_OK(vitalwire_client_user_info_start(client, NULL, NULL, completed, &counters, count_destructor, &call, &error), &error);
  connection = requested(server);
  vitalwire_call_free(call);
  CHECK(counters.completed == 0 && counters.ended == 1 && closed(connection));
  /* The destructor is also called if a call is rejected or has no completion. */
  CHECK_REFUSED(vitalwire_client_user_info_start(NULL, NULL, NULL, completed, &counters, count_destructor, &call, &error), &error, "client");
  CHECK(counters.completed == 0 && counters.ended == 2);
  CHECK_OK(vitalwire_client_user_info_start(client, NULL, NULL, NULL, &counters, count_destructor, &call, &error), &error);
  CHECK(counters.ended == 3);
  connection = requested(server);
  vitalwire_call_free(call);
  CHECK(closed(connection));

  /* The error reports that the request may have taken effect. */
  vitalwire_nutrition_records_upload_params *upload = vitalwire_nutrition_records_upload_params_new();
  vitalwire_nutrition_records_upload_params_set_body_url(upload, str("https://pictures.example/1.jpeg"));
  CHECK_OK(vitalwire_client_nutrition_records_upload_start(client, upload, NULL, NULL, NULL, NULL, NULL, &call, &error), &error);
  vitalwire_nutrition_records_upload_params_free(upload);
  connection = requested(server);
  vitalwire_call_cancel(call);
  vitalwire_nutrition_upload_response *meal = NULL;
  CHECK(vitalwire_call_wait(call, soon_ms));
  CHECK(vitalwire_client_nutrition_records_upload_finish(call, &meal, &error) == VITALWIRE_ERROR_CANCELLED && meal == NULL);
  CHECK(vitalwire_error_may_have_taken_effect(error) && vitalwire_error_attempts(error) == 1);
  vitalwire_error_free(error);
  vitalwire_call_free(call);
  close(connection);
  close(server);
  vitalwire_client_free(client);

  /* A completed call keeps its result when it is cancelled later. */
  client = sandbox();
  call = user_info(client, NULL, NULL);
  CHECK(vitalwire_call_wait(call, soon_ms));
  vitalwire_call_cancel(call);
  CHECK(returns_person(call));
  vitalwire_call_free(call);
  vitalwire_call_free(NULL);
  vitalwire_call_cancel(NULL);
  CHECK(!vitalwire_call_wait(NULL, UINT64_MAX));
  vitalwire_client_free(client);
}
