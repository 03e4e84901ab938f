/* Tests of waits, with mock responses. */
#include "smoke.h"

#include <string.h>

static const char uploaded[] = "{\"record_id\":\"r-1\",\"status\":\"pending\",\"uploaded_at\":\"2025-11-21T12:00:00Z\"}";
#define RECORD(status)                                                                                      \
  "{\"record_id\":\"r-1\",\"status\":\"" status "\",\"uploaded_at\":\"2025-11-21T12:00:00Z\","               \
  "\"modified_at\":\"2025-11-21T12:00:01Z\",\"consumed_at\":\"2025-11-21T12:00:00Z\"}"

/* Progress of a wait, and the action of its observer. */
struct observed {
  vitalwire_client *client;
  vitalwire_cancel_token *cancel;
  int report_count;
  uint32_t polls[4];
  vitalwire_code inner;
  int ended;
};

static void count_destructor(void *user_data) { ((struct observed *)user_data)->ended++; }

static void observe(void *user_data, const vitalwire_wait_progress *progress) {
  struct observed *observed = user_data;
  if (observed->report_count < 4) observed->polls[observed->report_count] = progress->polls;
  observed->report_count++;
  CHECK(vitalwire_str_equals(progress->record_id, "r-1") && progress->status.length > 0);
  vitalwire_user_info *user = NULL;
  observed->inner = vitalwire_client_user_info(observed->client, NULL, NULL, &user, NULL);
  if (progress->polls == 1) vitalwire_cancel_token_cancel(observed->cancel);
}

/* Client, parameters and options for a wait after an upload. */
static vitalwire_nutrition_records_upload_params *meal(void) {
  vitalwire_nutrition_records_upload_params *upload = vitalwire_nutrition_records_upload_params_new();
  vitalwire_nutrition_records_upload_params_set_body(upload, picture, sizeof picture);
  return upload;
}

void case_waits(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  add_response(responses, "upload_nutrition_record", uploaded, 0);
  add_response(responses, "get_nutrition_record", RECORD("processing"), 0);
  add_response(responses, "get_nutrition_record", RECORD("completed"), 0);
  struct observed observed;
  memset(&observed, 0, sizeof observed);
  observed.client = client_with(responses);
  vitalwire_nutrition_records_upload_params *upload = meal();
  vitalwire_wait_options *wait = vitalwire_wait_options_new();
  vitalwire_wait_options_set_interval_ms(wait, 1, 2);
  vitalwire_wait_options_set_on_progress(wait, observe, &observed, count_destructor);
  vitalwire_nutrition_record *record = NULL;
  vitalwire_error *error = NULL;
  if (CHECK_OK(vitalwire_client_nutrition_records_upload_and_wait(observed.client, upload, wait, NULL, NULL, &record, &error), &error)) {
    CHECK(vitalwire_str_equals(vitalwire_nutrition_record_status(record), VITALWIRE_NUTRITION_STATUS_COMPLETED));
    CHECK(observed.report_count == 3 && observed.polls[0] == 0 && observed.polls[1] == 1 && observed.polls[2] == 2);
    CHECK(observed.inner == VITALWIRE_ERROR_CONFIGURATION);
  }
  vitalwire_nutrition_record_free(record);
  record = NULL;
  /* Rejected arguments. */
  CHECK_REFUSED(vitalwire_client_nutrition_records_upload_and_wait(NULL, upload, wait, NULL, NULL, &record, &error), &error, "client");
  CHECK_REFUSED(vitalwire_client_nutrition_records_upload_and_wait(observed.client, upload, wait, NULL, NULL, NULL, &error), &error, "out");
  CHECK_REFUSED(vitalwire_client_nutrition_records_wait_for(observed.client, NULL, wait, NULL, NULL, &record, &error), &error, "params");
  vitalwire_wait_options_set_timeout_ms(NULL, 1);
  vitalwire_wait_options_set_interval_ms(NULL, 1, 1);
  vitalwire_wait_options_set_on_progress(NULL, observe, &observed, count_destructor);
  CHECK(observed.ended == 1);
  vitalwire_wait_options_free(NULL);
  CHECK(vitalwire_error_last_nutrition_record(NULL) == NULL);
  vitalwire_client_free(observed.client);

  /* The observer cancels the wait. The error has the record and its id. */
  responses = vitalwire_mock_responses_new();
  add_response(responses, "upload_nutrition_record", uploaded, 0);
  add_response(responses, "get_nutrition_record", RECORD("processing"), 0);
  memset(&observed, 0, sizeof observed);
  observed.client = client_with(responses);
  observed.cancel = vitalwire_cancel_token_new();
  const vitalwire_code code =
      vitalwire_client_nutrition_records_upload_and_wait(observed.client, upload, wait, NULL, observed.cancel, &record, &error);
  CHECK(code == VITALWIRE_ERROR_CANCELLED && record == NULL);
  CHECK(vitalwire_str_equals(vitalwire_error_record_id(error), "r-1") && vitalwire_error_may_have_taken_effect(error));
  CHECK(vitalwire_str_equals(vitalwire_nutrition_record_status(vitalwire_error_last_nutrition_record(error)), "processing"));
  CHECK(vitalwire_error_last_lab_report(error) == NULL);
  CHECK(!contains(vitalwire_error_message(error), "r-1"));
  vitalwire_error_free(error);
  error = NULL;
  /* A wait that times out, for an existing record. */
  vitalwire_wait_options_set_timeout_ms(wait, 500);
  vitalwire_wait_options_set_on_progress(wait, NULL, NULL, NULL);
  CHECK(observed.ended == 1);
  vitalwire_nutrition_records_get_params *get = vitalwire_nutrition_records_get_params_new(str("r-1"));
  CHECK(vitalwire_client_nutrition_records_wait_for(observed.client, get, wait, NULL, NULL, &record, &error) == VITALWIRE_ERROR_TIMEOUT);
  CHECK(vitalwire_error_last_nutrition_record(error) != NULL);
  vitalwire_error_free(error);
  vitalwire_nutrition_records_get_params_free(get);
  vitalwire_cancel_token_free(observed.cancel);
  vitalwire_wait_options_free(wait);
  vitalwire_nutrition_records_upload_params_free(upload);
  vitalwire_client_free(observed.client);
}

