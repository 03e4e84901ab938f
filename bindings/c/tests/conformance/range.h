/* Cases over a range. */
#ifndef RANGE_H
#define RANGE_H

#include "operation.h"

/* How a case's range is requested. */
vitalwire_range_options *range_options(const struct planned *planned);
/* The outcome of all parts as one. */
vitalwire_code range_collect(struct json *out, const struct operation *operation, const vitalwire_range_call *range, vitalwire_error **error);
/* The outcome of parts that are read one by one, and of what happens to them meanwhile. */
vitalwire_code range_turn(struct json *out, vitalwire_str turn, const vitalwire_range_call *range, vitalwire_error **error);

#endif
