/* A case's arguments, read as the types that calls take. */
#ifndef GIVEN_H
#define GIVEN_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An argument that is no item of a list. */
#define ALONE SIZE_MAX

/* What a call is given. */
struct given {
  const struct planned *planned;
  /* What is wrong with the case: an argument that is missing, not known or of another type. Empty where nothing is. */
  char mistake[120];
};

/* Bytes, freed by the caller. */
struct bytes {
  uint8_t *data;
  size_t length;
};

/* What base64 stands for, or `zeros:` and how many; no data where it is neither. */
struct bytes bytes_read(vitalwire_str text);

/* Refuses names that the operation does not have. */
void given_names(struct given *given, const char *const *names);
bool given_has(const struct given *given, const char *name);
/* The items of a list; 0 where there is none. */
size_t given_count(const struct given *given, const char *name);

/* An argument, or an item of one. A mistake is noted and gives nothing. */
vitalwire_str given_text(struct given *given, const char *name, size_t item);
bool given_boolean(struct given *given, const char *name, size_t item);
int64_t given_integer(struct given *given, const char *name, size_t item);
double given_number(struct given *given, const char *name, size_t item);
vitalwire_timestamp given_timestamp(struct given *given, const char *name, size_t item);
vitalwire_date given_date(struct given *given, const char *name, size_t item);
/* Bytes that are not there are none. */
struct bytes given_bytes(struct given *given, const char *name, size_t item);

#ifdef __cplusplus
}
#endif

#endif
