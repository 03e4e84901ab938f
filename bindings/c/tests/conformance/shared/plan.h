/* The plan: cases as the judge gives them, and what stands at a place of one. */
#ifndef PLAN_H
#define PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vitalwire.h"

#ifdef __cplusplus
extern "C" {
#endif

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
/* A boolean at a pointer; whether it was there. */
bool plan_boolean(const struct planned *planned, const char *place, bool *value);

#ifdef __cplusplus
}
#endif

#endif
