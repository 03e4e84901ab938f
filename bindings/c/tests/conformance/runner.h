/* What the parts of the runner of C share. See tests/conformance/README.md for what it does and for canonical JSON. */
#ifndef RUNNER_H
#define RUNNER_H

#include <pthread.h>

#include "shared/program.h"

/* What the hook of a case's client is told, as a list. */
struct told {
  struct json attempts;
  pthread_mutex_t lock;
};

void told_begin(struct told *told);
/* The hook; `user_data` is a `struct told`. */
void told_add(void *user_data, const vitalwire_attempt *attempt);
/* No call may be on its way any more. */
void told_end(struct told *told);

/* The settings of a case's client as a client, which adds its attempts to `told` if that is not NULL; NULL and an error where there is none. */
vitalwire_client *settings_client(const struct planned *planned, struct told *told, vitalwire_error **error);
/* Applies the settings of a plan, apart from tokens, proxy and hook; generated. */
void planned_settings(const struct planned *planned, vitalwire_client_builder *builder);
/* Applies the options of a plan; generated. */
void planned_options(const struct planned *planned, vitalwire_call_options *options);
/* The options of a case's call. */
vitalwire_call_options *settings_options(const struct planned *planned);
/* How the analysis of a case is waited for. */
vitalwire_wait_options *settings_wait(const struct planned *planned);

/* An error as canonical JSON; `attempts` are left out where they are not comparable. */
void failure_outcome(struct json *out, vitalwire_code code, const vitalwire_error *error, bool attempts);

/* Whether a case needs no client: a webhook's body, or a return from the consent flow. */
bool local_plays(const struct planned *planned);
/* Its outcome, and the message of its error. */
void local_play(const struct planned *planned, struct json *outcome, struct json *message);

#endif
