/* What every generated call is given, and what is known of an operation. */
#ifndef OPERATION_H
#define OPERATION_H

#include "runner.h"
#include "shared/given.h"

/* A call about to be made. */
struct turn {
  struct given given;
  const vitalwire_client *client;
  const vitalwire_call_options *options;
  const vitalwire_cancel_token *cancel;
  /* How an analysis is waited for. */
  const vitalwire_wait_options *wait;
};

/* An operation: its id, its call, what it has besides (NULL where it does not), and the names of its arguments, of which the last is NULL. */
struct operation {
  const char *id;
  vitalwire_code (*call)(struct turn *turn, struct json *out, vitalwire_error **error);
  /* The call that waits. */
  vitalwire_code (*wait)(struct turn *turn, struct json *out, vitalwire_error **error);
  /* The call over a range, and its merged answer. */
  vitalwire_code (*range)(struct turn *turn, const vitalwire_range_options *options, vitalwire_range_call **out, vitalwire_error **error);
  void (*merged)(struct json *out, const vitalwire_merged_range *merged);
  const char *const *arguments;
};

#endif
