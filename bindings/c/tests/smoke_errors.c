/* Calls that fail locally or at the service. The texts of their errors must not contain private values. */
#include "smoke.h"

#include <string.h>

void case_not_found(void) {
  static const char id[] = "5ca1ab1e-0000-4000-8000-000000000000";
  vitalwire_client *client = sandbox();
  vitalwire_error *error = NULL;
  /* A failed call must not change its output. */
  vitalwire_sleep_record *const none = NULL;
  vitalwire_sleep_record *night = none;
  vitalwire_sleeps_get_params *params = vitalwire_sleeps_get_params_new(str(id));
  const vitalwire_code code = vitalwire_client_sleeps_get(client, params, NULL, NULL, &night, &error);
  CHECK(code == VITALWIRE_ERROR_NOT_FOUND && code == 1201 && vitalwire_error_code(error) == code && night == none);
  CHECK(vitalwire_str_equals(vitalwire_error_kind(error), "not_found"));
  uint16_t status = 0;
  CHECK(vitalwire_error_status(error, &status) && status == 404);
  CHECK(vitalwire_error_attempts(error) == 1 && !vitalwire_error_is_transient(error));
  CHECK(vitalwire_str_equals(vitalwire_error_operation(error), "get_sleep"));
  CHECK(contains(vitalwire_error_path_template(error), "{sleep_id}"));
  /* The message has the path template, not the id. */
  const vitalwire_str message = vitalwire_error_message(error);
  CHECK(contains(message, "404") && contains(message, "{sleep_id}") && !contains(message, id));
  const vitalwire_problem_details *problem = vitalwire_error_problem(error);
  int64_t repeated = 0;
  CHECK(problem != NULL && vitalwire_problem_details_status(problem, &repeated) && repeated == 404);
  CHECK(!vitalwire_error_retry_after_ms(error, NULL));
  vitalwire_error_free(error);
  vitalwire_sleeps_get_params_free(params);
  vitalwire_client_free(client);
}

static void refuse_nulls(vitalwire_client *client) {
  vitalwire_error *error = NULL;
  vitalwire_sleep_record *night = NULL;
  vitalwire_sleeps_get_params *params = vitalwire_sleeps_get_params_new(str("5ca1ab1e-0000-4000-8000-000000000000"));
  CHECK_REFUSED(vitalwire_client_sleeps_get(NULL, params, NULL, NULL, &night, &error), &error, "client");
  CHECK_REFUSED(vitalwire_client_sleeps_get(client, NULL, NULL, NULL, &night, &error), &error, "params");
  CHECK_REFUSED(vitalwire_client_sleeps_get(client, params, NULL, NULL, NULL, &error), &error, "out");
  CHECK(vitalwire_client_sleeps_get(NULL, NULL, NULL, NULL, NULL, NULL) == VITALWIRE_ERROR_INVALID_ARGUMENT);
  CHECK(night == NULL);
  vitalwire_sleeps_get_params_free(params);
}

static void refuse_texts(vitalwire_client *client) {
  static const char broken[] = "\xff\xfe";
  const vitalwire_str texts[] = {{NULL, 0}, {NULL, 5}, {broken, 2}, {"", 0}, {"..", 2}, {"a\nb", 3}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    vitalwire_error *error = NULL;
    vitalwire_sleep_record *night = NULL;
    vitalwire_sleeps_get_params *params = vitalwire_sleeps_get_params_new(texts[i]);
    CHECK(params != NULL);
    CHECK_REFUSED(vitalwire_client_sleeps_get(client, params, NULL, NULL, &night, &error), &error, "sleep_id");
    vitalwire_sleeps_get_params_free(params);
  }
  vitalwire_error *error = NULL;
  vitalwire_nutrition_upload_response *response = NULL;
  vitalwire_nutrition_records_upload_params *upload = vitalwire_nutrition_records_upload_params_new();
  vitalwire_nutrition_records_upload_params_set_body(upload, NULL, 10);
  CHECK_REFUSED(vitalwire_client_nutrition_records_upload(client, upload, NULL, NULL, &response, &error), &error, "body");
  vitalwire_nutrition_records_upload_params_free(upload);
  /* A picture whose metadata cannot be removed is not sent. */
  upload = vitalwire_nutrition_records_upload_params_new();
  vitalwire_nutrition_records_upload_params_set_body(upload, (const uint8_t *)"GIF89a", 6);
  vitalwire_nutrition_records_upload_params_remove_metadata(upload);
  CHECK_REFUSED(vitalwire_client_nutrition_records_upload(client, upload, NULL, NULL, &response, &error), &error, "body");
  vitalwire_nutrition_records_upload_params_free(upload);
  vitalwire_nutrition_records_upload_params_remove_metadata(NULL);
  vitalwire_call_options *options = vitalwire_call_options_new();
  vitalwire_call_options_add_header(options, str("authorization"), str("mine"));
  vitalwire_user_info *user = NULL;
  CHECK_REFUSED(vitalwire_client_user_info(client, options, NULL, &user, &error), &error, "header");
  vitalwire_call_options_free(options);
  options = vitalwire_call_options_new();
  vitalwire_call_options_set_array_style(options, (vitalwire_array_style)7);
  CHECK_REFUSED(vitalwire_client_user_info(client, options, NULL, &user, &error), &error, "array_style");
  vitalwire_call_options_free(options);
}

