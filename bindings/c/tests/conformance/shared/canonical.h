/* What outcomes are made of, besides plain values. */
#ifndef CANONICAL_H
#define CANONICAL_H

#include "json.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The text of a value of an open set, marked where it is none of these names, of which the last is NULL. */
void open_value(struct json *out, vitalwire_str value, const char *const *names);
/* Begins the outcome of a success: its value and what its nutritional numbers refer to. The object stays open. */
void outcome_open(struct json *out, const struct json *value);
/* The list items that were left out of an answer. */
void skipped_items(struct json *out, const vitalwire_skipped_items *items);
/* Begins a list that is one; null is written, an absent list is not. */
bool list_begins(struct json *out, const char *wire, vitalwire_presence presence);
/* The items of a series. */
void list_numbers(struct json *out, vitalwire_numbers numbers);
/* One number, got in two ways: where they differ both stand there in a list, which equals no number. */
void agreed(struct json *out, const double *one, const double *other);
/* The same of a series, which lies at one place. */
void agreed_series(struct json *out, vitalwire_numbers one, vitalwire_numbers other);
/* What nutritional numbers refer to; `mixed` where those of one answer differ, which no answer's may. */
void basis_is(struct json *out, vitalwire_number_basis basis);
/* An outcome that no case expects. */
void unplayable(struct json *out, const char *why);

#ifdef __cplusplus
}
#endif

#endif
