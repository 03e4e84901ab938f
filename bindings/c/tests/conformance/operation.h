/* Types for the generated calls: their inputs, and the table of operations. */
#ifndef OPERATION_H
#define OPERATION_H

#include "runner.h"
#include "shared/case_arguments.h"

/* Inputs of a call. */
struct call_input {
  struct case_arguments arguments;
  const vitalwire_client *client;
  const vitalwire_call_options *options;
  const vitalwire_cancel_token *cancel;
  /* Used only by calls that wait. */
  const vitalwire_wait_options *wait;
};

/* An operation: id, functions, and the names of its arguments, terminated by NULL. Functions that the operation lacks are NULL. */
struct operation {
  const char *id;
  vitalwire_code (*call)(struct call_input *input, struct json *out, vitalwire_error **error);
  /* Makes the call and waits until the analysis has ended. */
  vitalwire_code (*wait)(struct call_input *input, struct json *out, vitalwire_error **error);
  /* Creates the range call, and writes its merged response. */
  vitalwire_code (*range)(struct call_input *input, const vitalwire_range_options *options, vitalwire_range_call **out,
                          vitalwire_error **error);
  void (*merged)(struct json *out, const vitalwire_merged_range *merged);
  const char *const *arguments;
};

#endif
