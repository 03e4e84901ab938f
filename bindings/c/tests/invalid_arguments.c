/* Calls each function with one invalid argument at a time. The other arguments are valid. */
#define _POSIX_C_SOURCE 200809L

#include "invalid_arguments.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char path[] = "bad-picture.png", folder[] = "bad-exchanges", exchange[] = "bad-exchanges/1.json";
static const char events[] = "[{\"event_type\":\"sleep\"}]";

/* A valid resume token and signature, which the library computes. */
static char token[2000], signature[100];

vitalwire_str valid_text(const char *argument) {
  static const char *const texts[][2] = {
      {"path", path},
      {"folder", folder},
      {"table", NULL},
      {"url", "https://app.example.org/done?user_id=u&provider_slug=garmin&state=text"},
      {"signature", signature},
      {"text", token},
      {"kind", VITALWIRE_RECORD_KIND_DAILY},
  };
  for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) {
    if (strcmp(argument, texts[at][0]) == 0) return str(texts[at][1]);
  }
  return str("text");
}

struct bytes valid_bytes(const char *function) {
  static const char *const bodies[][2] = {
      {"vitalwire_webhook_lab_report", "{\"record_id\":\"r-1\",\"status\":\"completed\",\"uploaded_at\":\"2025-11-21T12:00:00Z\",\"modified_at\":\"2025-11-21T12:00:01Z\"}"},
      {"vitalwire_webhook_nutrition", "{\"record_id\":\"r-1\",\"status\":\"completed\",\"uploaded_at\":\"2025-11-21T12:00:00Z\",\"modified_at\":\"2025-11-21T12:00:01Z\",\"consumed_at\":\"2025-11-21T12:00:00Z\"}"},
      {"vitalwire_webhook_", events},
  };
  for (size_t at = 0; at < sizeof bodies / sizeof *bodies; at++) {
    if (strncmp(function, bodies[at][0], strlen(bodies[at][0])) == 0) {
      return (struct bytes){(const uint8_t *)bodies[at][1], strlen(bodies[at][1])};
    }
  }
  return (struct bytes){picture, sizeof picture};
}

static void copy_json(vitalwire_json *json, char *to, size_t size) {
  const vitalwire_str text = vitalwire_json_text(json);
  if (CHECK(text.length > 0 && text.length < size)) memcpy(to, text.data, text.length);
  vitalwire_json_free(json);
}

void check_created(vitalwire_code code, vitalwire_error **error, const char *function) {
  check(code == VITALWIRE_OK, function, 0, "it makes a handle");
  vitalwire_error_free(*error);
  *error = NULL;
}

/* Token replies exist only in providers, and skipped items only in responses. The days of the samples are too old for a sync. */
void note_missing_kind(const char *kind) {
  const bool expected = strcmp(kind, "vitalwire_token_request") == 0 || strcmp(kind, "vitalwire_skipped_items") == 0 ||
                        strcmp(kind, "vitalwire_sync_change") == 0;
  check(expected, kind, 0, "there is a handle of each kind");
}

void check_rejected(vitalwire_code code, vitalwire_error **error, const char *function, const char *argument, bool may) {
  check((code == VITALWIRE_OK) == (*error == NULL) && code == vitalwire_error_code(*error), function, 0, argument);
  /* An empty text may be valid and fail for another reason. Invalid text is an invalid signature too. */
  const bool other = (may && code != VITALWIRE_ERROR_INTERNAL) || (code == VITALWIRE_ERROR_SIGNATURE && strcmp(argument, "signature") == 0);
  if (!other) {
    const bool named = code == VITALWIRE_ERROR_INVALID_ARGUMENT && vitalwire_str_equals(vitalwire_error_argument(*error), argument);
    if (!check(named, function, 0, argument)) {
      const vitalwire_str message = vitalwire_error_message(*error);
      fprintf(stderr, "  code %d: %.*s\n", (int)code, VITALWIRE_STR(message));
    }
  }
  vitalwire_error_free(*error);
  *error = NULL;
}

void check_setter_rejected(vitalwire_code code, vitalwire_error **error, const char *setter, const char *argument) {
  if (*argument != '\0') {
    check_rejected(code, error, setter, argument, false);
  } else {
    check(code != VITALWIRE_ERROR_INTERNAL, setter, 0, "it says what is wrong");
    vitalwire_error_free(*error);
    *error = NULL;
  }
}

