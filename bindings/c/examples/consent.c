/* A CGI program that connects a provider: /connect sends the user to the consent page, /back shows the result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "vitalwire.h"

/* Writes a random state in hexadecimal. */
static bool write_state(char state[33]) {
  unsigned char bytes[16];
  FILE *random = fopen("/dev/urandom", "rb");
  const bool is_read = random != NULL && fread(bytes, sizeof bytes, 1, random) == 1;
  if (random != NULL) fclose(random);
  for (size_t i = 0; is_read && i < sizeof bytes; i++) snprintf(state + 2 * i, 3, "%02x", bytes[i]);
  return is_read;
}

/* Redirects to the consent URL. The browser keeps the state in a cookie. */
static bool send_to_consent(const vitalwire_client *client) {
  char state[33];
  vitalwire_integration_init *consent = NULL;
  vitalwire_integrations_init_url_params *params = vitalwire_integrations_init_url_params_new(vitalwire_str_from("polar"));
  vitalwire_integrations_init_url_params_set_redirect_uri(params, vitalwire_str_from("https://example.org/back"));
  bool started = write_state(state);
  if (started) vitalwire_integrations_init_url_params_set_state(params, vitalwire_str_from(state));
  started = started && vitalwire_client_integrations_init_url(client, params, NULL, NULL, &consent, NULL) == VITALWIRE_OK;
  if (started) {
    printf("Status: 303\r\nSet-Cookie: state=%s; Secure; HttpOnly; SameSite=Lax; Max-Age=600\r\n", state);
    printf("Location: %.*s\r\n\r\n", VITALWIRE_STR(vitalwire_integration_init_path(consent))); /* secret: never log it */
  }
  vitalwire_integration_init_free(consent);
  vitalwire_integrations_init_url_params_free(params);
  return started;
}

/* Checks that the redirect belongs to this browser, and shows its result. */
static bool show_result(const char *query, const char *cookies) {
  const char *cookie = cookies == NULL ? NULL : strstr(cookies, "state=");
  if (cookie == NULL) return false; /* without an expected state, nothing would be checked */
  const vitalwire_str state = {cookie + 6, strcspn(cookie + 6, ";")};
  vitalwire_consent_redirect *redirect = NULL;
  if (vitalwire_consent_redirect_parse(vitalwire_str_from(query), state, &redirect, NULL) != VITALWIRE_OK) return false;
  const bool failed = vitalwire_consent_redirect_failure(redirect).data != NULL;
  printf("Status: 200\r\nContent-Type: text/plain\r\n\r\n%.*s is %s\n",
         VITALWIRE_STR(vitalwire_consent_redirect_provider_slug(redirect)), failed ? "not connected" : "connected");
  vitalwire_consent_redirect_free(redirect);
  return true;
}

int main(void) {
  const char *path = getenv("PATH_INFO");
  vitalwire_client *client = NULL;
  bool done = vitalwire_client_from_env(&client, NULL) == VITALWIRE_OK;
  if (done && path != NULL && strcmp(path, "/connect") == 0) done = send_to_consent(client);
  else done = done && show_result(getenv("QUERY_STRING"), getenv("HTTP_COOKIE"));
  if (!done) printf("Status: 400\r\nContent-Type: text/plain\r\n\r\nThe connection failed, or was started in another browser.\n");
  vitalwire_client_free(client);
  return 0;
}
