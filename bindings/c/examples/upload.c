/* Uploads the picture of a meal and a lab report, and waits until both analyses have ended. */
#include <stdio.h>
#include "vitalwire.h"

static vitalwire_code upload_meal(const vitalwire_client *client, vitalwire_error **error) {
  vitalwire_nutrition_record *meal = NULL;
  vitalwire_nutrition_records_upload_params *picture = vitalwire_nutrition_records_upload_params_new();
  vitalwire_wait_options *wait = vitalwire_wait_options_new();
  vitalwire_wait_options_set_timeout_ms(wait, 120000);
  vitalwire_code code = vitalwire_nutrition_records_upload_params_read_file(picture, vitalwire_str_from("lunch.png"), true, error);
  if (code == VITALWIRE_OK) code = vitalwire_client_nutrition_records_upload_and_wait(client, picture, wait, NULL, NULL, &meal, error);
  if (code != VITALWIRE_OK && vitalwire_error_record_id(*error).data != NULL) {
    /* The picture was uploaded: wait for its record again. */
    vitalwire_nutrition_records_get_params *record = vitalwire_nutrition_records_get_params_new(vitalwire_error_record_id(*error));
    vitalwire_error_free(*error);
    *error = NULL;
    code = vitalwire_client_nutrition_records_wait_for(client, record, wait, NULL, NULL, &meal, error);
    vitalwire_nutrition_records_get_params_free(record);
  }
  double energy = 0;
  if (vitalwire_str_equals(vitalwire_nutrition_record_status(meal), VITALWIRE_NUTRITION_STATUS_FAILED))
    printf("the service could not analyse the picture\n");
  else if (vitalwire_nutritional_fields_energy_kcal(vitalwire_nutrition_record_nutritional_fields(meal), &energy))
    printf("%.*s, %.0f kcal\n", VITALWIRE_STR(vitalwire_nutrition_record_dish_name(meal)), energy);
  vitalwire_wait_options_free(wait);
  vitalwire_nutrition_records_upload_params_free(picture);
  vitalwire_nutrition_record_free(meal);
  return code;
}

static vitalwire_code upload_report(const vitalwire_client *client, vitalwire_error **error) {
  vitalwire_lab_reports_upload_params *document = NULL;
  vitalwire_lab_report *report = NULL;
  const vitalwire_str path = vitalwire_str_from("report.pdf");
  vitalwire_code code = vitalwire_lab_reports_upload_params_from_file(path, path, &document, error);
  if (code == VITALWIRE_OK) code = vitalwire_client_lab_reports_upload_and_wait(client, document, NULL, NULL, NULL, &report, error);
  for (size_t i = 0; i < vitalwire_lab_report_sections_count(report); i++) {
    const vitalwire_lab_section *section = vitalwire_lab_report_sections_at(report, i);
    for (size_t j = 0; j < vitalwire_lab_section_results_count(section); j++) {
      const vitalwire_lab_result *result = vitalwire_lab_section_results_at(section, j);
      double value;
      if (vitalwire_lab_result_value(result, &value))
        printf("%.*s: %g\n", VITALWIRE_STR(vitalwire_lab_result_standard_test_name(result)), value);
    }
  }
  vitalwire_lab_reports_upload_params_free(document);
  vitalwire_lab_report_free(report);
  return code;
}

int main(void) {
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  vitalwire_code code = vitalwire_client_from_env(&client, &error);
  if (code == VITALWIRE_OK) code = upload_meal(client, &error);
  if (code == VITALWIRE_OK) code = upload_report(client, &error);
  if (error != NULL) fprintf(stderr, "%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
  vitalwire_error_free(error);
  vitalwire_client_free(client);
  return code == VITALWIRE_OK ? 0 : 1;
}
