/* A writer of canonical JSON. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vitalwire.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A JSON text under construction. Zeroed memory is an empty text. Commas between values are added automatically. */
struct json {
  char *text;
  size_t length;
  size_t capacity;
  /* Basis of the nutritional numbers written so far; NULL if there are none. */
  const char *basis;
};

void json_open(struct json *out, char bracket);
void json_close(struct json *out, char bracket);
/* Write the name of a field. The value must be written next. */
void json_name(struct json *out, const char *name);
void json_name_of(struct json *out, vitalwire_str name);

/* Writes a text, or null if `data` is NULL. */
void json_text(struct json *out, vitalwire_str value);
void json_string(struct json *out, const char *value);
/* Writes bytes in hexadecimal. */
void json_hex(struct json *out, vitalwire_str value);
void json_boolean(struct json *out, bool value);
void json_integer(struct json *out, int64_t value);
void json_number(struct json *out, double value);
void json_timestamp(struct json *out, vitalwire_timestamp value);
void json_date(struct json *out, vitalwire_date value);
void json_null(struct json *out);
/* Writes a complete JSON text as a value. */
void json_whole(struct json *out, const struct json *value);

/* Copies a JSON text of the library in canonical form. */
void json_copy(struct json *out, vitalwire_str value);
/* Copies the rows of a table, a JSON list of objects, with some of its columns. `columns` is a list that is terminated by NULL. */
void json_copy_rows(struct json *out, vitalwire_str value, const char *const *columns);
/* Copies the fields of a JSON object to the open object, each marked as unknown. Copies nothing if `data` is NULL. */
void json_extra(struct json *out, vitalwire_str value);

bool json_same(const struct json *one, const struct json *other);
void json_free(struct json *out);

/* For json_copy.c: appends characters, and a comma if one is needed. */
void json_raw(struct json *out, const char *text, size_t length);
void json_separate(struct json *out);

#ifdef __cplusplus
}
#endif

#endif
