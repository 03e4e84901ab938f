/* Arguments of a case, converted to the types that calls accept. */
#ifndef GIVEN_H
#define GIVEN_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Index of an argument that is not a list. */
#define ALONE SIZE_MAX

/* Arguments of a call. */
struct given {
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
void given_names(struct given *given, const char *const *names);
bool given_has(const struct given *given, const char *name);
/* Returns the number of items of a list; 0 if there is none. */
size_t given_count(const struct given *given, const char *name);

/* Return an argument, or an item of one. A mistake is recorded and returns an empty value. */
vitalwire_str given_text(struct given *given, const char *name, size_t item);
bool given_boolean(struct given *given, const char *name, size_t item);
int64_t given_integer(struct given *given, const char *name, size_t item);
double given_number(struct given *given, const char *name, size_t item);
vitalwire_timestamp given_timestamp(struct given *given, const char *name, size_t item);
vitalwire_date given_date(struct given *given, const char *name, size_t item);
/* Missing bytes are empty. */
struct bytes given_bytes(struct given *given, const char *name, size_t item);

#ifdef __cplusplus
}
#endif

#endif
