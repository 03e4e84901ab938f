/* Calls a server that requires a client certificate. */
#include <string.h>

#include "smoke.h"

/* Reads the user of the server, with a client certificate or without one. */
static vitalwire_code read_user(const char *certificate, vitalwire_error **error) {
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_base_url(builder, str(setting("VITALWIRE_TLS_URL")));
  vitalwire_client_builder_set_token(builder, str("token"));
  vitalwire_client_builder_set_no_proxy(builder);
  vitalwire_client_builder_add_ca_certificate(builder, str(setting("VITALWIRE_TLS_CA_CERTIFICATE")));
  vitalwire_client_builder_set_only_custom_certificates(builder, true);
  if (certificate != NULL) vitalwire_client_builder_set_client_certificate(builder, str(certificate));
  vitalwire_client *client = NULL;
  vitalwire_user_info *user = NULL;
  vitalwire_code code = vitalwire_client_builder_build(builder, &client, error);
  if (code == VITALWIRE_OK) code = vitalwire_client_user_info(client, NULL, NULL, &user, error);
  if (code == VITALWIRE_OK) CHECK(vitalwire_str_equals(vitalwire_user_info_application_user_id(user), "person-1"));
  vitalwire_user_info_free(user);
  vitalwire_client_free(client);
  vitalwire_client_builder_free(builder);
  return code;
}

/* Checks that no text of an error has a line of a certificate or key. */
static void check_not_shown(const vitalwire_error *error, const char *pem) {
  const vitalwire_str texts[] = {vitalwire_error_message(error), vitalwire_error_reason(error), vitalwire_error_cause(error)};
  for (const char *line = pem; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
    char part[80] = {0};
    memcpy(part, line, strcspn(line, "\n") < sizeof part ? strcspn(line, "\n") : sizeof part - 1);
    for (size_t i = 0; part[0] != '\0' && i < sizeof texts / sizeof *texts; i++) CHECK(!contains(texts[i], part));
  }
}

void case_client_certificate(void) {
  const char *certificate = setting("VITALWIRE_TLS_CLIENT_CERTIFICATE");
  vitalwire_error *error = NULL;
  CHECK_OK(read_user(certificate, &error), &error);

  CHECK(read_user(NULL, &error) == VITALWIRE_ERROR_TRANSPORT);
  CHECK(contains(vitalwire_error_message(error), "the server requires a client certificate that it accepts; set client_certificate"));
  CHECK(!vitalwire_error_is_transient(error) && vitalwire_error_attempts(error) == 1 && !vitalwire_error_may_have_taken_effect(error));
  check_not_shown(error, certificate);
  vitalwire_error_free(error);
  error = NULL;

  /* The private key follows the certificate. */
  char without_key[4096] = {0};
  const char *key = strstr(certificate, "-----BEGIN PRIVATE KEY-----");
  CHECK(key != NULL && key > certificate && (size_t)(key - certificate) < sizeof without_key);
  if (key != NULL) memcpy(without_key, certificate, (size_t)(key - certificate));
  CHECK(read_user(without_key, &error) == VITALWIRE_ERROR_CONFIGURATION);
  check_not_shown(error, certificate);
  vitalwire_error_free(error);
}
