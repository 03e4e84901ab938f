/* Functions for the generated calls with one invalid argument each. */
#ifndef INVALID_ARGUMENTS_H
#define INVALID_ARGUMENTS_H

#include "smoke.h"

/* Objects that the calls use: a client with mock responses, and objects that generated code cannot create. */
struct fixture {
  vitalwire_client *client;
  vitalwire_mock_responses *responses;
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
/* Checks that handles of a type need not exist. Functions for such a type receive NULL. */
void note_missing_kind(const char *kind);
/* Checks that the error names the invalid argument, and frees the error. If `may` is true, the function may also succeed. */
void check_rejected(vitalwire_code code, vitalwire_error **error, const char *function, const char *argument, bool may);
/* Checks that the error names the invalid argument of an earlier setter, and frees the error. "" means that it may be valid. */
void check_setter_rejected(vitalwire_code code, vitalwire_error **error, const char *setter, const char *argument);

/* Makes all calls. Returns the number of invalid arguments that were passed. Generated from the headers. */
int each_argument(struct fixture fixture);

#endif
