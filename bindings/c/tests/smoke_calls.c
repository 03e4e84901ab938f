/* Successful calls and their results, in a sandbox whose day is 2025-11-20. The user is person-1. */
#include "smoke.h"

#include <string.h>

void case_user_info(void) {
  vitalwire_client *client = sandbox();
  vitalwire_error *error = NULL;
  vitalwire_user_info *user = NULL;
  if (CHECK_OK(vitalwire_client_user_info(client, NULL, NULL, &user, &error), &error)) {
    CHECK(vitalwire_str_equals(vitalwire_user_info_application_user_id(user), "person-1"));
    /* Views point into the object: a second read returns the same address. */
    CHECK(vitalwire_user_info_application_user_id(user).data == vitalwire_user_info_application_user_id(user).data);
    int64_t application = 0;
    CHECK(vitalwire_user_info_application_id(user, &application) && application > 0);
    vitalwire_timestamp created = {0, 0};
    CHECK(vitalwire_user_info_created_at(user, &created) && created.seconds > 0 && created.nanoseconds < 1000000000);
    CHECK(vitalwire_user_info_integrated_providers_presence(user) == VITALWIRE_PRESENCE_LIST);
    const size_t providers = vitalwire_user_info_integrated_providers_count(user);
    CHECK(providers > 0);
    CHECK(vitalwire_user_info_integrated_providers_at(user, providers - 1) != NULL);
    CHECK(vitalwire_user_info_integrated_providers_at(user, providers) == NULL);
    CHECK(vitalwire_user_info_extra(user) == NULL);
  }
  /* The result belongs to the caller and outlives the client. */
  vitalwire_client_free(client);
  CHECK(user == NULL || vitalwire_user_info_uid(user).length == 36);
  vitalwire_user_info_free(user);
}

static int64_t milliseconds(vitalwire_timestamp at) { return at.seconds * 1000 + at.nanoseconds / 1000000; }

static void check_stages(const vitalwire_sleep_record *night, vitalwire_timestamp from, vitalwire_timestamp to) {
  CHECK(vitalwire_sleep_record_stages_presence(night) == VITALWIRE_PRESENCE_LIST);
  const size_t count = vitalwire_sleep_record_stages_count(night);
  CHECK(count > 3);
  int64_t before = milliseconds(from);
  for (size_t i = 0; i < count; i++) {
    const vitalwire_sleep_stage *stage = vitalwire_sleep_record_stages_at(night, i);
    vitalwire_timestamp start = {0, 0};
    vitalwire_timestamp end = {0, 0};
    int64_t duration = 0;
    CHECK(vitalwire_sleep_stage_stage(stage).data != NULL);
    CHECK(vitalwire_sleep_stage_start_at(stage, &start) && vitalwire_sleep_stage_end_at(stage, &end));
    /* Durations are in milliseconds, instants are in UTC, and stages are in order. */
    CHECK(vitalwire_sleep_stage_duration(stage, &duration) && duration == milliseconds(end) - milliseconds(start));
    CHECK(milliseconds(start) >= before && milliseconds(end) <= milliseconds(to));
    before = milliseconds(end);
  }
}

static void check_samples(const vitalwire_sleep_record *night) {
  const vitalwire_sleep_samples *samples = vitalwire_sleep_record_samples(night);
  const vitalwire_sleep_sample_values *values = vitalwire_sleep_samples_values(samples);
  const vitalwire_numbers durations = vitalwire_sleep_samples_durations(samples);
  const vitalwire_numbers offsets = vitalwire_sleep_samples_offsets(samples);
  CHECK(samples != NULL && values != NULL && durations.length > 0 && durations.length == offsets.length);
  CHECK(durations.length == 0 || durations.data[0] > 0);
  const size_t count = vitalwire_sleep_sample_values_count(values);
  CHECK(count > 0);
  for (size_t i = 0; i < count; i++) {
    vitalwire_str name = {NULL, 0};
    vitalwire_numbers series = {NULL, 0};
    CHECK(vitalwire_sleep_sample_values_at(values, i, &name, &series));
    CHECK(series.data != NULL && series.length == durations.length);
    /* `_get` and `_at` return the same memory, so nothing was copied. */
    CHECK(vitalwire_sleep_sample_values_get(values, name).data == series.data);
  }
  vitalwire_numbers untouched = {durations.data, 1};
  CHECK(!vitalwire_sleep_sample_values_at(values, count, NULL, &untouched) && untouched.length == 1);
  CHECK(vitalwire_sleep_sample_values_get(values, str("no_such_metric")).data == NULL);
}

static void check_metrics(const vitalwire_metrics *metrics) {
  const size_t count = vitalwire_metrics_count(metrics);
  CHECK(count > 0);
  for (size_t i = 0; i < count; i++) {
    vitalwire_str name = {NULL, 0};
    double by_place = -1;
    double by_name = -2;
    CHECK(vitalwire_metrics_at(metrics, i, &name, &by_place) && vitalwire_metrics_get(metrics, name, &by_name) && by_place == by_name);
  }
  double one = -1;
  double other = -2;
  CHECK(vitalwire_metrics_heartrate(metrics, &one) == vitalwire_metrics_get(metrics, str(VITALWIRE_METRIC_NAME_HEARTRATE), &other));
  double untouched = 7;
  CHECK(!vitalwire_metrics_get(metrics, str("no_such_metric"), &untouched) && untouched == 7);
}

