/* Settings for production, and a callback for metrics. */
#include <stdio.h>
#include "vitalwire.h"

/* Sends an attempt to your metrics. No field contains health data or a token. Must be thread-safe. */
static void on_attempt(void *user_data, const vitalwire_attempt *attempt) {
  (void)user_data;
  printf("%.*s, attempt %u: %u\n", VITALWIRE_STR(attempt->operation), (unsigned)attempt->attempt, (unsigned)attempt->status);
}

int main(void) {
  vitalwire_client_builder *builder = NULL;
  vitalwire_client *client = NULL;
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  vitalwire_code code = vitalwire_client_builder_from_env(&builder, &error);
  vitalwire_client_builder_set_user_agent(builder, vitalwire_str_from("my-server/1.0"));
  vitalwire_client_builder_set_connect_timeout_ms(builder, 5000);
  vitalwire_client_builder_set_timeout_ms(builder, 20000);
  vitalwire_client_builder_set_max_retries(builder, 4);
  vitalwire_client_builder_set_max_connections(builder, 16);
  vitalwire_client_builder_set_on_attempt(builder, on_attempt, NULL, NULL);
  if (code == VITALWIRE_OK) code = vitalwire_client_builder_build(builder, &client, &error);
  if (code == VITALWIRE_OK) code = vitalwire_client_user_info(client, NULL, NULL, &user, &error);
  if (code == VITALWIRE_OK) printf("%.*s\n", VITALWIRE_STR(vitalwire_user_info_application_user_id(user)));
  if (error != NULL) fprintf(stderr, "%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
  vitalwire_client_close(client, false); /* rejects new calls; those in flight complete */
  vitalwire_error_free(error);
  vitalwire_user_info_free(user);
  vitalwire_client_free(client);
  vitalwire_client_builder_free(builder);
  return code == VITALWIRE_OK ? 0 : 1;
}
