/* Plays cases over a range. */
#ifndef RANGE_H
#define RANGE_H

#include "operation.h"

vitalwire_range_options *range_options(const struct planned *planned);
/* Collects a range and writes the outcome. */
vitalwire_code range_collect(struct json *out, const struct operation *operation, const vitalwire_range_call *range, vitalwire_error **error);
/* Reads the parts of a range one by one, also concurrently or until they are closed, and writes the outcome. */
vitalwire_code range_read_parts(struct json *out, vitalwire_str action, const vitalwire_range_call *range, vitalwire_error **error);

#endif
