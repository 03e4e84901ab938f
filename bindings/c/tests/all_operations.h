/* Generated functions that make every call with valid arguments. smoke_all_operations.c uses them. */
#ifndef ALL_OPERATIONS_H
#define ALL_OPERATIONS_H

#include "smoke.h"

/* Checks a condition. On failure, also prints the name of the function. */
#define EVERY(condition, function) check((condition), #function, __LINE__, #condition)

/* Makes each call, including waits, with valid parameters. Each call must return this code. */
void each_call(vitalwire_client *client, vitalwire_code expected);
/* Like each_call, with `_start` and `_finish`. */
void each_started(vitalwire_client *client, vitalwire_code expected);
/* Makes each call that returns a record, with these options. Passes the JSON of the record to `is_body`, which frees it. */
void each_record(vitalwire_client *client, vitalwire_call_options *options, void (*is_body)(vitalwire_json *json, const char *call));
/*
 * Makes each call whose parameters can be distinct texts, and after each passes the expected end of the path, query and body.
 * Returns their number.
 */
size_t each_of_texts(vitalwire_client *client, void (*is_requested)(const char *path, const char *query, const char *body, const char *call));

#endif
