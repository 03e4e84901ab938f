/* Each fault of the sandbox once; tests/faults/README.md of the repository says what must come of it. */
#include <stdlib.h>
#include <string.h>

#include "smoke.h"

/* Longer than a token and a fault. */
enum { LINE = 2048 };

static vitalwire_client *as(const char *token) {
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_base_url(builder, str(setting("VITALWIRE_BASE_URL")));
  vitalwire_client_builder_set_token(builder, str(token));
  vitalwire_client_builder_set_no_proxy(builder);
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_builder_build(builder, &client, &error), &error);
  vitalwire_client_builder_free(builder);
  return client;
}

static void meet(const char *token, int expected, unsigned requests, const char *fault) {
  vitalwire_client *client = as(token);
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  const vitalwire_code code = vitalwire_client_user_info(client, NULL, NULL, NULL, &user, &error);
  /* An answer does not say how often it was asked for. */
  if (!CHECK((int)code == expected) || (error != NULL && !CHECK(vitalwire_error_attempts(error) == requests))) {
    fprintf(stderr, "  %s: code %d\n", fault, (int)code);
  }
  vitalwire_error_free(error);
  vitalwire_user_info_free(user);
  vitalwire_client_free(client);
}

void case_faults(void) {
  FILE *file = fopen(setting("VITALWIRE_FAULTS"), "r");
  if (!CHECK(file != NULL)) return;
  char line[LINE];
  int count = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    char *token = strtok(line, "\t");
    char *expected = strtok(NULL, "\t");
    char *requests = strtok(NULL, "\t");
    char *fault = strtok(NULL, "\n");
    if (!CHECK(fault != NULL)) break;
    meet(token, atoi(expected), (unsigned)atoi(requests), fault);
    count++;
  }
  CHECK(count > 0);
  fclose(file);
}
