/* What the generated outcomes are made of: one macro per kind of member. Each reads `of` by an accessor and writes to `out`; a
   member that is not there is left out. */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "generated/names.h"
#include "generated/outcomes.h"
#include "json.h"

/* A boolean, number, instant or date. */
#define PLAIN(kind, type, accessor, wire) \
  do {                                    \
    type value;                           \
    if (accessor(of, &value)) {           \
      json_name(out, wire);               \
      json_##kind(out, value);            \
    }                                     \
  } while (0)

#define TEXT(accessor, wire)                   \
  do {                                         \
    const vitalwire_str value = accessor(of);  \
    if (value.data != NULL) {                  \
      json_name(out, wire);                    \
      json_text(out, value);                   \
    }                                          \
  } while (0)

/* A value of an open set. */
#define OPEN(names, accessor, wire)            \
  do {                                         \
    const vitalwire_str value = accessor(of);  \
    if (value.data != NULL) {                  \
      json_name(out, wire);                    \
      open_value(out, value, names);           \
    }                                          \
  } while (0)

/* An object, written by a function of generated/outcomes. */
#define CHILD(outcome, accessor, wire)  \
  do {                                  \
    if (accessor(of) != NULL) {         \
      json_name(out, wire);             \
      outcome(out, accessor(of));       \
    }                                   \
  } while (0)

/* A value of any type. */
#define ANY(accessor, wire)                  \
  do {                                       \
    vitalwire_json *value = accessor(of);    \
    if (value != NULL) {                     \
      json_name(out, wire);                  \
      json_copy(out, value);                 \
    }                                        \
  } while (0)

/* The text of a value of an open set, marked where it is none of these names. */
void open_value(struct json *out, vitalwire_str value, const char *const *names);
/* Begins the outcome of a success: its value and what its nutritional numbers refer to. The object stays open. */
void outcome_open(struct json *out, const struct json *value);
/* Begins a list that is one; null is written, an absent list is not. */
bool list_begins(struct json *out, const char *wire, vitalwire_presence presence);
/* The items of a series. */
void list_numbers(struct json *out, vitalwire_numbers numbers);
/* One number, got in two ways: where they differ both stand there in a list, which equals no number. */
void agreed(struct json *out, const double *one, const double *other);
/* The same of a series, which lies at one place. */
void agreed_series(struct json *out, vitalwire_numbers one, vitalwire_numbers other);
/* What nutritional numbers refer to; `mixed` where those of one answer differ, which no answer's may. */
void basis_is(struct json *out, vitalwire_basis basis);

#endif
