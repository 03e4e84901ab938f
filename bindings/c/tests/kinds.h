/* Functions for the generated calls with handles of another kind. */
#ifndef KINDS_H
#define KINDS_H

#include "probe.h"

/* Invalid handles, and valid values of other arguments. */
struct invalid_handles {
  void *stranger;
  /* Replaces `stranger` in arguments of its kind. */
  void *other;
  const char *kind;
  vitalwire_client *vitalwire_client;
  vitalwire_client_builder *vitalwire_client_builder;
  vitalwire_call_options *vitalwire_call_options;
  vitalwire_str text;
  /* Large enough for any output. */
  void *place;
};

void *invalid_handle(const struct invalid_handles *no, const char *kind);

/* Checks that the library rejected exactly one handle. A function that does not check need not crash. */
void expect_none(const char *function, const char *argument, int64_t refused_before, bool nothing);
/* Checks also that the error names the argument. Frees the error. */
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

/* Makes all calls. Generated from the headers. Returns how many handles were tried. */
int each_handle(const struct invalid_handles *no);

#endif
