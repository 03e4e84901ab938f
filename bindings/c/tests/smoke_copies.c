/* Copies of parameters and options: changing the copy does not change the original, and vice versa. */
#include "smoke.h"

#include <string.h>

static const char no_days[] = "{\"from_date\":\"2025-11-01\",\"to_date\":\"2025-11-03\",\"statistics\":[]}";

/* Returns the number of requests so far with these statistic types. */
static int count_requests(const vitalwire_mock_responses *responses, const char *types) {
  vitalwire_json *json = vitalwire_mock_responses_requests(responses);
  const vitalwire_str text = vitalwire_json_text(json);
  int count = 0;
  for (size_t at = 0; at + strlen(types) <= text.length; at++) count += memcmp(text.data + at, types, strlen(types)) == 0;
  vitalwire_json_free(json);
  return count;
}

static void params(const vitalwire_mock_responses *responses, vitalwire_client *client) {
  const vitalwire_date day = {2025, 11, 1};
  vitalwire_statistics_daily_params *one = vitalwire_statistics_daily_params_new(day, day);
  vitalwire_statistics_daily_params_add_types(one, str("steps"));
  vitalwire_statistics_daily_params *other = vitalwire_statistics_daily_params_clone(one);
  CHECK(other != NULL && other != one && vitalwire_statistics_daily_params_clone(NULL) == NULL);
  vitalwire_statistics_daily_params_add_types(other, str("weight"));
  vitalwire_daily_statistics *days = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_statistics_daily(client, one, NULL, NULL, &days, &error), &error);
  vitalwire_daily_statistics_free(days);
  CHECK(count_requests(responses, "steps") == 1 && count_requests(responses, "weight") == 0);
  vitalwire_statistics_daily_params_free(one);
  CHECK_OK(vitalwire_client_statistics_daily(client, other, NULL, NULL, &days, &error), &error);
  vitalwire_daily_statistics_free(days);
  CHECK(count_requests(responses, "steps") == 2 && count_requests(responses, "weight") == 1);
  vitalwire_statistics_daily_params_free(other);
  /* A copy also keeps the rejected argument. */
  vitalwire_sleeps_get_params *refused = vitalwire_sleeps_get_params_new((vitalwire_str){"\xff", 1});
  vitalwire_sleeps_get_params *copy = vitalwire_sleeps_get_params_clone(refused);
  vitalwire_sleep_record *night = NULL;
  vitalwire_sleeps_get_params_free(refused);
  CHECK_REFUSED(vitalwire_client_sleeps_get(client, copy, NULL, NULL, &night, &error), &error, "sleep_id");
  vitalwire_sleeps_get_params_free(copy);
}

static void call_options(vitalwire_client *client) {
  vitalwire_call_options *one = vitalwire_call_options_new();
  vitalwire_call_options *other = vitalwire_call_options_clone(one);
  CHECK(other != NULL && vitalwire_call_options_clone(NULL) == NULL);
  vitalwire_call_options_set_timeout_ms(other, 1);
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_user_info(client, one, NULL, &user, &error), &error);
  vitalwire_user_info_free(user);
  vitalwire_call_options_free(one);
  CHECK(vitalwire_client_user_info(client, other, NULL, &user, NULL) == VITALWIRE_ERROR_TIMEOUT);
  vitalwire_call_options_free(other);
}

/* Returns the number of parts into which these options split ten days. */
static uint32_t count_parts(vitalwire_client *client, const vitalwire_range_options *options) {
  const vitalwire_date first = {2025, 11, 1}, last = {2025, 11, 10};
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(first, last);
  vitalwire_statistics_daily_params_add_types(params, str("steps"));
  vitalwire_range_call *range = NULL;
  vitalwire_range_parts *reading = NULL;
  vitalwire_range_progress progress = {0, 0, 0};
  CHECK(vitalwire_client_statistics_daily_range(client, params, options, NULL, NULL, &range, NULL) == VITALWIRE_OK);
  CHECK(vitalwire_range_call_read(range, &reading, NULL) == VITALWIRE_OK && vitalwire_range_parts_progress(reading, &progress));
  vitalwire_range_parts_free(reading);
  vitalwire_range_call_free(range);
  vitalwire_statistics_daily_params_free(params);
  return progress.total;
}

static void range_options(vitalwire_client *client) {
  vitalwire_range_options *one = vitalwire_range_options_new();
  vitalwire_range_options_set_part_days(one, 5);
  vitalwire_range_options *other = vitalwire_range_options_clone(one);
  CHECK(other != NULL && vitalwire_range_options_clone(NULL) == NULL && vitalwire_wait_options_clone(NULL) == NULL);
  vitalwire_range_options_set_part_days(one, 2);
  CHECK(count_parts(client, one) == 5 && count_parts(client, other) == 2);
  vitalwire_range_options_free(one);
  CHECK(count_parts(client, other) == 2);
  vitalwire_range_options_free(other);
}

void case_copies(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  add_response(responses, "daily_statistics", no_days, 0);
  add_response(responses, "get_user_info", "{\"uid\":\"u-1\"}", 200);
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, responses);
  vitalwire_client *client = NULL;
  CHECK(vitalwire_client_builder_build(builder, &client, NULL) == VITALWIRE_OK);
  vitalwire_client_builder_free(builder);
  params(responses, client);
  call_options(client);
  range_options(client);
  vitalwire_client_free(client);
  vitalwire_mock_responses_free(responses);
}
