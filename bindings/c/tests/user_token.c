/* Prints the token of the user that the argument names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vitalwire.h"

int main(int count, char **arguments) {
  const char *key = getenv("APPLICATION_KEY"), *application_id = getenv("APPLICATION_ID");
  if (count != 2 || key == NULL || application_id == NULL) return 2;
  const vitalwire_str user_id = vitalwire_str_from(arguments[1]);
  vitalwire_client *client = NULL;
  vitalwire_json *signature = NULL;
  vitalwire_tokens_exchange_params *params = NULL;
  vitalwire_token_response *response = NULL;
  vitalwire_code code = vitalwire_client_from_env(&client, NULL);
  if (code == VITALWIRE_OK) code = vitalwire_sign_user_id((const uint8_t *)key, strlen(key), user_id, &signature, NULL);
  if (code == VITALWIRE_OK) {
    params = vitalwire_tokens_exchange_params_new(atoll(application_id), user_id, vitalwire_json_text(signature));
    code = vitalwire_client_tokens_exchange(client, params, NULL, NULL, &response, NULL);
  }
  printf("%.*s", VITALWIRE_STR(vitalwire_token_response_access_token(response)));
  vitalwire_token_response_free(response);
  vitalwire_tokens_exchange_params_free(params);
  vitalwire_json_free(signature);
  vitalwire_client_free(client);
  return code == VITALWIRE_OK ? 0 : 1;
}
