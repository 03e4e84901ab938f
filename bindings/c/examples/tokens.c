/* A client that renews its token: it signs the id of a user and exchanges the signature. For servers only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "vitalwire.h"

enum { LIFETIME_MS = 60 * 60 * 1000 }; /* the response does not state how long the token is valid */

/* Runs on a library thread when the client needs a token. */
static void provide_token(void *user_data, vitalwire_refresh_reason reason, vitalwire_token_request *reply) {
  const vitalwire_client *client = *(vitalwire_client **)user_data;
  const char *key = getenv("APPLICATION_KEY"), *application_id = getenv("APPLICATION_ID");
  const vitalwire_str user_id = vitalwire_str_from("person-1");
  vitalwire_json *signature = NULL;
  vitalwire_tokens_exchange_params *params = NULL;
  vitalwire_token_response *response = NULL;
  vitalwire_error *error = NULL;
  printf("a token is requested: %s\n", reason == VITALWIRE_REFRESH_REASON_MISSING ? "there is none" : "it must be replaced");
  vitalwire_code code = vitalwire_sign_user_id((const uint8_t *)key, key == NULL ? 0 : strlen(key), user_id, &signature, &error);
  if (code == VITALWIRE_OK) {
    const int64_t application = application_id == NULL ? 0 : atoll(application_id);
    params = vitalwire_tokens_exchange_params_new(application, user_id, vitalwire_json_text(signature));
    code = vitalwire_client_tokens_exchange(client, params, NULL, NULL, &response, &error);
  }
  if (code == VITALWIRE_OK)
    vitalwire_token_request_complete_with_lifetime(reply, vitalwire_token_response_access_token(response), LIFETIME_MS);
  else
    vitalwire_token_request_fail(reply, vitalwire_error_message(error));
  vitalwire_error_free(error);
  vitalwire_token_response_free(response);
  vitalwire_tokens_exchange_params_free(params);
  vitalwire_json_free(signature);
}

int main(void) {
  static vitalwire_client *client = NULL; /* the provider makes its calls with the same client */
  vitalwire_client_builder *builder = NULL;
  vitalwire_error *error = NULL;
  vitalwire_code code = vitalwire_client_builder_from_env(&builder, &error);
  vitalwire_client_builder_set_token_provider(builder, provide_token, &client, NULL);
  if (code == VITALWIRE_OK) code = vitalwire_client_builder_build(builder, &client, &error);
  for (int call = 0; code == VITALWIRE_OK && call < 2; call++) {
    vitalwire_user_info *user = NULL;
    code = vitalwire_client_user_info(client, NULL, NULL, &user, &error);
    if (code == VITALWIRE_OK) printf("%.*s\n", VITALWIRE_STR(vitalwire_user_info_application_user_id(user)));
    vitalwire_user_info_free(user);
  }
  if (error != NULL) fprintf(stderr, "%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
  vitalwire_error_free(error);
  vitalwire_client_free(client);
  vitalwire_client_builder_free(builder);
  return code == VITALWIRE_OK ? 0 : 1;
}
