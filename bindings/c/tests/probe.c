/* Tests the conversion of each type, each error, a panic and a slow call, without a service. */
#define _POSIX_C_SOURCE 200809L

#include "probe.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int failures = 0;

#define CHECK(condition) check((condition), __LINE__, #condition)

static void check(bool condition, int line, const char *text) {
  if (condition) return;
  failures++;
  printf("probe.c:%d: %s\n", line, text);
}

static bool equals(vitalwire_json *json, const char *text, size_t length) {
  const vitalwire_str got = vitalwire_json_text(json);
  const bool same = got.data != NULL && got.length == length && memcmp(got.data, text, length) == 0;
  vitalwire_json_free(json);
  return same;
}

/* Checks that the error names the argument, and frees the error. */
static void check_rejected(vitalwire_code code, vitalwire_error **error, const char *argument) {
  CHECK(code == VITALWIRE_ERROR_INVALID_ARGUMENT && vitalwire_str_equals(vitalwire_error_argument(*error), argument));
  vitalwire_error_free(*error);
  *error = NULL;
}

static void texts(void) {
  /* Letters of two, three and four bytes, a NUL in the middle, and an empty text. */
  static const char odd[] = "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\xb4\0z";
  vitalwire_json *out = NULL;
  vitalwire_error *error = NULL;
  CHECK(vitalwire_probe_text((vitalwire_str){odd, sizeof odd - 1}, &out, NULL) == VITALWIRE_OK && equals(out, odd, sizeof odd - 1));
  CHECK(vitalwire_probe_text((vitalwire_str){odd, 0}, &out, NULL) == VITALWIRE_OK && equals(out, "", 0));
  check_rejected(vitalwire_probe_text((vitalwire_str){"\xff", 1}, &out, &error), &error, "text");
  check_rejected(vitalwire_probe_text((vitalwire_str){NULL, 0}, &out, &error), &error, "text");
  static const uint8_t bytes[] = {0, 255, 16};
  CHECK(vitalwire_probe_bytes(bytes, sizeof bytes, &out, NULL) == VITALWIRE_OK && equals(out, "\"AP8Q\"", 6));
  CHECK(vitalwire_probe_bytes(bytes, 0, &out, NULL) == VITALWIRE_OK && equals(out, "\"\"", 2));
  check_rejected(vitalwire_probe_bytes(NULL, 3, &out, &error), &error, "bytes");
}

static void numbers(void) {
  CHECK(vitalwire_probe_boolean(true) && !vitalwire_probe_boolean(false));
  CHECK(vitalwire_probe_integer(INT64_MIN) == INT64_MIN && vitalwire_probe_integer(INT64_MAX) == INT64_MAX);
  CHECK(vitalwire_probe_number(0.1) == 0.1 && isnan(vitalwire_probe_number((double)NAN)));
  CHECK(vitalwire_probe_number(5e-324) == 5e-324 && signbit(vitalwire_probe_number(-0.0)));
  const vitalwire_numbers series = vitalwire_probe_numbers();
  CHECK(series.length == 3 && series.data[0] == -0.5 && series.data[1] == 0.1 && series.data[2] == 1e300);
}

static void times(void) {
  vitalwire_error *error = NULL;
  /* The first second of the year 1, the last second of the year 9999, and the last before 1970. */
  static const vitalwire_timestamp instants[] = {{-62135596800, 0}, {253402300799, 999999999}, {-1, 999999999}, {0, 1}};
  for (size_t i = 0; i < sizeof instants / sizeof *instants; i++) {
    vitalwire_timestamp got = {0, 0};
    CHECK(vitalwire_probe_timestamp(instants[i], &got, NULL) == VITALWIRE_OK);
    CHECK(got.seconds == instants[i].seconds && got.nanoseconds == instants[i].nanoseconds);
  }
  vitalwire_timestamp at = {7, 7};
  check_rejected(vitalwire_probe_timestamp((vitalwire_timestamp){0, 1000000000}, &at, &error), &error, "at");
  check_rejected(vitalwire_probe_timestamp((vitalwire_timestamp){INT64_MAX, 0}, &at, &error), &error, "at");
  CHECK(at.seconds == 7 && at.nanoseconds == 7);
  static const vitalwire_date days[] = {{2024, 2, 29}, {1, 1, 1}, {9999, 12, 31}};
  for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
    vitalwire_date got = {0, 0, 0};
    CHECK(vitalwire_probe_date(days[i], &got, NULL) == VITALWIRE_OK);
    CHECK(got.year == days[i].year && got.month == days[i].month && got.day == days[i].day);
  }
  vitalwire_date day = {7, 7, 7};
  check_rejected(vitalwire_probe_date((vitalwire_date){2025, 2, 29}, &day, &error), &error, "day");
  check_rejected(vitalwire_probe_date((vitalwire_date){2025, 1, 129}, &day, &error), &error, "day");
}

