/* JSON texts of the library in outcomes. */
#include "outcome.h"

void any_value(struct json *out, vitalwire_json *value) {
  json_copy(out, vitalwire_json_text(value));
  vitalwire_json_free(value);
}

void extra_members(struct json *out, vitalwire_json *value) {
  if (value == NULL) return;
  json_extra(out, vitalwire_json_text(value));
  vitalwire_json_free(value);
}
