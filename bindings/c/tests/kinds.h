/* What the generated calls with handles of the wrong kind are made of. */
#ifndef KINDS_H
#define KINDS_H

#include "probe.h"

/* What is given instead of a handle, and what is right of the rest. */
struct no_handles {
  void *stranger;
  /* Instead of a handle of the stranger's own kind. */
  void *other;
  const char *kind;
  vitalwire_client *vitalwire_client;
  vitalwire_client_builder *vitalwire_client_builder;
  vitalwire_call_options *vitalwire_call_options;
  vitalwire_str text;
  /* Large enough for any output. */
  void *place;
};

void *no_handle(const struct no_handles *no, const char *kind);

/* The check of the library has to have said no, exactly once: a function that believes what it is given need not crash. */
void expect(const char *function, const char *argument, int64_t refused_before, bool nothing);
/* The same of what can fail, which names the argument; frees the error. */
void expect_error(const char *function, const char *argument, int64_t refused_before, vitalwire_code code, vitalwire_error *error);

#define REFUSED(function, argument, call)                       \
  do {                                                          \
    vitalwire_error *error = NULL;                              \
    const int64_t before = vitalwire_probe_refused();           \
    const vitalwire_code code = (call);                         \
    expect_error((function), (argument), before, code, error);  \
  } while (0)
#define REFUSED_VOID(function, argument, call)            \
  do {                                                    \
    const int64_t before = vitalwire_probe_refused();     \
    (call);                                               \
    expect((function), (argument), before, true);         \
  } while (0)
#define REFUSED_VALUE(function, argument, call)           \
  do {                                                    \
    const int64_t before = vitalwire_probe_refused();     \
    const bool nothing = (call) == 0;                     \
    expect((function), (argument), before, nothing);      \
  } while (0)
#define REFUSED_VIEW(function, argument, call)            \
  do {                                                    \
    const int64_t before = vitalwire_probe_refused();     \
    const bool nothing = (call).data == NULL;             \
    expect((function), (argument), before, nothing);      \
  } while (0)

/* Generated from the headers; how many handles were tried. */
int each_handle(const struct no_handles *no);

#endif
