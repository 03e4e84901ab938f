/* A CGI program that gives an app the token of the user who is logged in. The web server sets REMOTE_USER. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "vitalwire.h"

enum { LIFETIME_SECONDS = 60 * 60 }; /* after which the app requests another token */

int main(void) {
  const char *key = getenv("APPLICATION_KEY"), *application_id = getenv("APPLICATION_ID"), *user = getenv("REMOTE_USER");
  if (user == NULL || key == NULL || application_id == NULL) {
    printf("Status: %d\r\nContent-Type: text/plain\r\n\r\n", user == NULL ? 401 : 500);
    return 0;
  }
  vitalwire_client *client = NULL;
  vitalwire_json *signature = NULL;
  vitalwire_token_response *response = NULL;
  vitalwire_tokens_exchange_params *params = NULL;
  vitalwire_error *error = NULL;
  vitalwire_code code = vitalwire_client_from_env(&client, &error);
  if (code == VITALWIRE_OK)
    code = vitalwire_sign_user_id((const uint8_t *)key, strlen(key), vitalwire_str_from(user), &signature, &error);
  if (code == VITALWIRE_OK) {
    params = vitalwire_tokens_exchange_params_new(atoll(application_id), vitalwire_str_from(user), vitalwire_json_text(signature));
    code = vitalwire_client_tokens_exchange(client, params, NULL, NULL, &response, &error);
  }
  printf("Status: %d\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n\r\n", code == VITALWIRE_OK ? 200 : 502);
  if (code == VITALWIRE_OK) /* a token has no character that JSON escapes */
    printf("{\"access_token\":\"%.*s\",\"expires_in\":%d}\n", VITALWIRE_STR(vitalwire_token_response_access_token(response)),
           LIFETIME_SECONDS);
  else
    fprintf(stderr, "%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
  vitalwire_error_free(error);
  vitalwire_token_response_free(response);
  vitalwire_tokens_exchange_params_free(params);
  vitalwire_json_free(signature);
  vitalwire_client_free(client);
  return 0;
}
