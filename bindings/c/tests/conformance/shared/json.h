/* Writing canonical JSON. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vitalwire.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A text that grows; zeroed it is empty. Commas are put where they belong. */
struct json {
  char *text;
  size_t length;
  size_t capacity;
  /* What the nutritional numbers written so far refer to; NULL where there were none. */
  const char *basis;
};

void json_open(struct json *out, char bracket);
void json_close(struct json *out, char bracket);
/* The name of a member; its value comes next. */
void json_name(struct json *out, const char *name);
void json_name_of(struct json *out, vitalwire_str name);

/* No text is null. */
void json_text(struct json *out, vitalwire_str value);
void json_string(struct json *out, const char *value);
/* The bytes of a text as hexadecimal digits. */
void json_hex(struct json *out, vitalwire_str value);
void json_boolean(struct json *out, bool value);
void json_integer(struct json *out, int64_t value);
void json_number(struct json *out, double value);
void json_timestamp(struct json *out, vitalwire_timestamp value);
void json_date(struct json *out, vitalwire_date value);
void json_null(struct json *out);
/* Another text of this kind, as a value. */
void json_whole(struct json *out, const struct json *value);

/* A JSON text of the library, read and written again in canonical form. */
void json_copy(struct json *out, vitalwire_str value);
/* The same of an object's members, each marked as unknown to the client, into the object that is open; nothing of no text. */
void json_extra(struct json *out, vitalwire_str value);

bool json_same(const struct json *one, const struct json *other);
void json_free(struct json *out);

/* For json_copy.c: characters as they are, and a comma where one is needed. */
void json_raw(struct json *out, const char *text, size_t length);
void json_separate(struct json *out);

#ifdef __cplusplus
}
#endif

#endif