void case_sleep(void) {
  vitalwire_client *client = sandbox();
  vitalwire_error *error = NULL;
  vitalwire_sleep_record *night = NULL;
  const char *id = setting("VITALWIRE_SLEEP_ID");
  vitalwire_sleeps_get_params *params = vitalwire_sleeps_get_params_new(str(id));
  vitalwire_sleeps_get_params_set_include_stages(params, true);
  vitalwire_sleeps_get_params_set_include_samples(params, true);
  if (CHECK_OK(vitalwire_client_sleeps_get(client, params, NULL, NULL, &night, &error), &error)) {
    CHECK(vitalwire_str_equals(vitalwire_sleep_record_sleep_id(night), id));
    vitalwire_date date = {0, 0, 0};
    CHECK(vitalwire_sleep_record_sleep_date(night, &date) && date.year == 2025 && date.month == 11 && date.day == 20);
    vitalwire_timestamp from = {0, 0};
    vitalwire_timestamp to = {0, 0};
    int64_t duration = 0;
    CHECK(vitalwire_sleep_record_start_at_timestamp(night, &from) && vitalwire_sleep_record_end_at_timestamp(night, &to));
    CHECK(vitalwire_sleep_record_duration(night, &duration) && duration == milliseconds(to) - milliseconds(from));
    /* The sandbox's time is 2025-11-20T12:00:00Z. The night is in the 24 hours before. */
    CHECK(to.seconds <= 1763640000 && from.seconds > 1763640000 - 86400);
    check_stages(night, from, to);
    check_samples(night);
    check_metrics(vitalwire_sleep_record_metrics(night));
  }
  vitalwire_sleep_record_free(night);
  vitalwire_sleeps_get_params_free(params);

  /* Stages and samples that were not requested are absent, not empty. */
  night = NULL;
  params = vitalwire_sleeps_get_params_new(str(id));
  vitalwire_sleeps_get_params_set_include_stages(params, false);
  vitalwire_sleeps_get_params_set_include_samples(params, false);
  if (CHECK_OK(vitalwire_client_sleeps_get(client, params, NULL, NULL, &night, &error), &error)) {
    CHECK(vitalwire_sleep_record_stages_presence(night) == VITALWIRE_PRESENCE_ABSENT);
    CHECK(vitalwire_sleep_record_stages_count(night) == 0);
    CHECK(vitalwire_sleep_record_samples(night) == NULL);
  }
  vitalwire_sleep_record_free(night);
  vitalwire_sleeps_get_params_free(params);
  vitalwire_client_free(client);
}

void case_statistics(void) {
  vitalwire_client *client = sandbox();
  vitalwire_error *error = NULL;
  vitalwire_daily_statistics *days = NULL;
  const vitalwire_date from = {2025, 11, 17};
  const vitalwire_date to = {2025, 11, 19};
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(from, to);
  vitalwire_statistics_daily_params_add_types(params, str(VITALWIRE_STATISTIC_NAME_STEPS));
  vitalwire_statistics_daily_params_add_types(params, str(VITALWIRE_STATISTIC_NAME_SLEEP_DURATION_TOTAL));
  if (CHECK_OK(vitalwire_client_statistics_daily(client, params, NULL, NULL, &days, &error), &error)) {
    CHECK(vitalwire_daily_statistics_statistics_count(days) == 3);
    for (size_t i = 0; i < vitalwire_daily_statistics_statistics_count(days); i++) {
      const vitalwire_daily_bucket *day = vitalwire_daily_statistics_statistics_at(days, i);
      vitalwire_date date = {0, 0, 0};
      double steps = -1;
      CHECK(vitalwire_daily_bucket_date(day, &date) && date.year == 2025 && date.month == 11 && date.day >= 17 && date.day <= 19);
      CHECK(vitalwire_statistics_values_steps(vitalwire_daily_bucket_values(day), &steps) && steps >= 0);
    }
  }
  vitalwire_daily_statistics_free(days);
  vitalwire_statistics_daily_params_free(params);
  vitalwire_client_free(client);
}

void case_lab_reports(void) {
  vitalwire_client *client = sandbox();
  vitalwire_error *error = NULL;
  vitalwire_lab_report_list *reports = NULL;
  vitalwire_lab_reports_list_params *params = vitalwire_lab_reports_list_params_new();
  /* From 2025-01-01: the sandbox has three reports of each person in the seven months before its day, and the uploaded reports. */
  const vitalwire_timestamp from = {1735689600, 0};
  vitalwire_lab_reports_list_params_set_from_timestamp(params, from);
  if (CHECK_OK(vitalwire_client_lab_reports_list(client, params, NULL, NULL, &reports, &error), &error)) {
    const size_t count = vitalwire_lab_report_list_count(reports);
    CHECK(count >= 3);
    const vitalwire_lab_report *report = vitalwire_lab_report_list_at(reports, 0);
    CHECK(vitalwire_str_equals(vitalwire_lab_report_status(report), VITALWIRE_LAB_REPORT_STATUS_COMPLETED));
    CHECK(vitalwire_lab_report_list_at(reports, count) == NULL);
    const vitalwire_lab_section *section = vitalwire_lab_report_sections_at(report, 0);
    CHECK(vitalwire_lab_section_results_count(section) > 0);
    CHECK(vitalwire_lab_result_original_test_name(vitalwire_lab_section_results_at(section, 0)).length > 0);
  }
  vitalwire_lab_report_list_free(reports);
  vitalwire_lab_reports_list_params_free(params);
  vitalwire_client_free(client);
}

