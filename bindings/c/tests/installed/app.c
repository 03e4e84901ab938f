/* Makes a call with a mock response. */
#include <stdio.h>
#include <vitalwire.h>

int main(void) {
  vitalwire_client *client = NULL;
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  if (!VITALWIRE_VERSION_MATCHES()) return 2;
  vitalwire_mock_responses *responses = vitalwire_mock_responses_samples();
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, responses);
  vitalwire_code code = vitalwire_client_builder_build(builder, &client, &error);
  if (code == VITALWIRE_OK) code = vitalwire_client_user_info(client, NULL, NULL, &user, &error);
  const vitalwire_str id = vitalwire_user_info_uid(user);
  printf("vitalwire %s, an id of %d letters %.*s\n", VITALWIRE_VERSION, (int)id.length, VITALWIRE_STR(vitalwire_error_message(error)));
  vitalwire_error_free(error);
  vitalwire_user_info_free(user);
  vitalwire_client_free(client);
  vitalwire_client_builder_free(builder);
  vitalwire_mock_responses_free(responses);
  return code == VITALWIRE_OK && id.length > 0 ? 0 : 1;
}
