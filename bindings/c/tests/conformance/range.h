/* Cases over a range. */
#ifndef RANGE_H
#define RANGE_H

#include "operation.h"

/* Returns the options of a case's range. */
vitalwire_range_options *range_options(const struct planned *planned);
/* Writes the outcome of a collected range. */
vitalwire_code range_collect(struct json *out, const struct operation *operation, const vitalwire_range_call *range, vitalwire_error **error);
/* Writes the outcome of parts that are read one by one, with concurrent reads and closing. */
vitalwire_code range_turn(struct json *out, vitalwire_str turn, const vitalwire_range_call *range, vitalwire_error **error);

#endif
