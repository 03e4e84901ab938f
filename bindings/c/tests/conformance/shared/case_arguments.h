/* Arguments of a case, converted to the types that calls accept. */
#ifndef CASE_ARGUMENTS_H
#define CASE_ARGUMENTS_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Index of an argument that is not a list. */
#define ALONE SIZE_MAX

/* Arguments of a call. */
struct case_arguments {
  const struct planned *planned;
  /* The mistake in a case: an argument that is missing, unknown or of another type. Empty if there is none. */
  char mistake[120];
};

/* Bytes, freed by the caller. */
struct bytes {
  uint8_t *data;
  size_t length;
};

/* Decodes base64, or `zeros:` and their number; no data if it is neither. */
struct bytes bytes_read(vitalwire_str text);

/* Rejects unknown names. */
void check_argument_names(struct case_arguments *arguments, const char *const *names);
bool has_argument(const struct case_arguments *arguments, const char *name);
/* Returns the number of items of a list; 0 if there is none. */
size_t argument_count(const struct case_arguments *arguments, const char *name);

/* Return an argument, or an item of one. A mistake is recorded and returns an empty value. */
vitalwire_str argument_text(struct case_arguments *arguments, const char *name, size_t item);
bool argument_boolean(struct case_arguments *arguments, const char *name, size_t item);
int64_t argument_integer(struct case_arguments *arguments, const char *name, size_t item);
double argument_number(struct case_arguments *arguments, const char *name, size_t item);
vitalwire_timestamp argument_timestamp(struct case_arguments *arguments, const char *name, size_t item);
vitalwire_date argument_date(struct case_arguments *arguments, const char *name, size_t item);
/* Missing bytes are empty. */
struct bytes argument_bytes(struct case_arguments *arguments, const char *name, size_t item);

#ifdef __cplusplus
}
#endif

#endif
