/* Plays a call of a case and stores its outcome. */
#include "played_call.h"

#include "shared/canonical.h"

/* Writes the outcome of a call, with its response metadata. */
static void outcome_of(struct json *out, const struct json *value, const vitalwire_response *response,
                       const vitalwire_skipped_items *skipped, bool attempts) {
  outcome_open(out, value);
  if (attempts) {
    json_name(out, "attempts");
    json_integer(out, response->attempts);
  }
  if (response->request_id.data != NULL) {
    json_name(out, "request_id");
    json_text(out, response->request_id);
  }
  skipped_items(out, skipped);
  if (response->body.data != NULL) {
    json_name(out, "body");
    json_hex(out, response->body);
  }
  json_close(out, '}');
}

/* Each call needs its own options, because they hold its slot for response metadata. */
struct played_call played_call_prepare(const struct planned *planned, const vitalwire_client *client, const vitalwire_cancel_token *cancel,
                           const struct operation *operation, bool waits) {
  struct played_call played = {.operation = operation, .options = settings_options(planned), .metadata = vitalwire_response_metadata_new(), .waits = waits};
  vitalwire_call_options_set_response_metadata(played.options, played.metadata);
  if (waits) played.wait = settings_wait(planned);
  played.input = (struct call_input){{planned, ""}, client, played.options, cancel, played.wait};
  if (operation != NULL) check_argument_names(&played.input.arguments, operation->arguments);
  return played;
}

void *played_call_run(void *place) {
  struct played_call *played = place;
  struct json value = {0};
  vitalwire_error *error = NULL;
  const vitalwire_code code = (played->waits ? played->operation->wait : played->operation->call)(&played->input, &value, &error);
  vitalwire_response response = {0, 0, 0, {NULL, 0}, {NULL, 0}};
  if (played->input.arguments.mistake[0] != '\0') {
    unplayable(&played->outcome, played->input.arguments.mistake);
  } else if (vitalwire_response_metadata_read(played->metadata, &response) != (code == VITALWIRE_OK)) {
    unplayable(&played->outcome, "response metadata must exist exactly if the call succeeds");
  } else if (code == VITALWIRE_OK) {
    const vitalwire_skipped_items *skipped = vitalwire_response_metadata_skipped_items(played->metadata);
    outcome_of(&played->outcome, &value, &response, skipped, true);
    outcome_of(&played->plain, &value, &response, skipped, false);
  } else {
    failure_outcome(&played->outcome, code, error, true);
    failure_outcome(&played->plain, code, error, false);
    json_text(&played->message, vitalwire_error_message(error));
  }
  vitalwire_error_free(error);
  json_free(&value);
  return NULL;
}

void played_call_free(struct played_call *played) {
  vitalwire_call_options_free(played->options);
  vitalwire_response_metadata_free(played->metadata);
  vitalwire_wait_options_free(played->wait);
  json_free(&played->outcome);
  json_free(&played->plain);
  json_free(&played->message);
}
