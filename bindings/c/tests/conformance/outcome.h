/*
 * Macros of the generated outcomes, one per kind of field. Each macro reads a field of `of` with an accessor and writes it to
 * `out`. A missing field is left out.
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "generated/names.h"
#include "generated/outcomes.h"
#include "shared/canonical.h"

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
      any_value(out, value);                 \
    }                                        \
  } while (0)

/* Writes a JSON text of the library in canonical form, and frees the text. */
void any_value(struct json *out, vitalwire_json *value);
/* Writes unknown fields to the open JSON object, each with a mark. Writes nothing for NULL. */
void extra_members(struct json *out, vitalwire_json *value);

#endif
