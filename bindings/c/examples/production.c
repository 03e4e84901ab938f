/* Settings for production, and a callback for metrics. */
#include <stdio.h>
#include "vitalwire.h"

/* Sends an attempt to your metrics. No field contains health data or a token. Must be thread-safe. */
static void on_attempt(void *user_data, const vitalwire_attempt *attempt) {
  (void)user_data;
  printf("%.*s, attempt %u: ", VITALWIRE_STR(attempt->operation), (unsigned)attempt->attempt);
  if (attempt->status != 0) printf("%u\n", (unsigned)attempt->status);
  else puts("no response");
}

int main(void) {
  vitalwire_client_builder *builder = NULL;
  vitalwire_client *client = NULL;
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  vitalwire_response response;
  vitalwire_response_metadata *metadata = vitalwire_response_metadata_new();
  vitalwire_call_options *options = vitalwire_call_options_new();
  vitalwire_code code = vitalwire_client_builder_from_env(&builder, &error);
  vitalwire_client_builder_set_user_agent(builder, vitalwire_str_from("my-server/1.0"));
  vitalwire_client_builder_set_connect_timeout_ms(builder, 5000);
  vitalwire_client_builder_set_timeout_ms(builder, 20000);
  vitalwire_client_builder_set_max_retries(builder, 4);
  vitalwire_client_builder_set_retry_max_delay_ms(builder, 2000);
  vitalwire_client_builder_set_max_connections(builder, 16);
  vitalwire_client_builder_set_on_attempt(builder, on_attempt, NULL, NULL);
  if (code == VITALWIRE_OK) code = vitalwire_client_builder_build(builder, &client, &error);
  vitalwire_call_options_set_response_metadata(options, metadata);
  /* The sandbox fails the first attempt of this call. Other services ignore the header. */
  vitalwire_call_options_add_header(options, vitalwire_str_from("x-sandbox-fault"), vitalwire_str_from("status; status=503; times=1"));
  if (code == VITALWIRE_OK) code = vitalwire_client_user_info(client, options, NULL, &user, &error);
  if (code == VITALWIRE_OK && vitalwire_response_metadata_read(metadata, &response))
    printf("%zu providers after %u attempts\n", vitalwire_user_info_integrated_providers_count(user), (unsigned)response.attempts);
  if (error != NULL) fprintf(stderr, "%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
  vitalwire_client_close(client, false); /* rejects new calls; those in flight complete */
  vitalwire_error_free(error);
  vitalwire_user_info_free(user);
  vitalwire_call_options_free(options);
  vitalwire_response_metadata_free(metadata);
  vitalwire_client_free(client);
  vitalwire_client_builder_free(builder);
  return code == VITALWIRE_OK ? 0 : 1;
}
