/* The program of each runner: shared/main.c fetches the plan, calls the runner for each case, and posts its report. */
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

/* Implemented by the runner. Plays a case and writes `{"outcome": .., "texts": [..]}`. */
void case_play(const struct planned *planned, struct json *out);

/* Sends a GET request to the judge. The caller frees the body. Ends the program if the judge cannot be reached or fails. */
char *judge_get(const char *path, size_t *length);
/* Posts a body to the judge. Ends the program on failure, like judge_get. */
void judge_post(const char *path, const struct json *body);

/* Ends the program with a message. */
ENDS void give_up(const char *text);
/* Allocates memory, or ends the program. */
void *memory(void *old, size_t size);

#ifdef __cplusplus
}
#endif

#endif
