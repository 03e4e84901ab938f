/* Inputs of every generated call, and the description of an operation. */
#ifndef OPERATION_H
#define OPERATION_H

#include "runner.h"
#include "shared/case_arguments.h"

/* A call that is about to be made. */
struct turn {
  struct case_arguments arguments;
  const vitalwire_client *client;
  const vitalwire_call_options *options;
  const vitalwire_cancel_token *cancel;
  /* Options of a wait. */
  const vitalwire_wait_options *wait;
};

/* An operation: its id, its call, its other functions (NULL if it has none), and the names of its arguments, ending with NULL. */
struct operation {
  const char *id;
  vitalwire_code (*call)(struct turn *turn, struct json *out, vitalwire_error **error);
  /* The call with a wait. */
  vitalwire_code (*wait)(struct turn *turn, struct json *out, vitalwire_error **error);
  /* The range call, and its merged response. */
  vitalwire_code (*range)(struct turn *turn, const vitalwire_range_options *options, vitalwire_range_call **out, vitalwire_error **error);
  void (*merged)(struct json *out, const vitalwire_merged_range *merged);
  const char *const *arguments;
};

#endif
