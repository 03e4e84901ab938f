/* Arguments of a case, converted to the types that calls accept. */
#ifndef CASE_ARGUMENTS_H
#define CASE_ARGUMENTS_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Index of an argument that is not a list. */
#define ALONE SIZE_MAX

struct case_arguments {
  const struct planned *planned;
  /* A mistake in the case: an argument that is missing, unknown or of another type. Empty if there is no mistake. */
  char mistake[120];
};

/* Bytes that the caller frees. */
struct bytes {
  uint8_t *data;
  size_t length;
};

/* Decodes base64. `zeros:N` stands for N zero bytes. `data` is NULL for any other text. */
struct bytes bytes_read(vitalwire_str text);
/* Parses a date of the plan. Returns false for any other text. */
bool date_read(vitalwire_str text, vitalwire_date *date);

/* Records a mistake if the case has an argument that is not in `names`. */
void check_argument_names(struct case_arguments *arguments, const char *const *names);
bool has_argument(const struct case_arguments *arguments, const char *name);
/* Returns the number of items of a list; 0 if there is none. */
size_t argument_count(const struct case_arguments *arguments, const char *name);

/* Return an argument, or an item of a list. After a mistake, which is recorded, they return an empty value. */
vitalwire_str argument_text(struct case_arguments *arguments, const char *name, size_t item);
bool argument_boolean(struct case_arguments *arguments, const char *name, size_t item);
int64_t argument_integer(struct case_arguments *arguments, const char *name, size_t item);
double argument_number(struct case_arguments *arguments, const char *name, size_t item);
vitalwire_timestamp argument_timestamp(struct case_arguments *arguments, const char *name, size_t item);
vitalwire_date argument_date(struct case_arguments *arguments, const char *name, size_t item);
/* Returns empty bytes for a missing argument. */
struct bytes argument_bytes(struct case_arguments *arguments, const char *name, size_t item);

#ifdef __cplusplus
}
#endif

#endif
