/* Functions for the generated calls with invalid handles. */
#ifndef INVALID_HANDLES_H
#define INVALID_HANDLES_H

#include "probe.h"

/* Invalid handles, and valid values for the other arguments. */
struct invalid_handles {
  void *stranger;
  /* Invalid handle for arguments whose type is `kind`, the type of `stranger`. */
  void *other;
  const char *kind;
  vitalwire_client *vitalwire_client;
  vitalwire_client_builder *vitalwire_client_builder;
  vitalwire_call_options *vitalwire_call_options;
  vitalwire_sync_params *vitalwire_sync_params;
  vitalwire_str text;
  /* Large enough for any output. */
  void *place;
};

void *invalid_handle(const struct invalid_handles *no, const char *kind);

/* Checks that the library rejected exactly one handle, and that the function returned nothing. */
void expect_none(const char *function, const char *argument, int64_t refused_before, bool nothing);
/* Like expect_none. Also checks that the error names the argument, and frees the error. */
void expect_error(const char *function, const char *argument, int64_t refused_before, vitalwire_code code, vitalwire_error *error);

#define REFUSED(function, argument, call)                      \
  do {                                                         \
    vitalwire_error *error = NULL;                             \
    const int64_t before = vitalwire_probe_refused();          \
    const vitalwire_code code = (call);                        \
    expect_error((function), (argument), before, code, error); \
  } while (0)
#define REFUSED_VOID(function, argument, call)         \
  do {                                                 \
    const int64_t before = vitalwire_probe_refused();  \
    (call);                                            \
    expect_none((function), (argument), before, true); \
  } while (0)
#define REFUSED_VALUE(function, argument, call)           \
  do {                                                    \
    const int64_t before = vitalwire_probe_refused();     \
    const bool nothing = (call) == 0;                     \
    expect_none((function), (argument), before, nothing); \
  } while (0)
#define REFUSED_VIEW(function, argument, call)            \
  do {                                                    \
    const int64_t before = vitalwire_probe_refused();     \
    const bool nothing = (call).data == NULL;             \
    expect_none((function), (argument), before, nothing); \
  } while (0)

/* Makes all calls. Returns the number of invalid handles that were passed. Generated from the headers. */
int each_handle(const struct invalid_handles *no);

#endif
