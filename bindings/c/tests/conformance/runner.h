/* The conformance runner: what its parts share. See tests/conformance/README.md for what it does and for canonical JSON. */
#ifndef RUNNER_H
#define RUNNER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json.h"
#include "vitalwire.h"

/* A leaf of a case: its JSON pointer, its type (see the README) and its value. */
struct leaf {
  const char *place;
  char type;
  vitalwire_str value;
};

/* A case of the plan. */
struct planned {
  const char *id;
  const struct leaf *leaves;
  size_t count;
};

/* The plan's lines, read in place; `text` must outlive the cases. Ends the program where the lines are none of a plan. */
size_t plan_read(char *text, size_t length, struct planned **cases);
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

/* The leaf at a pointer, or NULL. */
const struct leaf *plan_at(const struct planned *planned, const char *place);
/* Whether something stands at or below a pointer. */
bool plan_has(const struct planned *planned, const char *place);
/* What stands below a pointer, as a case of one operation; false where nothing does. `plan_call_free` ends it. */
bool plan_under(const struct planned *planned, const char *start, struct planned *call);
/* Of calls in a row the one at a place, as a case of one call; false where there are not so many. `plan_call_free` ends it. */
bool plan_call(const struct planned *planned, size_t at, struct planned *call);
void plan_call_free(struct planned *call);
/* A text at a pointer; whether it was there. It ends with a NUL. */
bool plan_text(const struct planned *planned, const char *place, vitalwire_str *value);
/* A number at a pointer; whether it was there. */
bool plan_number(const struct planned *planned, const char *place, uint64_t *value);

/* The settings of a case's client as a client, which adds its attempts to `told` if that is not NULL; NULL and an error where there is none. */
vitalwire_client *settings_client(const struct planned *planned, struct told *told, vitalwire_error **error);
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

/* Plays a case: `{"outcome": .., "texts": [..]}`. */
void turn_play(const struct planned *planned, struct json *out);
/* What is posted of a case that did not end in time. */
void turn_late(struct json *out);

/* Asks the judge for a path; the body is the caller's. Both end the program where the judge cannot be reached or says no. */
char *judge_get(const char *path, size_t *length);
/* Posts a body to the judge. */
void judge_post(const char *path, const struct json *body);

/* Ends the program with a text. */
_Noreturn void give_up(const char *text);
/* Memory, or the end of the program. */
void *memory(void *old, size_t size);

#endif
