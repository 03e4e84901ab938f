/* Writes errors as canonical JSON, with the public accessors. */
#include "outcome.h"
#include "runner.h"

static void text(struct json *out, const char *name, vitalwire_str value) {
  if (value.data == NULL) return;
  json_name(out, name);
  json_text(out, value);
}

void failure_outcome(struct json *out, vitalwire_code code, const vitalwire_error *error, bool attempts) {
  json_open(out, '{');
  text(out, "error", vitalwire_error_kind(error));
  json_name(out, "code");
  /* If the returned code differs from the details, writes 0, which no error has. */
  json_integer(out, code == vitalwire_error_code(error) ? code : 0);
  uint16_t status;
  if (vitalwire_error_status(error, &status)) {
    json_name(out, "status");
    json_integer(out, status);
  }
  const vitalwire_problem_details *problem = vitalwire_error_problem(error);
  if (problem != NULL) {
    json_name(out, "problem");
    outcome_problem_details(out, problem);
  }
  uint64_t milliseconds;
  if (vitalwire_error_retry_after_ms(error, &milliseconds)) {
    json_name(out, "retry_after_ms");
    json_integer(out, (int64_t)milliseconds);
  }
  text(out, "request_id", vitalwire_error_request_id(error));
  if (attempts) {
    json_name(out, "attempts");
    json_integer(out, vitalwire_error_attempts(error));
  }
  if (vitalwire_error_may_have_taken_effect(error)) {
    json_name(out, "may_have_taken_effect");
    json_boolean(out, true);
  }
  json_name(out, "is_transient");
  json_boolean(out, vitalwire_error_is_transient(error));
  text(out, "path_template", vitalwire_error_path_template(error));
  text(out, "record_id", vitalwire_error_record_id(error));
  text(out, "argument", vitalwire_error_argument(error));
  text(out, "json_path", vitalwire_error_json_path(error));
  const vitalwire_str body = vitalwire_error_body(error);
  if (body.data != NULL) {
    json_name(out, "body");
    json_hex(out, body);
  }
  outcome_last(out, error);
  json_close(out, '}');
}
