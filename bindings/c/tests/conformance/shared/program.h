/* The program that each runner is: shared/main.c fetches the plan, has the runner play each case, and posts what came of it. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stddef.h>

#include "json.h"
#include "plan.h"

#ifdef __cplusplus
extern "C" {
#define ENDS [[noreturn]]
#else
#define ENDS _Noreturn
#endif

/* Of the runner. Plays a case: `{"outcome": .., "texts": [..]}`. */
void turn_play(const struct planned *planned, struct json *out);

/* Asks the judge for a path; the body is the caller's. Both end the program where the judge cannot be reached or says no. */
char *judge_get(const char *path, size_t *length);
/* Posts a body to the judge. */
void judge_post(const char *path, const struct json *body);

/* Ends the program with a text. */
ENDS void give_up(const char *text);
/* Memory, or the end of the program. */
void *memory(void *old, size_t size);

#ifdef __cplusplus
}
#endif

#endif
