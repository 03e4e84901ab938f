/* Functions for the generated calls with one invalid argument each. */
#ifndef INVALID_ARGUMENTS_H
#define INVALID_ARGUMENTS_H

#include "smoke.h"

/* Objects for the calls: a client with mock responses, and objects that need special code to create. */
struct fixture {
  vitalwire_client *client;
  vitalwire_mock_responses *answers;
  vitalwire_error *error;
  /* Large enough for any output. */
  void *place;
};

/* Returns a valid text for an argument of this name. */
vitalwire_str valid_text(const char *argument);
/* Valid bytes for a function. */
struct bytes {
  const uint8_t *data;
  size_t length;
};
struct bytes valid_bytes(const char *function);
/* Checks that a handle was created. */
void check_created(vitalwire_code code, vitalwire_error **error, const char *function);
/* Checks that a kind may have no handle. Its functions get NULL. */
void note_missing_kind(const char *kind);
/* Checks that the error names the invalid argument. If `may`, the function may also succeed. Frees the error. */
void check_rejected(vitalwire_code code, vitalwire_error **error, const char *function, const char *argument, bool may);
/* Checks that the function after a setter names the setter's invalid argument; "" if it may be valid. Frees the error. */
void check_setter_rejected(vitalwire_code code, vitalwire_error **error, const char *setter, const char *argument);

/* Makes all calls. Generated from the headers. Returns how many arguments were tried. */
int each_argument(struct fixture fixture);

#endif
