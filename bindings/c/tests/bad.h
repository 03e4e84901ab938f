/* What the generated calls with one bad argument each are made of. */
#ifndef BAD_H
#define BAD_H

#include "smoke.h"

/* What bad.c makes for them: a client that answers from memory, and what has no one way to be made. */
struct given {
  vitalwire_client *client;
  vitalwire_mock_responses *answers;
  vitalwire_error *error;
  /* Large enough for any output. */
  void *place;
};

/* A valid text for an argument of this name. */
vitalwire_str text_of(const char *argument);
/* Valid bytes for a function. */
struct bytes {
  const uint8_t *data;
  size_t length;
};
struct bytes bytes_of(const char *function);
/* What makes a handle has to. */
void got(vitalwire_code code, vitalwire_error **error, const char *function);
/* There is no handle of this kind: its functions get NULL. */
void lacks(const char *kind);
/* A function that fails names the argument that was bad; where `may`, it may also take it. Frees the error. */
void refused(vitalwire_code code, vitalwire_error **error, const char *function, const char *argument, bool may);
/* What uses an object after a setter was given a bad argument names that; "" where the setter may take it. Frees the error. */
void setter_refused(vitalwire_code code, vitalwire_error **error, const char *setter, const char *argument);

/* Generated from the headers; how many arguments were tried. */
int each_argument(struct given given);

#endif
