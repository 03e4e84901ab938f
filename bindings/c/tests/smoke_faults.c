/* Plays each fault of the sandbox once. The expected results are described in tests/faults/README.md of the repository. */
#include <stdlib.h>
#include <string.h>

#include "smoke.h"

/* Maximum length of a line with a token and a fault. */
enum { LINE = 2048 };

static vitalwire_client *client_with_token(const char *token) {
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_base_url(builder, str(setting("VITALWIRE_BASE_URL")));
  vitalwire_client_builder_set_token(builder, str(token));
  vitalwire_client_builder_set_no_proxy(builder);
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_builder_build(builder, &client, &error), &error);
  vitalwire_client_builder_free(builder);
  return client;
}

/* The expected result of a fault: a line of the file. */
struct outcome {
  const char *token, *call, *code, *requests, *effect, *fault;
};

static vitalwire_code read_user(vitalwire_client *client, vitalwire_error **error) {
  vitalwire_user_info *user = NULL;
  const vitalwire_code code = vitalwire_client_user_info(client, NULL, NULL, &user, error);
  vitalwire_user_info_free(user);
  return code;
}

static vitalwire_code upload_meal(vitalwire_client *client, vitalwire_error **error) {
  vitalwire_nutrition_upload_response *response = NULL;
  vitalwire_nutrition_records_upload_params *params = vitalwire_nutrition_records_upload_params_new();
  vitalwire_nutrition_records_upload_params_set_body(params, picture, sizeof picture);
  const vitalwire_code code = vitalwire_client_nutrition_records_upload(client, params, NULL, NULL, &response, error);
  vitalwire_nutrition_records_upload_params_free(params);
  vitalwire_nutrition_upload_response_free(response);
  return code;
}

static void check_fault(const struct outcome *expected) {
  vitalwire_client *client = client_with_token(expected->token);
  vitalwire_error *error = NULL;
  const bool reads = strcmp(expected->call, "read") == 0;
  const vitalwire_code code = reads ? read_user(client, &error) : upload_meal(client, &error);
  bool same = CHECK((int)code == atoi(expected->code));
  /* A successful call returns no number of attempts. */
  if (error != NULL) {
    same = CHECK(vitalwire_error_attempts(error) == (unsigned)atoi(expected->requests)) && same;
    const char *effect = vitalwire_error_may_have_taken_effect(error) ? "true" : "false";
    if (!reads) same = CHECK(strcmp(expected->effect, effect) == 0) && same;
  }
  if (!same) fprintf(stderr, "  %s: %s: code %d\n", expected->call, expected->fault, (int)code);
  vitalwire_error_free(error);
  vitalwire_client_free(client);
}

void case_faults(void) {
  FILE *file = fopen(setting("VITALWIRE_FAULTS"), "r");
  if (!CHECK(file != NULL)) return;
  char line[LINE];
  int count = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    struct outcome expected = {.token = strtok(line, "\t")};
    expected.call = strtok(NULL, "\t");
    expected.code = strtok(NULL, "\t");
    expected.requests = strtok(NULL, "\t");
    expected.effect = strtok(NULL, "\t");
    expected.fault = strtok(NULL, "\n");
    if (!CHECK(expected.fault != NULL)) break;
    check_fault(&expected);
    count++;
  }
  CHECK(count > 0);
  fclose(file);
}
