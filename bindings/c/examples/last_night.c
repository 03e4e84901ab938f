#include <stdio.h>
#include <stdlib.h>
#include "vitalwire.h"

int main(void) {
  vitalwire_client *client = NULL;
  vitalwire_sleep_record *night = NULL;
  vitalwire_error *error = NULL;
  vitalwire_sleeps_get_params *params = vitalwire_sleeps_get_params_new(vitalwire_str_from(getenv("VITALWIRE_SLEEP_ID")));
  vitalwire_sleeps_get_params_set_include_stages(params, true);
  vitalwire_code code = vitalwire_client_from_env(&client, &error);  /* VITALWIRE_BASE_URL, VITALWIRE_TOKEN */
  if (code == VITALWIRE_OK) code = vitalwire_client_sleeps_get(client, params, NULL, NULL, &night, &error);
  for (size_t i = 0; i < vitalwire_sleep_record_stages_count(night); i++) {
    const vitalwire_sleep_stage *stage = vitalwire_sleep_record_stages_at(night, i);
    int64_t milliseconds = 0;
    vitalwire_sleep_stage_duration(stage, &milliseconds);
    printf("%.*s %d min\n", VITALWIRE_STR(vitalwire_sleep_stage_stage(stage)), (int)(milliseconds / 60000));
  }
  if (error != NULL) fprintf(stderr, "%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
  vitalwire_error_free(error);
  vitalwire_sleep_record_free(night);
  vitalwire_client_free(client);
  vitalwire_sleeps_get_params_free(params);
  return code == VITALWIRE_OK ? 0 : 1;
}
