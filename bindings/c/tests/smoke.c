/* Runs the cases that the arguments name, against the sandbox of the environment variables. */
#include "smoke.h"

#include <stdlib.h>
#include <string.h>

static int failures = 0;

bool check(bool condition, const char *file, int line, const char *text) {
  if (!condition) {
    failures++;
    fprintf(stderr, "%s:%d: not true: %s\n", file, line, text);
  }
  return condition;
}

bool check_ok(vitalwire_code code, vitalwire_error **error, const char *file, int line) {
  if (code == VITALWIRE_OK) return true;
  const vitalwire_str message = vitalwire_error_message(*error);
  failures++;
  fprintf(stderr, "%s:%d: code %d: %.*s\n", file, line, (int)code, (int)message.length, message.data);
  vitalwire_error_free(*error);
  *error = NULL;
  return false;
}

void check_rejected_argument(vitalwire_code code, vitalwire_error **error, const char *argument, const char *file, int line) {
  if (!check(code == VITALWIRE_ERROR_INVALID_ARGUMENT, file, line, "refused as invalid_argument")) {
    fprintf(stderr, "  code %d\n", (int)code);
  }
  check(vitalwire_error_code(*error) == code, file, line, "the error has the code that was returned");
  check(vitalwire_str_equals(vitalwire_error_argument(*error), argument), file, line, argument);
  check(vitalwire_error_attempts(*error) == 0, file, line, "nothing was sent");
  vitalwire_error_free(*error);
  *error = NULL;
}

vitalwire_str str(const char *text) { return vitalwire_str_from(text); }

const char *setting(const char *name) {
  const char *value = getenv(name);
  if (value == NULL) {
    fprintf(stderr, "%s is not set: these tests need a sandbox (cargo xtask test starts one)\n", name);
    exit(2);
  }
  return value;
}

vitalwire_client *sandbox(void) {
  setting("VITALWIRE_BASE_URL");
  setting("VITALWIRE_TOKEN");
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_from_env(&client, &error), &error);
  return client;
}

void add_response(vitalwire_mock_responses *responses, const char *operation, const char *body, uint64_t delay_ms) {
  CHECK(vitalwire_mock_responses_add(responses, str(operation), 200, (const uint8_t *)body, strlen(body), delay_ms, NULL) == VITALWIRE_OK);
}

vitalwire_client *client_with(vitalwire_mock_responses *responses) {
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, responses);
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_builder_build(builder, &client, &error), &error);
  vitalwire_client_builder_free(builder);
  vitalwire_mock_responses_free(responses);
  return client;
}

bool contains(vitalwire_str text, const char *part) {
  const size_t length = strlen(part);
  for (size_t at = 0; text.length >= length && at <= text.length - length; at++) {
    if (memcmp(text.data + at, part, length) == 0) return true;
  }
  return false;
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"mock_responses", case_mock_responses},     {"response_metadata", case_response_metadata},         {"consent", case_consent},       {"webhooks", case_webhooks},
    {"tokens", case_tokens},       {"waits", case_waits},         {"ranges", case_ranges},         {"files", case_files},
    {"user_info", case_user_info}, {"sleep", case_sleep},         {"statistics", case_statistics}, {"lab_reports", case_lab_reports},
    {"nutrition", case_nutrition}, {"benefits", case_benefits},   {"not_found", case_not_found},   {"arguments", case_arguments},
    {"settings", case_settings},   {"client_certificate", case_client_certificate}, {"cancel", case_cancel},       {"threads", case_threads},
    {"fork", case_fork},           {"close", case_close},         {"started", case_started},       {"freed_early", case_freed_early},
    {"completions", case_completions}, {"loop", case_loop},       {"loop_parts", case_loop_parts}, {"started_fork", case_started_fork},
    {"started_close", case_started_close}, {"shutdown", case_shutdown}, {"every_call", case_every_call}, {"every_closed", case_every_closed},
    {"every_completion", case_every_completion}, {"every_thread", case_every_thread}, {"every_record", case_every_record},
    {"every_text", case_every_text}, {"nulls", case_nulls}, {"invalid_arguments", case_invalid_arguments},
    {"sync", case_sync},           {"tables", case_tables},       {"ranges_fork", case_ranges_fork},
    {"faults", case_faults},       {"descriptors", case_descriptors}, {"observers", case_observers}, {"copies", case_copies},
    {"signals", case_signals},     {"examples", case_examples},
};

int main(int count, char **names) {
  int run = 0;
  for (int i = 1; i < count; i++) {
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
      if (strcmp(cases[at].name, names[i]) == 0) {
        cases[at].run();
        run++;
      }
    }
  }
  if (run == 0 || run != count - 1) {
    fprintf(stderr, "usage: smoke CASE...\n");
    return 2;
  }
  return failures == 0 ? 0 : 1;
}