static void refuse_dates(vitalwire_client *client) {
  const vitalwire_date good = {2024, 2, 29};
  const vitalwire_date bad[] = {{2025, 2, 29}, {2025, 13, 1}, {2025, 0, 1}, {2025, 200, 200}, {10000, 1, 1}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    vitalwire_error *error = NULL;
    vitalwire_daily_statistics *days = NULL;
    vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(good, bad[i]);
    vitalwire_statistics_daily_params_add_types(params, str("steps"));
    CHECK_REFUSED(vitalwire_client_statistics_daily(client, params, NULL, NULL, &days, &error), &error, "to_date");
    vitalwire_statistics_daily_params_free(params);
  }
  vitalwire_error *error = NULL;
  vitalwire_lab_report_list *reports = NULL;
  vitalwire_lab_reports_list_params *params = vitalwire_lab_reports_list_params_new();
  const vitalwire_timestamp late = {0, 1000000000};
  vitalwire_lab_reports_list_params_set_to_timestamp(params, late);
  CHECK_REFUSED(vitalwire_client_lab_reports_list(client, params, NULL, NULL, &reports, &error), &error, "to_timestamp");
  vitalwire_lab_reports_list_params_free(params);
}

/* Accessors, setters and frees accept NULL. */
static void take_nulls(void) {
  double number = 7;
  int64_t integer = 7;
  CHECK(vitalwire_sleep_record_sleep_id(NULL).data == NULL && vitalwire_sleep_record_stages_count(NULL) == 0);
  CHECK(!vitalwire_sleep_record_duration(NULL, &integer) && integer == 7);
  CHECK(vitalwire_sleep_record_stages_presence(NULL) == VITALWIRE_PRESENCE_ABSENT && vitalwire_sleep_record_samples(NULL) == NULL);
  CHECK(!vitalwire_metrics_get(NULL, str("heartrate"), &number) && !vitalwire_metrics_heartrate(NULL, &number) && number == 7);
  CHECK(vitalwire_nutritional_fields_basis(NULL) == VITALWIRE_NUMBER_BASIS_UNKNOWN && vitalwire_sleep_record_extra(NULL) == NULL);
  CHECK(vitalwire_error_code(NULL) == VITALWIRE_OK && vitalwire_error_message(NULL).data == NULL);
  CHECK(vitalwire_str_from(NULL).data == NULL && !vitalwire_str_equals(str("a"), NULL) && !vitalwire_str_equals(str("a"), "ab"));
  CHECK(vitalwire_str_equals(str(""), "") && !vitalwire_str_equals((vitalwire_str){NULL, 0}, ""));
  CHECK(vitalwire_json_text(NULL).data == NULL);
  vitalwire_sleeps_get_params_set_include_stages(NULL, true);
  vitalwire_client_builder_set_token(NULL, str("t"));
  vitalwire_call_options_set_max_retries(NULL, 1);
  vitalwire_cancel_token_cancel(NULL);
  vitalwire_cancel_token_free(NULL);
  vitalwire_call_options_free(NULL);
  vitalwire_client_free(NULL);
  vitalwire_client_builder_free(NULL);
  vitalwire_error_free(NULL);
  vitalwire_json_free(NULL);
  vitalwire_sleep_record_free(NULL);
  vitalwire_sleeps_get_params_free(NULL);
  vitalwire_lab_report_list_free(NULL);
}

void case_arguments(void) {
  vitalwire_client *client = sandbox();
  refuse_nulls(client);
  refuse_texts(client);
  refuse_dates(client);
  take_nulls();
  vitalwire_client_free(client);
}

/* Texts and bytes at NULL are not read, whatever their length. */
void case_nulls(void) {
  const vitalwire_str empty = {NULL, 0}, huge = {NULL, SIZE_MAX}, broken = {"\xff", 1};
  call_each(empty, 0);
  call_each(huge, SIZE_MAX);
  call_each(broken, 1);
}

