/* The plan: cases of the judge, and access to their values. */
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

/* Parses the lines of a plan in place; `text` must outlive the cases. Ends the program if they are invalid. */
size_t plan_read(char *text, size_t length, struct planned **cases);

/* Returns the leaf at a pointer, or NULL. */
const struct leaf *plan_at(const struct planned *planned, const char *place);
/* Returns whether there is a value at or below a pointer. */
bool plan_has(const struct planned *planned, const char *place);
/* Creates a case of one operation from the values below a pointer; false if there are none. Free it with `plan_call_free`. */
bool plan_under(const struct planned *planned, const char *start, struct planned *call);
/* Creates a case of one call from those in sequence; false if there are not as many. Free it with `plan_call_free`. */
bool plan_call(const struct planned *planned, size_t at, struct planned *call);
void plan_call_free(struct planned *call);
/* Reads a NUL-terminated text at a pointer. Returns whether there is one. */
bool plan_text(const struct planned *planned, const char *place, vitalwire_str *value);
/* Reads a number at a pointer. Returns whether there is one. */
bool plan_number(const struct planned *planned, const char *place, uint64_t *value);
/* Reads a boolean at a pointer. Returns whether there is one. */
bool plan_boolean(const struct planned *planned, const char *place, bool *value);

#ifdef __cplusplus
}
#endif

#endif
