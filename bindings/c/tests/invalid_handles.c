/* Passes handles of another type, invalid memory and freed handles. A library with debug assertions rejects them in every argument. */
#include "invalid_handles.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Tells CTest that the test was skipped. */
enum { SKIPPED = 77 };

static int failures = 0;

static void fail(const char *function, const char *argument, const char *what) {
  failures++;
  printf("%s, %s: %s\n", function, argument, what);
}

#define CHECK(condition) \
  if (!(condition)) fail("invalid_handles.c", #condition, "not true")

void *invalid_handle(const struct invalid_handles *no, const char *kind) { return strcmp(kind, no->kind) == 0 ? no->other : no->stranger; }

void expect_none(const char *function, const char *argument, int64_t refused_before, bool nothing) {
  if (vitalwire_probe_refused() != refused_before + 1) fail(function, argument, "not refused");
  if (!nothing) fail(function, argument, "gives something");
}

void expect_error(const char *function, const char *argument, int64_t refused_before, vitalwire_code code, vitalwire_error *error) {
  expect_none(function, argument, refused_before, true);
  if (code != VITALWIRE_ERROR_INVALID_ARGUMENT) fail(function, argument, "another code");
  if (!vitalwire_str_equals(vitalwire_error_argument(error), argument)) fail(function, argument, "another argument");
  vitalwire_error_free(error);
}

static vitalwire_client *client_with(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_samples();
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, responses);
  vitalwire_client *client = NULL;
  CHECK(vitalwire_client_builder_build(builder, &client, NULL) == VITALWIRE_OK);
  vitalwire_client_builder_free(builder);
  vitalwire_mock_responses_free(responses);
  return client;
}

/* A setter records an invalid handle, and the function that uses the object reports it. */
static void reject_in_setters(void *stranger) {
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, stranger);
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  CHECK(vitalwire_client_builder_build(builder, &client, &error) == VITALWIRE_ERROR_INVALID_ARGUMENT);
  CHECK(vitalwire_str_equals(vitalwire_error_argument(error), "responses"));
  CHECK(vitalwire_str_equals(vitalwire_error_reason(error), "must be a handle of the expected type"));
  vitalwire_error_free(error);
  vitalwire_client_builder_free(builder);
}

/* Passes a freed handle and its parts. The addresses are kept as numbers, because C forbids reading a pointer to freed memory. */
static void reject_freed(const vitalwire_client *client) {
  vitalwire_error *error = NULL;
  vitalwire_sleep_record *sleep = NULL;
  const vitalwire_str id = vitalwire_str_from("sleep-1");
  CHECK(vitalwire_client_sleeps_get_simple(client, id, &sleep, &error) == VITALWIRE_OK);
  const vitalwire_metrics *metrics = vitalwire_sleep_record_metrics(sleep);
  CHECK(metrics != NULL && vitalwire_metrics_count(metrics) > 0);
  /* A part of an object cannot be freed. */
  int64_t before = vitalwire_probe_refused();
  const uintptr_t gone = (uintptr_t)sleep, part = (uintptr_t)metrics;
  vitalwire_sleep_record_free((void *)part);
  CHECK(vitalwire_probe_refused() == before + 1);
  vitalwire_sleep_record_free(sleep);
  before = vitalwire_probe_refused();
  CHECK(vitalwire_sleep_record_sleep_id((const void *)gone).data == NULL);
  CHECK(vitalwire_metrics_count((const void *)part) == 0);
  vitalwire_sleep_record_free((void *)gone);
  CHECK(vitalwire_probe_refused() == before + 3);
}

int main(void) {
  if (vitalwire_probe_refused() < 0) {
    printf("skipped: this library has no debug assertions, so it knows no handles\n");
    return SKIPPED;
  }
  /* Invalid memory as a handle. */
  static uint64_t memory[64];
  static uint64_t place[64];
  memset(memory, 0xff, sizeof memory);
  vitalwire_cancel_token *cancel = vitalwire_cancel_token_new();
  vitalwire_response_metadata *facts = vitalwire_response_metadata_new();
  struct invalid_handles no = {
      .stranger = cancel,
      .other = facts,
      .kind = "vitalwire_cancel_token",
      .vitalwire_client = client_with(),
      .vitalwire_client_builder = vitalwire_client_builder_new(),
      .vitalwire_call_options = vitalwire_call_options_new(),
      .vitalwire_sync_params = vitalwire_sync_params_new(vitalwire_str_from("user"), (const uint8_t *)"0123456789abcdef", 16),
      .text = vitalwire_str_from("text"),
      .place = place,
  };
  const int64_t before = vitalwire_probe_refused();
  CHECK(before == 0);
  int count = each_handle(&no);
  no.stranger = no.other = memory;
  count += each_handle(&no);
  /* No call has accepted or freed the token. */
  vitalwire_cancel_token_cancel(cancel);
  CHECK(vitalwire_probe_refused() == before + count);
  reject_in_setters(cancel);
  reject_freed(no.vitalwire_client);
  vitalwire_sync_params_free(no.vitalwire_sync_params);
  vitalwire_call_options_free(no.vitalwire_call_options);
  vitalwire_client_builder_free(no.vitalwire_client_builder);
  vitalwire_client_free(no.vitalwire_client);
  vitalwire_response_metadata_free(facts);
  vitalwire_cancel_token_free(cancel);
  CHECK(count > 1000);
  printf("%d handles, %d failures\n", count, failures);
  return failures == 0 ? 0 : 1;
}
