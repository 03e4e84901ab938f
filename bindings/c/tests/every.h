/* Every call as it should be made: written out by the generator, used by smoke_every.c. */
#ifndef EVERY_H
#define EVERY_H

#include "smoke.h"

/* Names the function of a check that fails. */
#define EVERY(condition, function) check((condition), #function, __LINE__, #condition)

/* Makes each call with valid parameters, those that wait too; each ends with this code. */
void each_call(vitalwire_client *client, vitalwire_code expected);
/* The same by `_start` and `_finish`. */
void each_started(vitalwire_client *client, vitalwire_code expected);
/* Makes each call that answers a record with these options; hands the JSON of the record on, which is to be freed. */
void each_record(vitalwire_client *client, vitalwire_call_options *options, void (*is_body)(vitalwire_json *json, const char *call));
/* Makes each call that can be made by texts alone, each text another, and says after each what was to be requested: the end of the path, the query
   and the body, where either has one. How many there are. */
size_t each_of_texts(vitalwire_client *client, void (*is_requested)(const char *path, const char *query, const char *body, const char *call));

#endif
