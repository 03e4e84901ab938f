/* Plays a call of a case. */
#ifndef PLAYED_H
#define PLAYED_H

#include <pthread.h>

#include "operation.h"

struct played_call {
  struct call_input input;
  const struct operation *operation;
  vitalwire_call_options *options;
  vitalwire_response_metadata *metadata;
  vitalwire_wait_options *wait;
  bool waits;
  /* The outcome, and the same outcome without attempts. Calls that share a retry budget may differ in attempts. */
  struct json outcome;
  struct json plain;
  /* Message of the error; empty for a success. */
  struct json message;
  pthread_t thread;
};

/* Prepares a call; `operation` may be NULL. */
struct played_call played_call_prepare(const struct planned *planned, const vitalwire_client *client, const vitalwire_cancel_token *cancel,
                           const struct operation *operation, bool waits);
/* Makes the call and stores its outcome. `place` is a `struct played_call`. */
void *played_call_run(void *place);
void played_call_free(struct played_call *played);

#endif
