/* A process that has no file descriptors left. */
#include <sys/resource.h>
#include <unistd.h>

#include "smoke.h"

/* Lets no further descriptor be opened. Returns the former limit. */
static struct rlimit exhaust(void) {
  struct rlimit former, none;
  CHECK(getrlimit(RLIMIT_NOFILE, &former) == 0);
  none = former;
  const int next = dup(STDERR_FILENO);
  CHECK(next >= 0 && close(next) == 0);
  none.rlim_cur = (rlim_t)next;
  CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
  return former;
}

static void check_exhausted(vitalwire_code code, vitalwire_error **error) {
  CHECK(code == VITALWIRE_ERROR_TRANSPORT && contains(vitalwire_error_message(*error), "no file descriptors are left"));
  vitalwire_error_free(*error);
  *error = NULL;
}

void case_descriptors(void) {
  vitalwire_client *client = sandbox();
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  vitalwire_descriptor descriptor;
  const struct rlimit former = exhaust();
  check_exhausted(vitalwire_client_user_info(client, NULL, NULL, &user, &error), &error);
  check_exhausted(vitalwire_client_descriptor(client, &descriptor, &error), &error);
  CHECK(setrlimit(RLIMIT_NOFILE, &former) == 0);
  CHECK(is_person(client));
  CHECK_OK(vitalwire_client_descriptor(client, &descriptor, &error), &error);
  vitalwire_client_free(client);
}
