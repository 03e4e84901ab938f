/* Functions that the parts of the C runner share. tests/conformance/README.md describes runners and canonical JSON. */
#ifndef RUNNER_H
#define RUNNER_H

#include <pthread.h>

#include "shared/program.h"

/* The attempts that the observer of a client received, as a JSON list. */
struct attempt_log {
  struct json attempts;
  pthread_mutex_t lock;
};

void attempt_log_begin(struct attempt_log *log);
/* Observer that adds an attempt. `user_data` is a `struct attempt_log`. */
void attempt_log_add(void *user_data, const vitalwire_attempt *attempt);
/* Closes the JSON list. No call may be in flight. */
void attempt_log_end(struct attempt_log *log);

/* Creates the client of a case. `base_path` follows the base URL. If `log` is not NULL, it receives the attempts. Returns NULL and an error
 * on failure. */
vitalwire_client *settings_client(const struct planned *planned, vitalwire_str base_path, struct attempt_log *log,
                                  vitalwire_error **error);
/* Applies the settings of a plan, except tokens, proxy and observer. Generated. */
void planned_settings(const struct planned *planned, vitalwire_client_builder *builder);
/* Applies the call options of a plan. Generated. */
void planned_options(const struct planned *planned, vitalwire_call_options *options);
vitalwire_call_options *settings_options(const struct planned *planned);
vitalwire_wait_options *settings_wait(const struct planned *planned);

/* Writes an error as canonical JSON, with `attempts` if they are comparable. */
void failure_outcome(struct json *out, vitalwire_code code, const vitalwire_error *error, bool attempts);

/* Returns whether a case needs no client: a webhook or a consent redirect. */
bool local_plays(const struct planned *planned);
/* Plays such a case. Writes the outcome, and the message of an error. */
void local_play(const struct planned *planned, struct json *outcome, struct json *message);

/* Plays the syncs of a case. Writes the outcome, and the messages of errors, separated by commas. */
void sync_play(const struct planned *planned, const vitalwire_client *client, struct json *outcome, struct json *messages);

#endif
