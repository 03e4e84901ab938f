/* The plan, which contains the cases of the judge, and access to their values. */
#ifndef PLAN_H
#define PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vitalwire.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A value of a case, with its JSON pointer and its type. tests/conformance/README.md describes the types. */
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

/* Parses the lines of a plan in place, so `text` must outlive the cases. Ends the program if a line is invalid. */
size_t plan_read(char *text, size_t length, struct planned **cases);

/* Returns the leaf at a pointer, or NULL. */
const struct leaf *plan_at(const struct planned *planned, const char *place);
/* Returns whether there is a value at or below a pointer. */
bool plan_has(const struct planned *planned, const char *place);
/* Creates a case of one operation from the values below a pointer. Returns false if there are none. Free the case with `plan_call_free`. */
bool plan_under(const struct planned *planned, const char *start, struct planned *call);
/* Creates a case from an item of a list, by index from 0. Returns false beyond the end. Free the case with `plan_call_free`. */
bool plan_item(const struct planned *planned, const char *list, size_t at, struct planned *call);
void plan_call_free(struct planned *call);
/* Writes the NUL-terminated text at a pointer. Returns whether there is one. */
bool plan_text(const struct planned *planned, const char *place, vitalwire_str *value);
/* Writes the number at a pointer. Returns whether there is one. */
bool plan_number(const struct planned *planned, const char *place, uint64_t *value);
/* Writes the boolean at a pointer. Returns whether there is one. */
bool plan_boolean(const struct planned *planned, const char *place, bool *value);

#ifdef __cplusplus
}
#endif

#endif
