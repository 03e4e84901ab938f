/* Prints the stages of the sleeps of a day. No operation lists sleeps: daily statistics name the records behind a day's sleep. */
#include <stdio.h>
#include "vitalwire.h"

static vitalwire_code print_stages(const vitalwire_client *client, vitalwire_str sleep_id, vitalwire_error **error) {
  vitalwire_sleep_record *night = NULL;
  vitalwire_sleeps_get_params *params = vitalwire_sleeps_get_params_new(sleep_id);
  vitalwire_sleeps_get_params_set_include_stages(params, true);
  const vitalwire_code code = vitalwire_client_sleeps_get(client, params, NULL, NULL, &night, error);
  for (size_t i = 0; i < vitalwire_sleep_record_stages_count(night); i++) {
    const vitalwire_sleep_stage *stage = vitalwire_sleep_record_stages_at(night, i);
    int64_t milliseconds = 0;
    printf("%.*s ", VITALWIRE_STR(vitalwire_sleep_stage_stage(stage)));
    if (vitalwire_sleep_stage_duration(stage, &milliseconds)) printf("%d min\n", (int)(milliseconds / 60000));
    else printf("unknown\n");
  }
  vitalwire_sleep_record_free(night);
  vitalwire_sleeps_get_params_free(params);
  return code;
}

int main(void) {
  const vitalwire_date day = {2025, 11, 20};
  vitalwire_client *client = NULL;
  vitalwire_daily_statistics *days = NULL;
  vitalwire_error *error = NULL;
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(day, day);
  vitalwire_statistics_daily_params_add_types(params, vitalwire_str_from("sleep_duration_total"));
  vitalwire_statistics_daily_params_set_include_record_ids(params, true);
  vitalwire_code code = vitalwire_client_from_env(&client, &error);  /* VITALWIRE_BASE_URL, VITALWIRE_TOKEN */
  if (code == VITALWIRE_OK) code = vitalwire_client_statistics_daily(client, params, NULL, NULL, &days, &error);
  const vitalwire_daily_bucket *bucket = vitalwire_daily_statistics_statistics_at(days, 0);
  for (size_t i = 0; code == VITALWIRE_OK && i < vitalwire_daily_bucket_record_ids_count(bucket); i++) {
    code = print_stages(client, vitalwire_daily_bucket_record_ids_at(bucket, i), &error);
    if (code == VITALWIRE_ERROR_NOT_FOUND) {  /* The record is not a sleep. */
      vitalwire_error_free(error);
      error = NULL;
      code = VITALWIRE_OK;
    }
  }
  if (error != NULL) fprintf(stderr, "%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
  vitalwire_error_free(error);
  vitalwire_daily_statistics_free(days);
  vitalwire_client_free(client);
  vitalwire_statistics_daily_params_free(params);
  return code == VITALWIRE_OK ? 0 : 1;
}
