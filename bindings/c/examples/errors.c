/* Makes four calls that fail in different ways, and decides what to do about each. */
#include <stdio.h>
#include "vitalwire.h"

/* Prints advice for a failed call, and frees its error. */
static void advise(vitalwire_code code, vitalwire_error **owned) {
  const vitalwire_error *error = *owned;
  const vitalwire_problem_details *problem = vitalwire_error_problem(error);
  uint64_t delay_ms = 60000; /* without Retry-After, wait a minute; the client has retried if that was safe */
  printf("%d %.*s: ", (int)code, VITALWIRE_STR(vitalwire_error_kind(error)));
  if (vitalwire_error_may_have_taken_effect(error)) {
    printf("look for the record before you send it again\n");
  } else if (code == VITALWIRE_ERROR_NOT_FOUND) {
    printf("there is no such record\n");
  } else if (vitalwire_error_is_transient(error)) {
    vitalwire_error_retry_after_ms(error, &delay_ms);
    printf("try again in %d s\n", (int)(delay_ms / 1000));
  } else {
    printf("correct the request:");
    for (size_t i = 0; i < vitalwire_problem_details_errors_count(problem); i++)
      printf(" %.*s", VITALWIRE_STR(vitalwire_problem_item_location(vitalwire_problem_details_errors_at(problem, i))));
    printf("\n");
  }
  vitalwire_error_free(*owned);
  *owned = NULL;
}

/* Makes the sandbox play a failure. Other services ignore the header. */
static vitalwire_call_options *play(const char *fault) {
  vitalwire_call_options *options = vitalwire_call_options_new();
  vitalwire_call_options_add_header(options, vitalwire_str_from("x-sandbox-fault"), vitalwire_str_from(fault));
  return options;
}

int main(void) {
  const vitalwire_date first = {2025, 11, 14}, last = {2025, 11, 20};
  const char document[] = "Glucose 92 mg/dL";
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  vitalwire_sleep_record *night = NULL;
  vitalwire_daily_statistics *days = NULL;
  vitalwire_user_info *user = NULL;
  vitalwire_lab_report_response *report = NULL;
  if (vitalwire_client_from_env(&client, NULL) != VITALWIRE_OK) return 1;

  const vitalwire_str unknown = vitalwire_str_from("00000000-0000-4000-8000-000000000000");
  advise(vitalwire_client_sleeps_get_simple(client, unknown, &night, &error), &error);

  vitalwire_statistics_daily_params *week = vitalwire_statistics_daily_params_new(first, last);
  vitalwire_statistics_daily_params_add_types(week, vitalwire_str_from("sleepiness"));
  advise(vitalwire_client_statistics_daily(client, week, NULL, NULL, &days, &error), &error);
  vitalwire_statistics_daily_params_free(week);

  vitalwire_call_options *overloaded = play("status; status=503; retry_after=120");
  advise(vitalwire_client_user_info(client, overloaded, NULL, &user, &error), &error);
  vitalwire_call_options_free(overloaded);

  vitalwire_call_options *interrupted = play("reset_after");
  vitalwire_lab_reports_upload_params *upload =
      vitalwire_lab_reports_upload_params_new((const uint8_t *)document, sizeof document - 1, vitalwire_str_from("report.txt"));
  advise(vitalwire_client_lab_reports_upload(client, upload, interrupted, NULL, &report, &error), &error);
  vitalwire_lab_reports_upload_params_free(upload);
  vitalwire_call_options_free(interrupted);
  vitalwire_client_free(client);
  return 0;
}
