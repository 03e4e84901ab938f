/* Every call with valid arguments. Generated; used by smoke_every.c. */
#ifndef EVERY_H
#define EVERY_H

#include "smoke.h"

/* Names the function of a check that fails. */
#define EVERY(condition, function) check((condition), #function, __LINE__, #condition)

/* Makes each call, including waits, with valid parameters; each must end with this code. */
void each_call(vitalwire_client *client, vitalwire_code expected);
/* The same with `_start` and `_finish`. */
void each_started(vitalwire_client *client, vitalwire_code expected);
/* Makes each call that returns a record with these options, and passes the JSON of the record on, which must be freed. */
void each_record(vitalwire_client *client, vitalwire_call_options *options, void (*is_body)(vitalwire_json *json, const char *call));
/*
 * Makes each call whose parameters can be distinct texts, and after each passes the expected end of the path, query and body.
 * Returns their number.
 */
size_t each_of_texts(vitalwire_client *client, void (*is_requested)(const char *path, const char *query, const char *body, const char *call));

#endif
