/* Writes parts of outcomes as canonical JSON. */
#include "canonical.h"

#include <string.h>

void outcome_open(struct json *out, const struct json *value) {
  json_open(out, '{');
  json_name(out, "value");
  json_whole(out, value);
  if (value->basis != NULL) {
    json_name(out, "basis");
    json_string(out, value->basis);
  }
}

void skipped_items(struct json *out, const vitalwire_skipped_items *items) {
  json_name(out, "skipped_items");
  json_open(out, '[');
  vitalwire_skipped_item item;
  for (size_t i = 0; vitalwire_skipped_items_at(items, i, &item); i++) {
    json_open(out, '{');
    json_name(out, "json_path");
    json_text(out, item.json_path);
    json_name(out, "reason");
    json_text(out, item.reason);
    json_name(out, "json");
    json_text(out, item.json);
    json_close(out, '}');
  }
  json_close(out, ']');
}

void open_value(struct json *out, vitalwire_str value, const char *const *names) {
  while (*names != NULL && !vitalwire_str_equals(value, *names)) names++;
  if (*names != NULL) {
    json_text(out, value);
    return;
  }
  json_open(out, '{');
  json_name(out, "unknown");
  json_text(out, value);
  json_close(out, '}');
}

bool list_begins(struct json *out, const char *wire, vitalwire_presence presence) {
  if (presence == VITALWIRE_PRESENCE_ABSENT) return false;
  json_name(out, wire);
  if (presence == VITALWIRE_PRESENCE_NULL) {
    json_null(out);
    return false;
  }
  json_open(out, '[');
  return true;
}

void list_numbers(struct json *out, vitalwire_numbers numbers) {
  for (size_t i = 0; i < numbers.length; i++) json_number(out, numbers.data[i]);
}

static void number_or_null(struct json *out, const double *number) {
  if (number != NULL) {
    json_number(out, *number);
  } else {
    json_null(out);
  }
}

void agreed(struct json *out, const double *one, const double *other) {
  if (one != NULL && other != NULL && *one == *other) {
    json_number(out, *one);
    return;
  }
  json_open(out, '[');
  number_or_null(out, one);
  number_or_null(out, other);
  json_close(out, ']');
}

void agreed_series(struct json *out, vitalwire_numbers one, vitalwire_numbers other) {
  if (one.data != other.data || one.length != other.length) {
    json_string(out, "differs by name and by place");
    return;
  }
  json_open(out, '[');
  list_numbers(out, one);
  json_close(out, ']');
}

void basis_is(struct json *out, vitalwire_number_basis basis) {
  const char *name = "unknown";
  if (basis == VITALWIRE_NUMBER_BASIS_PER_SERVING) name = "per_serving";
  if (basis == VITALWIRE_NUMBER_BASIS_PER_100) name = "per_100";
  out->basis = out->basis == NULL || strcmp(out->basis, name) == 0 ? name : "mixed";
}

void unplayable(struct json *out, const char *why) {
  json_open(out, '{');
  json_name(out, "unplayable");
  json_string(out, why);
  json_close(out, '}');
}