void case_settings(void) {
  vitalwire_error *error = NULL;
  vitalwire_client *client = NULL;
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  CHECK_REFUSED(vitalwire_client_builder_build(NULL, &client, &error), &error, "builder");
  CHECK_REFUSED(vitalwire_client_builder_build(builder, NULL, &error), &error, "out");
  vitalwire_client_builder_set_base_url(builder, (vitalwire_str){"\xc0", 1});
  CHECK_REFUSED(vitalwire_client_builder_build(builder, &client, &error), &error, "base_url");
  vitalwire_client_builder_free(builder);

  /* The timeout scale must not be negative. */
  builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_timeout_scale(builder, -1);
  CHECK(vitalwire_client_builder_build(builder, &client, &error) == VITALWIRE_ERROR_CONFIGURATION && client == NULL);
  CHECK(vitalwire_str_equals(vitalwire_error_argument(error), "timeout_scale"));
  vitalwire_error_free(error);
  error = NULL;
  vitalwire_client_builder_free(builder);

  /* An array style must be one of its constants. */
  builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_array_style(builder, (vitalwire_array_style)7);
  CHECK_REFUSED(vitalwire_client_builder_build(builder, &client, &error), &error, "array_style");
  vitalwire_client_builder_free(builder);

  /* A pin needs its algorithm as a prefix. */
  builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_pinned_keys(builder, str("canary"));
  CHECK(vitalwire_client_builder_build(builder, &client, &error) == VITALWIRE_ERROR_CONFIGURATION && client == NULL);
  CHECK(vitalwire_str_equals(vitalwire_error_argument(error), "pinned_keys") && !contains(vitalwire_error_message(error), "canary"));
  vitalwire_error_free(error);
  error = NULL;
  vitalwire_client_builder_free(builder);

  /* A client certificate needs its private key, and a file must be readable. */
  builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_client_certificate(builder, str("canary"));
  CHECK(vitalwire_client_builder_build(builder, &client, &error) == VITALWIRE_ERROR_CONFIGURATION && client == NULL);
  CHECK(vitalwire_str_equals(vitalwire_error_argument(error), "client_certificate") && !contains(vitalwire_error_message(error), "canary"));
  vitalwire_error_free(error);
  error = NULL;
  vitalwire_client_builder_free(builder);
  builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_client_certificate_file(builder, str("/nowhere/canary.pem"));
  CHECK(vitalwire_client_builder_build(builder, &client, &error) == VITALWIRE_ERROR_CONFIGURATION && client == NULL);
  CHECK(contains(vitalwire_error_message(error), "the file cannot be read") && !contains(vitalwire_error_message(error), "canary"));
  vitalwire_error_free(error);
  error = NULL;
  vitalwire_client_builder_free(builder);

  /* The token in the environment is only for the base URL in the environment. */
  setting("VITALWIRE_TOKEN");
  CHECK_OK(vitalwire_client_builder_from_env(&builder, &error), &error);
  vitalwire_client_builder_set_base_url(builder, str("https://canary.example.org"));
  CHECK(vitalwire_client_builder_build(builder, &client, &error) == VITALWIRE_ERROR_CONFIGURATION && client == NULL);
  CHECK(vitalwire_str_equals(vitalwire_error_argument(error), "base_url") && contains(vitalwire_error_message(error), "VITALWIRE_TOKEN is sent only to that origin"));
  CHECK(!contains(vitalwire_error_message(error), "canary") && !contains(vitalwire_error_message(error), setting("VITALWIRE_TOKEN")));
  vitalwire_error_free(error);
  error = NULL;
  vitalwire_client_builder_free(builder);

  /* Plain HTTP to another machine is rejected; the message contains neither URL nor token. */
  builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_base_url(builder, str("http://canary.example.org/v3"));
  vitalwire_client_builder_set_token(builder, str("canary-token"));
  vitalwire_code code = vitalwire_client_builder_build(builder, &client, &error);
  CHECK(code == VITALWIRE_ERROR_CONFIGURATION && vitalwire_str_equals(vitalwire_error_argument(error), "base_url"));
  CHECK(!contains(vitalwire_error_message(error), "canary") && client == NULL);
  vitalwire_error_free(error);
  error = NULL;
  CHECK_REFUSED(vitalwire_client_builder_build(builder, &client, &error), &error, "builder");
  vitalwire_client_builder_free(builder);

  /* A client can be created without a base URL, but its calls fail. */
  builder = vitalwire_client_builder_new();
  if (CHECK_OK(vitalwire_client_builder_build(builder, &client, &error), &error)) {
    vitalwire_user_info *user = NULL;
    code = vitalwire_client_user_info(client, NULL, NULL, &user, &error);
    CHECK(code == VITALWIRE_ERROR_CONFIGURATION && vitalwire_str_equals(vitalwire_error_argument(error), "base_url"));
    vitalwire_error_free(error);
    error = NULL;
  }
  vitalwire_client_builder_free(builder);
  vitalwire_client_free(client);
}
