/* A CGI program that gives an app the token of its user: POST /token with the header "Authorization: Bearer <session>". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "vitalwire.h"

enum { LIFETIME_SECONDS = 60 * 60 }; /* after which the app requests another token */

/* Stub of your sign-in: returns the user of a session, or NULL. Replace it with your own sessions. */
static const char *signed_in_user(const char *session) { return strcmp(session, "a-session-of-person-1") == 0 ? "person-1" : NULL; }

static const char *variable(const char *name) { return getenv(name) == NULL ? "" : getenv(name); }

/* Prints a token. Returns false after an error of the library. */
static bool print_token(const char *user) {
  const char *key = variable("APPLICATION_KEY");
  vitalwire_client *client = NULL;
  vitalwire_json *signature = NULL;
  vitalwire_token_response *response = NULL;
  vitalwire_tokens_exchange_params *params = NULL;
  vitalwire_error *error = NULL;
  vitalwire_code code = vitalwire_client_from_env(&client, &error);
  if (code == VITALWIRE_OK)
    code = vitalwire_sign_user_id((const uint8_t *)key, strlen(key), vitalwire_str_from(user), &signature, &error);
  if (code == VITALWIRE_OK) {
    const int64_t application_id = atoll(variable("APPLICATION_ID"));
    params = vitalwire_tokens_exchange_params_new(application_id, vitalwire_str_from(user), vitalwire_json_text(signature));
    code = vitalwire_client_tokens_exchange(client, params, NULL, NULL, &response, &error);
  }
  if (code == VITALWIRE_OK) /* a token has no character that JSON escapes */
    printf("Status: 200\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n\r\n"
           "{\"access_token\":\"%.*s\",\"expires_in\":%d}\n",
           VITALWIRE_STR(vitalwire_token_response_access_token(response)), LIFETIME_SECONDS);
  else
    fprintf(stderr, "%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
  vitalwire_error_free(error);
  vitalwire_token_response_free(response);
  vitalwire_tokens_exchange_params_free(params);
  vitalwire_json_free(signature);
  vitalwire_client_free(client);
  return code == VITALWIRE_OK;
}

int main(void) {
  const char *authorization = variable("HTTP_AUTHORIZATION");
  const char *user = strncmp(authorization, "Bearer ", 7) == 0 ? signed_in_user(authorization + 7) : NULL;
  int status = 0;
  if (strcmp(variable("PATH_INFO"), "/token") != 0) status = 404;
  else if (strcmp(variable("REQUEST_METHOD"), "POST") != 0) status = 405;
  else if (user == NULL) status = 401;
  else if (!print_token(user)) status = 502;
  if (status != 0) printf("Status: %d\r\nContent-Type: text/plain\r\nCache-Control: no-store\r\n\r\n", status);
  return 0;
}