static void write_file(const char *name, const void *bytes, size_t length) {
  FILE *file = fopen(name, "wb");
  if (!CHECK(file != NULL)) return;
  CHECK(fwrite(bytes, 1, length, file) == length);
  fclose(file);
}

/* Returns an error with problem details of the service. */
static vitalwire_error *with_problem(void) {
  static const char problem[] = "{\"status\":422,\"title\":\"t\",\"errors\":[{\"detail\":\"d\"}]}";
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  CHECK(vitalwire_mock_responses_add(responses, str("get_user_info"), 422, (const uint8_t *)problem, strlen(problem), 0, NULL) == VITALWIRE_OK);
  vitalwire_client *client = client_with(responses);
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  CHECK(vitalwire_client_user_info(client, NULL, NULL, &user, &error) == VITALWIRE_ERROR_INVALID_REQUEST);
  vitalwire_client_free(client);
  return error;
}

static void resume_token(vitalwire_client *client) {
  const vitalwire_date first = {2025, 11, 1}, last = {2025, 11, 10};
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(first, last);
  vitalwire_statistics_daily_params_add_types(params, str("steps"));
  vitalwire_range_call *range = NULL;
  vitalwire_range_parts *parts = NULL;
  CHECK(vitalwire_client_statistics_daily_range(client, params, NULL, NULL, NULL, &range, NULL) == VITALWIRE_OK);
  CHECK(vitalwire_range_call_read(range, &parts, NULL) == VITALWIRE_OK);
  copy_json(vitalwire_range_parts_resume_token(parts), token, sizeof token);
  vitalwire_range_parts_free(parts);
  vitalwire_range_call_free(range);
  vitalwire_statistics_daily_params_free(params);
}

void case_invalid_arguments(void) {
  static uint64_t place[64];
  static const char recorded[] =
      "{\"vitalwire_exchange\": 1, \"request\": {\"method\": \"GET\", \"path\": \"/v3/userinfo\"}, \"response\": {\"status\": 404}}";
  CHECK(mkdir(folder, 0700) == 0);
  write_file(path, picture, sizeof picture);
  write_file(exchange, recorded, strlen(recorded));
  struct fixture fixture = {.responses = vitalwire_mock_responses_samples(), .place = place};
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, fixture.responses);
  CHECK(vitalwire_client_builder_build(builder, &fixture.client, NULL) == VITALWIRE_OK);
  vitalwire_client_builder_free(builder);
  fixture.error = with_problem();
  /* The sample night has no series, so it is used up here. Later calls receive a night with series. */
  vitalwire_sleep_record *night = NULL;
  add_response(fixture.responses, "get_sleep",
             "{\"sleep_id\":\"s-1\",\"modified_at\":\"2025-11-21T05:08:00Z\",\"start_at_timestamp\":\"2025-11-20T22:11:00Z\","
             "\"end_at_timestamp\":\"2025-11-21T04:58:00Z\",\"samples\":{\"durations\":[60],\"offsets\":[0],\"values\":{\"heartrate\":[50]}},"
             "\"metrics\":{\"heartrate\":57},\"source\":{\"device_model\":\"m\"},\"stages\":[{\"stage\":\"awake\","
             "\"start_at\":\"2025-11-20T22:11:00Z\",\"end_at\":\"2025-11-20T22:22:00Z\",\"duration\":660000}]}",
             0);
  CHECK(vitalwire_client_sleeps_get_simple(fixture.client, str("s-1"), &night, NULL) == VITALWIRE_OK);
  vitalwire_sleep_record_free(night);
  resume_token(fixture.client);
  /* The only key of the verifier. */
  const struct bytes body = valid_bytes("vitalwire_webhook_verify"), key = valid_bytes("vitalwire_webhook_verifier_builder_add_key");
  copy_json(vitalwire_webhook_sign(body.data, body.length, key.data, key.length), signature, sizeof signature);
  const int count = each_argument(fixture);
  CHECK(count > 1000);
  printf("%d arguments\n", count);
  vitalwire_error_free(fixture.error);
  vitalwire_client_free(fixture.client);
  vitalwire_mock_responses_free(fixture.responses);
  CHECK(remove(path) == 0 && remove(exchange) == 0 && rmdir(folder) == 0);
}
