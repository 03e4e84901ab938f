/* Tests active_days with mock responses and against the sandbox. */
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "vitalwire.h"

/* The function under test: the number of days of a week with at least 8000 steps, or -1. */
static int active_days(const vitalwire_client *client, const vitalwire_call_options *options) {
  const vitalwire_date first = {2025, 11, 14}, last = {2025, 11, 20};
  vitalwire_daily_statistics *days = NULL;
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(first, last);
  vitalwire_statistics_daily_params_add_types(params, vitalwire_str_from("steps"));
  const vitalwire_code code = vitalwire_client_statistics_daily(client, params, options, NULL, &days, NULL);
  int count = code == VITALWIRE_OK ? 0 : -1;
  for (size_t i = 0; i < vitalwire_daily_statistics_statistics_count(days); i++) {
    double steps = 0;
    const vitalwire_daily_bucket *bucket = vitalwire_daily_statistics_statistics_at(days, i);
    vitalwire_statistics_values_steps(vitalwire_daily_bucket_values(bucket), &steps);
    count += steps >= 8000;
  }
  vitalwire_daily_statistics_free(days);
  vitalwire_statistics_daily_params_free(params);
  return count;
}

/* The first attempt fails, and the client retries without a delay. A day without steps is not active. */
static void test_with_mock_responses(void) {
  static const char body[] =
      "{\"from_date\":\"2025-11-14\",\"to_date\":\"2025-11-20\",\"statistics\":["
      "{\"date\":\"2025-11-14\",\"values\":{\"steps\":8000}},{\"date\":\"2025-11-15\",\"values\":{}}]}";
  const vitalwire_str operation = vitalwire_str_from("daily_statistics");
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  assert(vitalwire_mock_responses_add(responses, operation, 503, NULL, 0, 0, NULL) == VITALWIRE_OK);
  assert(vitalwire_mock_responses_add(responses, operation, 200, (const uint8_t *)body, strlen(body), 0, NULL) == VITALWIRE_OK);
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, responses);
  vitalwire_client *client = NULL;
  assert(vitalwire_client_builder_build(builder, &client, NULL) == VITALWIRE_OK);
  assert(active_days(client, NULL) == 1);
  vitalwire_client_free(client);
  vitalwire_client_builder_free(builder);
  vitalwire_mock_responses_free(responses);
}

/* Needs a sandbox: VITALWIRE_BASE_URL and VITALWIRE_TOKEN. The header plays a failure of the service. */
static void test_with_sandbox(void) {
  vitalwire_client *client = NULL;
  assert(vitalwire_client_from_env(&client, NULL) == VITALWIRE_OK);
  assert(active_days(client, NULL) == 2);
  vitalwire_call_options *options = vitalwire_call_options_new();
  vitalwire_call_options_add_header(options, vitalwire_str_from("x-sandbox-fault"), vitalwire_str_from("status; status=500"));
  vitalwire_call_options_set_max_retries(options, 0);
  assert(active_days(client, options) == -1);
  vitalwire_call_options_free(options);
  vitalwire_client_free(client);
}

int main(void) {
  test_with_mock_responses();
  test_with_sandbox();
  puts("2 tests passed");
  return 0;
}
