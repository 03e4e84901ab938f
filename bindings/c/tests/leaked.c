/* Leaks the object that the argument names; leak checkers must report it. With "nothing", all objects are freed. */
#include <stdio.h>
#include <string.h>

#include "vitalwire.h"

static const char *what;

/* Frees an object, except the one to leak. No variable has its address afterwards. */
#define END(name, object) \
  if (strcmp(what, #name) != 0) vitalwire_##name##_free(object)

static int make(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_samples();
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, responses);
  vitalwire_mock_responses_free(responses);
  vitalwire_client *client = NULL;
  vitalwire_user_info *user = NULL;
  vitalwire_call *call = NULL;
  vitalwire_error *error = NULL;
  const bool made = vitalwire_client_builder_build(builder, &client, NULL) == VITALWIRE_OK &&
                    vitalwire_client_user_info(client, NULL, NULL, &user, NULL) == VITALWIRE_OK &&
                    vitalwire_client_user_info_start(client, NULL, NULL, NULL, NULL, NULL, &call, NULL) == VITALWIRE_OK &&
                    vitalwire_call_wait(call, 60000) && vitalwire_client_user_info(NULL, NULL, NULL, &user, &error) != VITALWIRE_OK;
  vitalwire_client_builder_free(builder);
  END(user_info, user);
  END(call, call);
  END(error, error);
  END(client, client);
  return made ? 0 : 1;
}

/* Overwrites the stack, because leak checkers count objects whose address is on the stack as reachable. */
static int overwrite(void) {
  volatile char stack[16384];
  for (size_t at = 0; at < sizeof stack; at++) stack[at] = 0;
  return stack[sizeof stack / 2];
}

int main(int count, char **arguments) {
  /* Called by pointer, so that the functions are not inlined. */
  int (*volatile steps[])(void) = {make, overwrite};
  if (count != 2) return 2;
  what = arguments[1];
  for (size_t at = 0; at < sizeof steps / sizeof *steps; at++) {
    const int failed = steps[at]();
    if (failed != 0) return failed;
  }
  return vitalwire_shutdown(NULL) == VITALWIRE_OK ? 0 : 1;
}
