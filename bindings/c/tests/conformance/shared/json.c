/* Canonical JSON: texts, numbers, instants, dates. */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

/* Largest whole double that represents only one integer: 2^53. */
static const double exact = 9007199254740992.0;

void json_raw(struct json *out, const char *text, size_t length) {
  if (out->length + length > out->capacity) {
    out->capacity = (out->length + length) * 2 + 256;
    out->text = memory(out->text, out->capacity);
  }
  if (length > 0) memcpy(out->text + out->length, text, length);
  out->length += length;
}

void json_separate(struct json *out) {
  const char last = out->length == 0 ? '[' : out->text[out->length - 1];
  if (last != '[' && last != '{' && last != ':') json_raw(out, ",", 1);
}

static void put(struct json *out, const char *text) {
  json_separate(out);
  json_raw(out, text, strlen(text));
}

void json_open(struct json *out, char bracket) { put(out, (const char[]){bracket, '\0'}); }

void json_close(struct json *out, char bracket) { json_raw(out, &bracket, 1); }

void json_text(struct json *out, vitalwire_str value) {
  if (value.data == NULL) {
    json_null(out);
    return;
  }
  put(out, "\"");
  for (size_t i = 0; i < value.length; i++) {
    const unsigned char byte = (unsigned char)value.data[i];
    char escaped[8];
    if (byte == '"' || byte == '\\') {
      json_raw(out, (const char[]){'\\', (char)byte}, 2);
    } else if (byte < ' ') {
      json_raw(out, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", byte));
    } else {
      json_raw(out, (const char *)&byte, 1);
    }
  }
  json_raw(out, "\"", 1);
}

void json_hex(struct json *out, vitalwire_str value) {
  put(out, "\"");
  for (size_t i = 0; i < value.length; i++) {
    char digits[3];
    snprintf(digits, sizeof digits, "%02x", (unsigned)(unsigned char)value.data[i]);
    json_raw(out, digits, 2);
  }
  json_raw(out, "\"", 1);
}

void json_string(struct json *out, const char *value) { json_text(out, vitalwire_str_from(value)); }

void json_name_of(struct json *out, vitalwire_str name) {
  json_text(out, name);
  json_raw(out, ":", 1);
}

void json_name(struct json *out, const char *name) { json_name_of(out, vitalwire_str_from(name)); }

void json_null(struct json *out) { put(out, "null"); }

void json_boolean(struct json *out, bool value) { put(out, value ? "true" : "false"); }

void json_integer(struct json *out, int64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%" PRId64, value);
  put(out, text);
}

void json_number(struct json *out, double value) {
  if (fabs(value) <= exact && floor(value) == value) {
    json_integer(out, (int64_t)value);
    return;
  }
  if (isnan(value)) {
    /* Not a number: a gap in a series. */
    json_null(out);
    return;
  }
  if (!isfinite(value)) {
    /* JSON has no infinite numbers. Writes a text, which equals no number. */
    json_string(out, "not finite");
    return;
  }
  /* Finds the fewest digits that parse to the same double. 17 digits always do. */
  char text[32];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  /* Marks a whole number beyond 2^53 as a double. */
  put(out, text);
  if (strcspn(text, ".e") == strlen(text)) json_raw(out, ".0", 2);
}

/* Converts days after 1970-01-01 to a date of the Gregorian calendar. */
static void civil(int64_t days, int64_t *year, int *month, int *day) {
  /* Years begin in March, so that a leap day is the last day of its year. Day 0 is 0000-03-01. 400 years have 146,097 days. */
  days += 719468;
  const int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const int64_t of_era = days - era * 146097;
  const int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
  /* Five months from March on have 153 days, as have the five from August on. */
  const int from_march = (int)((5 * of_year + 2) / 153);
  *day = (int)(of_year - (153 * from_march + 2) / 5) + 1;
  *month = from_march < 10 ? from_march + 3 : from_march - 9;
  *year = era * 400 + years + (*month <= 2 ? 1 : 0);
}

void json_timestamp(struct json *out, vitalwire_timestamp value) {
  const int64_t day_seconds = 86400;
  int64_t days = value.seconds / day_seconds;
  int64_t rest = value.seconds % day_seconds;
  if (rest < 0) {
    rest += day_seconds;
    days -= 1;
  }
  int64_t year;
  int month, day;
  civil(days, &year, &month, &day);
  char text[80];
  int length = snprintf(text, sizeof text, "%04" PRId64 "-%02d-%02dT%02d:%02d:%02d", year, month, day, (int)(rest / 3600),
                        (int)(rest / 60 % 60), (int)(rest % 60));
  if (value.nanoseconds != 0) {
    length += snprintf(text + length, sizeof text - (size_t)length, ".%09" PRIu32, value.nanoseconds);
    while (text[length - 1] == '0') length--;
  }
  text[length++] = 'Z';
  json_text(out, (vitalwire_str){text, (size_t)length});
}

void json_date(struct json *out, vitalwire_date value) {
  char text[24];
  snprintf(text, sizeof text, "%04d-%02u-%02u", value.year, value.month, value.day);
  json_string(out, text);
}

void json_whole(struct json *out, const struct json *value) {
  json_separate(out);
  json_raw(out, value->text, value->length);
}

bool json_same(const struct json *one, const struct json *other) {
  return one->length == other->length && (one->length == 0 || memcmp(one->text, other->text, one->length) == 0);
}

void json_free(struct json *out) {
  free(out->text);
  *out = (struct json){0};
}
