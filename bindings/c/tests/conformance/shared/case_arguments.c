/* Reads the arguments of a case. */
#include "case_arguments.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

static const char root[] = "/call/operation/arguments";

static const struct leaf *find(const struct case_arguments *arguments, const char *name, size_t item) {
  char place[200];
  if (item == ALONE) {
    snprintf(place, sizeof place, "%s/%s", root, name);
  } else {
    snprintf(place, sizeof place, "%s/%s/%zu", root, name, item);
  }
  return plan_at(arguments->planned, place);
}

static void set_mistake(struct case_arguments *arguments, const char *what, const char *name) {
  if (arguments->mistake[0] == '\0') snprintf(arguments->mistake, sizeof arguments->mistake, "%s `%s`", what, name);
}

/* Returns the text of an argument of one of these types. */
static vitalwire_str text_of_type(struct case_arguments *arguments, const char *name, size_t item, const char *types) {
  const struct leaf *leaf = find(arguments, name, item);
  if (leaf != NULL && strchr(types, leaf->type) != NULL) return leaf->value;
  set_mistake(arguments, leaf == NULL ? "there is no argument" : "wrong type of argument", name);
  return vitalwire_str_from("");
}

void check_argument_names(struct case_arguments *arguments, const char *const *names) {
  for (size_t i = 0; i < arguments->planned->count; i++) {
    const struct leaf *leaf = &arguments->planned->leaves[i];
    if (strncmp(leaf->place, root, sizeof root - 1) != 0 || leaf->place[sizeof root - 1] != '/') continue;
    const char *name = leaf->place + sizeof root;
    const size_t length = strcspn(name, "/");
    bool known = false;
    for (size_t j = 0; names[j] != NULL; j++) known = known || (strlen(names[j]) == length && strncmp(names[j], name, length) == 0);
    if (!known) set_mistake(arguments, "the operation has no argument", name);
  }
}

bool has_argument(const struct case_arguments *arguments, const char *name) { return find(arguments, name, ALONE) != NULL || argument_count(arguments, name) > 0; }

size_t argument_count(const struct case_arguments *arguments, const char *name) {
  size_t count = 0;
  while (find(arguments, name, count) != NULL) count++;
  return count;
}

vitalwire_str argument_text(struct case_arguments *arguments, const char *name, size_t item) { return text_of_type(arguments, name, item, "s"); }

bool argument_boolean(struct case_arguments *arguments, const char *name, size_t item) {
  return vitalwire_str_equals(text_of_type(arguments, name, item, "b"), "true");
}

/* Leaves are NUL-terminated. */
int64_t argument_integer(struct case_arguments *arguments, const char *name, size_t item) {
  const vitalwire_str text = text_of_type(arguments, name, item, "n");
  char *end = NULL;
  const int64_t value = strtoll(text.data, &end, 10);
  if (*end != '\0') set_mistake(arguments, "invalid integer in argument", name);
  return value;
}

/* Reads NaN and infinities from texts, because JSON cannot express them. A client must not send these values. */
double argument_number(struct case_arguments *arguments, const char *name, size_t item) {
  const vitalwire_str text = text_of_type(arguments, name, item, "ns");
  if (vitalwire_str_equals(text, "NaN")) return (double)NAN;
  if (vitalwire_str_equals(text, "Infinity")) return (double)INFINITY;
  if (vitalwire_str_equals(text, "-Infinity")) return (double)-INFINITY;
  char *end = NULL;
  const double value = strtod(text.data, &end);
  if (*end != '\0') set_mistake(arguments, "invalid number in argument", name);
  return value;
}

bool date_read(vitalwire_str text, vitalwire_date *date) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  if (sscanf(text.data, "%d-%2u-%2u", &year, &month, &day) != 3) return false;
  *date = (vitalwire_date){(int16_t)year, (uint8_t)month, (uint8_t)day};
  return true;
}

vitalwire_date argument_date(struct case_arguments *arguments, const char *name, size_t item) {
  vitalwire_date date = {0, 0, 0};
  if (!date_read(text_of_type(arguments, name, item, "s"), &date)) set_mistake(arguments, "invalid date in argument", name);
  return date;
}

/* Returns the days from 1970-01-01 to a day of the Gregorian calendar. Years begin in March, so that a leap day is the last day. */
static int64_t days(int64_t year, int64_t month, int64_t day) {
  const int64_t from_march = month > 2 ? month - 3 : month + 9;
  const int64_t years = month > 2 ? year : year - 1;
  const int64_t era = (years >= 0 ? years : years - 399) / 400;
  const int64_t of_era = years - era * 400;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * from_march + 2) / 5 + day - 1 - 719468;
}

vitalwire_timestamp argument_timestamp(struct case_arguments *arguments, const char *name, size_t item) {
  const char *text = text_of_type(arguments, name, item, "s").data;
  int year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0, read = 0;
  if (sscanf(text, "%d-%2d-%2dT%2d:%2d:%2d%n", &year, &month, &day, &hours, &minutes, &seconds, &read) != 6) {
    set_mistake(arguments, "invalid instant in argument", name);
    return (vitalwire_timestamp){0, 0};
  }
  text += read;
  uint32_t nanoseconds = 0;
  if (*text == '.') {
    uint32_t unit = 100000000;
    for (text++; *text >= '0' && *text <= '9'; text++, unit /= 10) nanoseconds += (uint32_t)(*text - '0') * unit;
  }
  int64_t offset = 0;
  int ahead = 0, behind = 0;
  if (sscanf(text, "%*1[+-]%2d:%2d", &ahead, &behind) == 2) offset = (*text == '-' ? -60 : 60) * (ahead * 60 + behind);
  const int64_t second = days(year, month, day) * 86400 + hours * 3600 + minutes * 60 + seconds;
  return (vitalwire_timestamp){second - offset, nanoseconds};
}

struct bytes bytes_read(vitalwire_str text) {
  static const char zeros[] = "zeros:";
  if (text.length > sizeof zeros - 1 && memcmp(text.data, zeros, sizeof zeros - 1) == 0) {
    /* Leaves are NUL-terminated. */
    const size_t count = strtoull(text.data + sizeof zeros - 1, NULL, 10);
    struct bytes bytes = {memory(NULL, count + 1), count};
    memset(bytes.data, 0, count);
    return bytes;
  }
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  struct bytes bytes = {memory(NULL, text.length + 1), 0};
  uint32_t bits = 0;
  int count = 0;
  for (size_t i = 0; i < text.length && text.data[i] != '='; i++) {
    const char *at = memchr(alphabet, text.data[i], sizeof alphabet - 1);
    if (at == NULL) {
      free(bytes.data);
      return (struct bytes){NULL, 0};
    }
    bits = bits << 6 | (uint32_t)(at - alphabet);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.data[bytes.length++] = (uint8_t)(bits >> count);
    }
  }
  return bytes;
}

struct bytes argument_bytes(struct case_arguments *arguments, const char *name, size_t item) {
  if (find(arguments, name, item) == NULL) return (struct bytes){NULL, 0};
  const struct bytes bytes = bytes_read(text_of_type(arguments, name, item, "s"));
  if (bytes.data == NULL) set_mistake(arguments, "invalid base64 in argument", name);
  return bytes;
}
