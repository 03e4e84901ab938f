/* A CGI program that connects a provider: /connect sends the user to the consent page, /back shows the result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "vitalwire.h"

/* Stub of your sign-in: every visitor is the user of VITALWIRE_TOKEN. Return a client of the user who is signed in. */
static vitalwire_code signed_in_client(vitalwire_client **client, vitalwire_error **error) {
  return vitalwire_client_from_env(client, error);
}

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
static bool send_to_consent(void) {
  char state[33];
  if (!write_state(state)) return false;
  vitalwire_client *client = NULL;
  vitalwire_integration_init *consent = NULL;
  vitalwire_error *error = NULL;
  vitalwire_integrations_init_url_params *params = vitalwire_integrations_init_url_params_new(vitalwire_str_from("polar"));
  vitalwire_integrations_init_url_params_set_redirect_uri(params, vitalwire_str_from("https://example.org/back"));
  vitalwire_integrations_init_url_params_set_state(params, vitalwire_str_from(state));
  vitalwire_code code = signed_in_client(&client, &error);
  if (code == VITALWIRE_OK) code = vitalwire_client_integrations_init_url(client, params, NULL, NULL, &consent, &error);
  const vitalwire_str url = vitalwire_integration_init_path(consent); /* secret: never log it */
  if (url.data != NULL) {
    printf("Status: 303\r\nSet-Cookie: state=%s; Secure; HttpOnly; SameSite=Lax; Max-Age=600\r\n", state);
    printf("Location: %.*s\r\n\r\n", VITALWIRE_STR(url));
  }
  if (error != NULL) fprintf(stderr, "%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
  const bool started = url.data != NULL;
  vitalwire_error_free(error);
  vitalwire_integration_init_free(consent);
  vitalwire_integrations_init_url_params_free(params);
  vitalwire_client_free(client);
  return started;
}

/* Returns the value of the cookie with this name, or an empty text. */
static vitalwire_str cookie(const char *cookies, const char *name) {
  const size_t length = strlen(name);
  while (cookies != NULL && *cookies != '\0') {
    const size_t end = strcspn(cookies, ";");
    if (end > length + 1 && strncmp(cookies, name, length) == 0 && cookies[length] == '=')
      return (vitalwire_str){cookies + length + 1, end - length - 1};
    cookies += end;
    cookies += strspn(cookies, "; ");
  }
  return (vitalwire_str){NULL, 0};
}

/* Checks that the redirect belongs to this browser, shows its result and removes the cookie. */
static bool show_result(const char *query) {
  const vitalwire_str state = cookie(getenv("HTTP_COOKIE"), "state");
  if (state.data == NULL) return false; /* without an expected state, nothing would be checked */
  vitalwire_consent_redirect *redirect = NULL;
  if (vitalwire_consent_redirect_parse(vitalwire_str_from(query), state, &redirect, NULL) != VITALWIRE_OK) return false;
  const bool failed = vitalwire_consent_redirect_failure(redirect).data != NULL;
  printf("Status: 200\r\nContent-Type: text/plain\r\nSet-Cookie: state=; Secure; HttpOnly; SameSite=Lax; Max-Age=0\r\n\r\n%.*s is %s\n",
         VITALWIRE_STR(vitalwire_consent_redirect_provider_slug(redirect)), failed ? "not connected" : "connected");
  vitalwire_consent_redirect_free(redirect);
  return true;
}

static void show_failure(int status, const char *text) { printf("Status: %d\r\nContent-Type: text/plain\r\n\r\n%s\n", status, text); }

int main(void) {
  const char *path = getenv("PATH_INFO") == NULL ? "" : getenv("PATH_INFO");
  if (strcmp(path, "/connect") == 0) {
    if (!send_to_consent()) show_failure(502, "The connection cannot be started.");
  } else if (strcmp(path, "/back") == 0) {
    if (!show_result(getenv("QUERY_STRING"))) show_failure(400, "No such connection was started in this browser.");
  } else {
    show_failure(404, "There is no such page.");
  }
  return 0;
}