const uint8_t picture[67] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b,
    0x55, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x68, 0x00, 0x00, 0x00,
    0x82, 0x00, 0x81, 0xda, 0x45, 0x08, 0x3b, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae,
    0x42, 0x60, 0x82,
};

void case_nutrition(void) {
  vitalwire_client *client = sandbox();
  vitalwire_error *error = NULL;
  vitalwire_nutrition_upload_response *response = NULL;
  vitalwire_nutrition_records_upload_params *upload = vitalwire_nutrition_records_upload_params_new();
  vitalwire_nutrition_records_upload_params_set_body(upload, picture, sizeof picture);
  vitalwire_nutrition_records_upload_params_set_wait_on_process(upload, true);
  vitalwire_nutrition_records_upload_params_set_include_ingredients(upload, true);
  vitalwire_nutrition_records_upload_params_add_include_nutrition_fields(upload, str(VITALWIRE_NUTRIENT_NAME_ENERGY_KCAL));
  if (!CHECK_OK(vitalwire_client_nutrition_records_upload(client, upload, NULL, NULL, &response, &error), &error)) goto end;
  CHECK(vitalwire_str_equals(vitalwire_nutrition_upload_response_status(response), VITALWIRE_NUTRITION_STATUS_COMPLETED));
  const vitalwire_nutritional_fields *fields = vitalwire_nutrition_upload_response_nutritional_fields(response);
  double energy = -1;
  CHECK(vitalwire_nutritional_fields_energy_kcal(fields, &energy) && energy >= 0);
  CHECK(!vitalwire_nutritional_fields_protein_g(fields, NULL));
  /* The interface does not state the basis of numbers in the response to an upload. In a record, numbers are per serving. */
  CHECK(vitalwire_nutritional_fields_basis(fields) == VITALWIRE_NUMBER_BASIS_UNKNOWN);

  vitalwire_nutrition_records_get_params *get = vitalwire_nutrition_records_get_params_new(vitalwire_nutrition_upload_response_record_id(response));
  vitalwire_nutrition_record *record = NULL;
  if (CHECK_OK(vitalwire_client_nutrition_records_get(client, get, NULL, NULL, &record, &error), &error)) {
    double same = -1;
    fields = vitalwire_nutrition_record_nutritional_fields(record);
    CHECK(vitalwire_nutritional_fields_energy_kcal(fields, &same) && same == energy);
    CHECK(vitalwire_nutritional_fields_basis(fields) == VITALWIRE_NUMBER_BASIS_PER_SERVING);
    CHECK(vitalwire_nutrition_record_ingredients_presence(record) == VITALWIRE_PRESENCE_LIST);
  }
  vitalwire_nutrition_record_free(record);

  vitalwire_nutrition_records_delete_params *gone =
      vitalwire_nutrition_records_delete_params_new(vitalwire_nutrition_upload_response_record_id(response));
  CHECK_OK(vitalwire_client_nutrition_records_delete(client, gone, NULL, NULL, &error), &error);
  record = NULL;
  CHECK(vitalwire_client_nutrition_records_get(client, get, NULL, NULL, &record, NULL) == VITALWIRE_ERROR_NOT_FOUND);
  CHECK(record == NULL);
  vitalwire_nutrition_records_delete_params_free(gone);
  vitalwire_nutrition_records_get_params_free(get);
end:
  vitalwire_nutrition_upload_response_free(response);
  vitalwire_nutrition_records_upload_params_free(upload);
  vitalwire_client_free(client);
}

void case_benefits(void) {
  setting("VITALWIRE_CARE_BASE_URL");
  setting("VITALWIRE_CARE_TOKEN");
  vitalwire_client *client = sandbox();
  vitalwire_error *error = NULL;
  vitalwire_policy_benefits *benefits = NULL;
  vitalwire_care_benefits_params *params = vitalwire_care_benefits_params_new(str("clinic-1"), str("patient-1"), str("policy-1"));
  if (CHECK_OK(vitalwire_client_care_benefits(client, params, NULL, NULL, &benefits, &error), &error)) {
    CHECK(vitalwire_str_equals(vitalwire_policy_benefits_status(benefits), VITALWIRE_BENEFITS_STATUS_SUCCESS));
    CHECK(vitalwire_benefits_data_plan_type(vitalwire_policy_benefits_data(benefits)).length > 0);
  }
  vitalwire_policy_benefits_free(benefits);
  vitalwire_care_benefits_params_free(params);
  vitalwire_client_free(client);
}
