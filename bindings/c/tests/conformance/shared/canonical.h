/* Writes parts of outcomes as canonical JSON. */
#ifndef CANONICAL_H
#define CANONICAL_H

#include "json.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a value of an open set. The text is marked unless it is one of `names`, a list that is terminated by NULL. */
void open_value(struct json *out, vitalwire_str value, const char *const *names);
/* Begins the outcome of a success: the value and the basis of its numbers. Leaves the JSON object open. */
void outcome_open(struct json *out, const struct json *value);
/* Writes the skipped list items of a response. */
void skipped_items(struct json *out, const vitalwire_skipped_items *items);
/* Begins a list. Writes null for a null list, and nothing for an absent one. Returns whether there is a list. */
bool list_begins(struct json *out, const char *wire, vitalwire_presence presence);
/* Writes the items of a series. */
void list_numbers(struct json *out, vitalwire_numbers numbers);
/* Writes a number that was read in two ways. If the numbers differ, writes a list of both, which equals no number. */
void agreed(struct json *out, const double *one, const double *other);
/* Writes a series that was read in two ways, which must return the same address. */
void agreed_series(struct json *out, vitalwire_numbers one, vitalwire_numbers other);
/* Records the basis of nutritional numbers. If a response has numbers of several bases, records `mixed`, which no case expects. */
void basis_is(struct json *out, vitalwire_number_basis basis);
/* Writes an outcome that no case expects. */
void unplayable(struct json *out, const char *why);

#ifdef __cplusplus
}
#endif

#endif