/* The number of an error kind is returned as a code with a name and a message. For any other number, the function succeeds. */
static void errors(void) {
  int kinds = 0;
  for (unsigned number = 0; number <= UINT16_MAX; number++) {
    vitalwire_error *error = NULL;
    const vitalwire_code code = vitalwire_probe_error((uint16_t)number, &error);
    if (code == VITALWIRE_OK) {
      CHECK(error == NULL);
      continue;
    }
    kinds++;
    CHECK(code == number && vitalwire_error_code(error) == code);
    CHECK(vitalwire_error_kind(error).length > 0 && vitalwire_error_message(error).length > 0);
    CHECK(vitalwire_error_attempts(error) == 0 && vitalwire_error_problem(error) == NULL && !vitalwire_error_status(error, NULL));
    vitalwire_error_free(error);
  }
  CHECK(kinds == 17);
  CHECK(vitalwire_probe_error(VITALWIRE_ERROR_RATE_LIMITED, NULL) == VITALWIRE_ERROR_RATE_LIMITED);
  vitalwire_error *error = NULL;
  vitalwire_probe_error(VITALWIRE_ERROR_RATE_LIMITED, &error);
  CHECK(vitalwire_str_equals(vitalwire_error_kind(error), "rate_limited") && vitalwire_error_is_transient(error));
  vitalwire_error_free(error);
}

/* A panic becomes an internal error without the text of the panic. The library stays usable. */
static void panics(void) {
  for (int i = 0; i < 3; i++) {
    vitalwire_error *error = NULL;
    CHECK(vitalwire_probe_panic(&error) == VITALWIRE_ERROR_INTERNAL);
    const vitalwire_str message = vitalwire_error_message(error);
    char text[256] = "";
    snprintf(text, sizeof text, "%.*s", (int)message.length, message.data);
    CHECK(message.length > 0 && strstr(text, "canary") == NULL);
    vitalwire_error_free(error);
  }
  CHECK(vitalwire_probe_panic(NULL) == VITALWIRE_ERROR_INTERNAL);
}

static void count_destructor(void *data) { atomic_fetch_add((atomic_int *)data, 1); }

static void take_panicked_call(void *data, vitalwire_call *call) {
  vitalwire_error *error = NULL;
  CHECK(vitalwire_probe_panic_finish(call, &error) == VITALWIRE_ERROR_INTERNAL);
  const vitalwire_str message = vitalwire_error_message(error);
  char text[256] = "";
  snprintf(text, sizeof text, "%.*s", (int)message.length, message.data);
  CHECK(message.length > 0 && strstr(text, "canary") == NULL);
  vitalwire_error_free(error);
  atomic_fetch_add((atomic_int *)data, 1);
}

/* Panics in a started call, with and without a completion. The client stays usable. */
static void panics_of_started_calls(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_samples();
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, responses);
  vitalwire_client *client = NULL;
  CHECK(vitalwire_client_builder_build(builder, &client, NULL) == VITALWIRE_OK);
  vitalwire_client_builder_free(builder);
  vitalwire_mock_responses_free(responses);
  for (int i = 0; i < 3; i++) {
    atomic_int seen = 0;
    vitalwire_call *call = NULL;
    CHECK(vitalwire_probe_panic_start(client, i == 0 ? NULL : take_panicked_call, &seen, count_destructor, &call, NULL) == VITALWIRE_OK);
    CHECK(vitalwire_call_wait(call, 20000));
    if (i == 0) take_panicked_call(&seen, call);
    /* Waits until the completion has run. */
    while (i > 0 && seen < 2) vitalwire_call_wait(call, 1);
    vitalwire_call_free(call);
    CHECK(seen == 2);
    vitalwire_user_info *user = NULL;
    CHECK(vitalwire_client_user_info(client, NULL, NULL, &user, NULL) == VITALWIRE_OK);
    vitalwire_user_info_free(user);
  }
  vitalwire_client_free(client);
}

static void *cancel_soon(void *cancel) {
  const struct timespec soon = {0, 100 * 1000 * 1000};
  nanosleep(&soon, NULL);
  vitalwire_cancel_token_cancel(cancel);
  return NULL;
}

static void slow_calls(void) {
  vitalwire_cancel_token *cancel = vitalwire_cancel_token_new();
  vitalwire_error *error = NULL;
  CHECK(vitalwire_probe_slow(20, cancel, &error) == VITALWIRE_OK);
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, cancel_soon, cancel) == 0);
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  CHECK(vitalwire_probe_slow(60000, cancel, &error) == VITALWIRE_ERROR_CANCELLED);
  clock_gettime(CLOCK_MONOTONIC, &after);
  CHECK(after.tv_sec - before.tv_sec < 30 && vitalwire_str_equals(vitalwire_error_kind(error), "cancelled"));
  vitalwire_error_free(error);
  pthread_join(thread, NULL);
  /* The token is cancelled before the call. */
  CHECK(vitalwire_probe_slow(60000, cancel, NULL) == VITALWIRE_ERROR_CANCELLED);
  vitalwire_cancel_token_free(cancel);
}

int main(void) {
  texts();
  numbers();
  times();
  errors();
  panics();
  panics_of_started_calls();
  slow_calls();
  return failures == 0 ? 0 : 1;
}
