/* Tests of ranges that are requested in parts, with mock responses. */
#define _POSIX_C_SOURCE 200809L

#include "smoke.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Creates a range call over ten days, in four parts. Its resume tokens are bound to the key, if there is one. */
static vitalwire_code begin(const char *key, vitalwire_client *client, const char *resume, vitalwire_range_call **range, vitalwire_error **error) {
  const vitalwire_date first = {2025, 11, 1}, last = {2025, 11, 10};
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(first, last);
  vitalwire_statistics_daily_params_add_types(params, str("steps"));
  vitalwire_range_options *options = vitalwire_range_options_new();
  vitalwire_range_options_set_part_days(options, 3);
  vitalwire_range_options_set_concurrency(options, 1);
  if (resume != NULL) vitalwire_range_options_set_resume_token(options, str(resume));
  if (key != NULL) vitalwire_range_options_set_resume_key(options, str(key));
  const vitalwire_code code = vitalwire_client_statistics_daily_range(client, params, options, NULL, NULL, range, error);
  /* The range has copies of parameters and options. */
  vitalwire_range_options_free(options);
  vitalwire_statistics_daily_params_free(params);
  return code;
}

static vitalwire_range_call *ten_days(vitalwire_client *client, const char *resume) {
  vitalwire_range_call *range = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(begin(NULL, client, resume, &range, &error), &error);
  return range;
}

/* Returns the resume token of an error as a NUL-terminated text that outlives the error. */
static const char *resume_token_text(const vitalwire_error *error) {
  static char text[2000];
  const vitalwire_str token = vitalwire_error_resume_token(error);
  CHECK(token.length > 0 && token.length < sizeof text);
  memcpy(text, token.data, token.length);
  text[token.length] = '\0';
  return text;
}

static const char no_days[] = "{\"from_date\":\"2025-11-01\",\"to_date\":\"2025-11-03\",\"statistics\":[]}";

static void observe(void *user_data, const vitalwire_range_progress *progress) {
  uint32_t *done = user_data;
  CHECK(progress->done == *done + 1 && progress->total == 4 && progress->items == 0);
  *done = progress->done;
}

static void collect(vitalwire_client *client) {
  vitalwire_range_call *range = ten_days(client, NULL);
  vitalwire_merged_range *all = NULL, *merged = NULL;
  vitalwire_error *error = NULL;
  uint32_t done = 0;
  if (CHECK_OK(vitalwire_range_call_collect(range, observe, &done, NULL, &all, &error), &error)) {
    CHECK(done == 4 && vitalwire_merged_range_parts_count(all) == 4 && vitalwire_merged_range_failures_count(all) == 0);
    CHECK(vitalwire_daily_statistics_statistics_count(vitalwire_merged_range_statistics_daily(all)) == 0);
    CHECK(vitalwire_merged_range_statistics_daily(all) != NULL && vitalwire_merged_range_lab_reports_list(all) == NULL);
    CHECK(vitalwire_merged_range_resume_token(all) == NULL && vitalwire_merged_range_duplicates(all) == 0);
    const vitalwire_merged_part *last = vitalwire_merged_range_parts_at(all, 3);
    vitalwire_date first = {0, 0, 0};
    CHECK(vitalwire_merged_part_index(last) == 3 && vitalwire_merged_part_dates(last, &first, NULL) && first.day == 10);
    CHECK(!vitalwire_merged_part_instants(last, NULL, NULL));
    CHECK(vitalwire_merged_part_start(last) == 0 && vitalwire_merged_part_end(last) == 0);
    CHECK_OK(vitalwire_merged_range_merge(all, all, &merged, &error), &error);
    CHECK(vitalwire_merged_range_parts_count(merged) == 4);
    CHECK_REFUSED(vitalwire_merged_range_merge(all, NULL, &merged, &error), &error, "later");
  }
  vitalwire_merged_range_free(merged);
  vitalwire_merged_range_free(all);
  CHECK_REFUSED(vitalwire_range_call_collect(range, NULL, NULL, NULL, NULL, &error), &error, "out");
  CHECK_REFUSED(vitalwire_range_call_collect(NULL, NULL, NULL, NULL, &all, &error), &error, "range");
  vitalwire_range_call_free(range);
}

/* A token that is bound to a key is rejected with another key and without one. */
static void keyed_resume_tokens(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  CHECK(vitalwire_mock_responses_add(responses, str("daily_statistics"), 404, NULL, 0, 0, NULL) == VITALWIRE_OK);
  vitalwire_client *client = client_with(responses);
  vitalwire_range_call *range = NULL;
  vitalwire_merged_range *all = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(begin("person-1", client, NULL, &range, &error), &error);
  CHECK(vitalwire_range_call_collect(range, NULL, NULL, NULL, &all, &error) == VITALWIRE_ERROR_NOT_FOUND);
  const char *text = resume_token_text(error);
  vitalwire_error_free(error);
  vitalwire_range_call_free(range);
  range = NULL;
  error = NULL;
  CHECK_REFUSED(begin("person-2", client, text, &range, &error), &error, "resume_token");
  CHECK_REFUSED(begin(NULL, client, text, &range, &error), &error, "resume_token");
  CHECK_OK(begin("person-1", client, text, &range, &error), &error);
  vitalwire_range_call_free(range);
  vitalwire_client_free(client);
}

/* Texts that are no resume tokens are invalid arguments, however long they are and whatever bytes they have. */
static void hostile_resume_tokens(void) {
  static const char *const texts[] = {
    "", "[[[[", "vwr1", "vwr2/daily_statistics/2d/2025-01-01/2025-01-10/0-4/00112233445566778899aabbccddeeff",
    "vwr1/daily_statistics/2d/2025-01-01/2025-01-10/0-5/00112233445566778899aabbccddeeff",
    "vwr1/daily_statistics/2d/2025-01-01/2025-01-10/-1/00112233445566778899aabbccddeeff",
    "vwr1/daily_statistics/2d/2025-01-01/2025-01-10/0-99999999999999999999/00112233445566778899aabbccddeeff",
    "vwr1/daily_statistics/4294967296d/2025-01-01/2025-01-10/0-4/00112233445566778899aabbccddeeff",
    "vwr1/daily\x1b[31m/2d/2025-01-01/2025-01-10/0-4/00112233445566778899aabbccddeeff", "\xff",
  };
  vitalwire_resume_token *token = NULL;
  vitalwire_error *error = NULL;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    CHECK_REFUSED(vitalwire_resume_token_parse(str(texts[i]), &token, &error), &error, "text");
  }
  const size_t length = 10 << 20;
  char *many = malloc(length);
  if (!CHECK(many != NULL)) return;
  memset(many, '[', length);
  CHECK_REFUSED(vitalwire_resume_token_parse((vitalwire_str){many, length}, &token, &error), &error, "text");
  memset(many, 0, length);
  CHECK_REFUSED(vitalwire_resume_token_parse((vitalwire_str){many, length}, &token, &error), &error, "text");
  CHECK(token == NULL);
  free(many);
}

/* A range that ends early has the first part and a resume token. A later run reads the missing parts, and both are merged. */
static void interrupted_ranges(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  add_response(responses, "daily_statistics", no_days, 0);
  CHECK(vitalwire_mock_responses_add(responses, str("daily_statistics"), 404, NULL, 0, 0, NULL) == VITALWIRE_OK);
  vitalwire_client *client = client_with(responses);
  vitalwire_range_call *range = ten_days(client, NULL);
  vitalwire_merged_range *all = NULL;
  vitalwire_error *error = NULL;
  CHECK(vitalwire_range_call_collect(range, NULL, NULL, NULL, &all, &error) == VITALWIRE_ERROR_NOT_FOUND && all == NULL);
  CHECK(vitalwire_merged_range_parts_count(vitalwire_error_partial_result(error)) == 1);
  vitalwire_resume_token *left = NULL;
  CHECK(vitalwire_resume_token_parse(vitalwire_error_resume_token(error), &left, NULL) == VITALWIRE_OK);
  CHECK(vitalwire_resume_token_parts_left(left) == 3 && vitalwire_str_equals(vitalwire_resume_token_operation(left), "daily_statistics"));
  vitalwire_date first = {0, 0, 0}, last = {0, 0, 0};
  CHECK(vitalwire_resume_token_dates(left, &first, &last) && first.day == 1 && last.day == 10);
  vitalwire_resume_token_free(left);
  const char *text = resume_token_text(error);
  vitalwire_range_call_free(range);
  vitalwire_client_free(client);

  responses = vitalwire_mock_responses_new();
  add_response(responses, "daily_statistics", no_days, 0);
  client = client_with(responses);
  range = ten_days(client, text);
  vitalwire_merged_range *rest = NULL;
  vitalwire_error *other = NULL;
  if (CHECK_OK(vitalwire_range_call_collect(range, NULL, NULL, NULL, &rest, &other), &other)) {
    CHECK(vitalwire_merged_range_parts_count(rest) == 3);
    CHECK_OK(vitalwire_merged_range_merge(vitalwire_error_partial_result(error), rest, &all, &other), &other);
    CHECK(vitalwire_merged_range_parts_count(all) == 4 && vitalwire_merged_range_resume_token(all) == NULL);
  }
  vitalwire_merged_range_free(all);
  vitalwire_merged_range_free(rest);
  vitalwire_error_free(error);
  vitalwire_range_call_free(range);
  vitalwire_client_free(client);
}

/* Two threads that read the same parts, and the codes that they received. */
struct readers {
  const vitalwire_range_parts *parts;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int ended;
  vitalwire_code codes[2];
};

static void *read_one(void *place) {
  struct readers *readers = place;
  vitalwire_range_part *part = NULL;
  const vitalwire_code code = vitalwire_range_parts_next(readers->parts, &part, NULL);
  vitalwire_range_part_free(part);
  pthread_mutex_lock(&readers->lock);
  readers->codes[readers->ended++] = code;
  pthread_cond_broadcast(&readers->changed);
  pthread_mutex_unlock(&readers->lock);
  return NULL;
}

/*
 * Forks a child while a part is being read. The child cannot read the parts of its parent. Closing and freeing these parts
 * has no effect in the child, and the child can read a range of its own.
 */
static void forked_reader(vitalwire_range_parts *parts, vitalwire_range_call *other) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    vitalwire_range_part *part = NULL;
    const bool refused = vitalwire_range_parts_next(parts, &part, NULL) == VITALWIRE_ERROR_CONFIGURATION && part == NULL;
    vitalwire_range_parts_close(parts);
    vitalwire_range_parts_free(parts);
    vitalwire_merged_range *all = NULL;
    const bool anew = vitalwire_range_call_collect(other, NULL, NULL, NULL, &all, NULL) == VITALWIRE_OK;
    _exit(refused && anew && vitalwire_merged_range_parts_count(all) == 4 ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/*
 * Reads a part whose response takes 20 s. Meanwhile, a second read fails at once, and the resume token is available.
 * Closing the parts ends the first read. With another range, a child is forked during the read.
 */
static void concurrent_readers(vitalwire_range_call *other) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  add_response(responses, "daily_statistics", no_days, 20000);
  vitalwire_client *client = client_with(responses);
  vitalwire_range_call *range = ten_days(client, NULL);
  vitalwire_range_parts *parts = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_range_call_read(range, &parts, &error), &error);
  struct readers readers = {.parts = parts, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, read_one, &readers) == 0);
  pthread_mutex_lock(&readers.lock);
  while (readers.ended == 0) pthread_cond_wait(&readers.changed, &readers.lock);
  CHECK(readers.ended == 1 && readers.codes[0] == VITALWIRE_ERROR_CONFIGURATION);
  pthread_mutex_unlock(&readers.lock);
  vitalwire_json *left = vitalwire_range_parts_resume_token(parts);
  CHECK(left != NULL);
  vitalwire_json_free(left);
  if (other != NULL) forked_reader(parts, other);
  vitalwire_range_parts_close(parts);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  CHECK(readers.codes[1] == VITALWIRE_ERROR_CANCELLED);
  vitalwire_range_part *part = NULL;
  CHECK_OK(vitalwire_range_parts_next(parts, &part, &error), &error);
  CHECK(part == NULL);
  vitalwire_range_parts_free(parts);
  vitalwire_range_call_free(range);
  vitalwire_client_free(client);
}

/* The second part takes 20 s. The error of a call that is ended before has the first part and a resume token. */
static void cancelled_collecting(bool collecting_failures) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  add_response(responses, "daily_statistics", no_days, 0);
  add_response(responses, "daily_statistics", no_days, 20000);
  vitalwire_client *client = client_with(responses);
  const vitalwire_date first = {2025, 11, 1}, last = {2025, 11, 10};
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(first, last);
  vitalwire_statistics_daily_params_add_types(params, str("steps"));
  vitalwire_range_options *options = vitalwire_range_options_new();
  vitalwire_range_options_set_part_days(options, 3);
  vitalwire_range_options_set_concurrency(options, 1);
  vitalwire_range_options_set_collect_failures(options, collecting_failures);
  vitalwire_range_call *range = NULL;
  vitalwire_error *error = NULL;
  vitalwire_cancel_token *seen = vitalwire_cancel_token_new();
  CHECK_OK(vitalwire_client_statistics_daily_range(client, params, options, NULL, seen, &range, &error), &error);
  vitalwire_range_options_free(options);
  vitalwire_statistics_daily_params_free(params);
  /* The call is cancelled by vitalwire_call_cancel, by a shutdown, and by the cancel token of the range. */
  for (int by = 0; by < 3; by++) {
    vitalwire_call *call = NULL;
    vitalwire_merged_range *all = NULL;
    /* The first mock response is used once. Each run requests the range again, and then the first part takes 20 s too. */
    const size_t read = by == 0 ? 1 : 0;
    uint32_t done = 0;
    if (by == 0) {
      CHECK_OK(vitalwire_range_call_collect_start(range, observe, &done, NULL, NULL, NULL, NULL, &call, &error), &error);
      for (int i = 0; i < 1000 && !vitalwire_call_wait(call, 10) && done == 0; i++) continue;
      vitalwire_call_cancel(call);
    } else {
      CHECK_OK(vitalwire_range_call_collect_start(range, NULL, NULL, NULL, NULL, NULL, NULL, &call, &error), &error);
      CHECK(!vitalwire_call_wait(call, 50));
      if (by == 1) {
        CHECK(vitalwire_shutdown(NULL) == VITALWIRE_OK);
      } else {
        vitalwire_cancel_token_cancel(seen);
      }
    }
    CHECK(vitalwire_call_wait(call, 15000));
    const vitalwire_code code = vitalwire_range_call_collect_finish(call, &all, &error);
    vitalwire_json *own = NULL;
    vitalwire_str token;
    if (collecting_failures && read > 0) {
      /* The call succeeds with the first part, and the other parts are failures. */
      CHECK(code == VITALWIRE_OK && vitalwire_merged_range_parts_count(all) == read && vitalwire_merged_range_failures_count(all) == 3);
      CHECK(vitalwire_error_code(vitalwire_range_part_failure(vitalwire_merged_range_failures_at(all, 2))) == VITALWIRE_ERROR_CANCELLED);
      own = vitalwire_merged_range_resume_token(all);
      token = vitalwire_json_text(own);
    } else {
      CHECK(code == VITALWIRE_ERROR_CANCELLED && all == NULL);
      CHECK(vitalwire_merged_range_parts_count(vitalwire_error_partial_result(error)) == read);
      token = vitalwire_error_resume_token(error);
    }
    vitalwire_resume_token *left = NULL;
    CHECK(vitalwire_resume_token_parse(token, &left, NULL) == VITALWIRE_OK);
    CHECK(vitalwire_resume_token_parts_left(left) == 4 - read);
    vitalwire_resume_token_free(left);
    vitalwire_json_free(own);
    vitalwire_merged_range_free(all);
    vitalwire_error_free(error);
    error = NULL;
    vitalwire_call_free(call);
  }
  vitalwire_range_call_free(range);
  vitalwire_cancel_token_free(seen);
  vitalwire_client_free(client);
}

/*
 * A part that was read, but not taken, counts as not returned: whether its call is freed after or before it has ended. A read
 * that had not begun does not end the parts.
 */
static void parts_not_taken(vitalwire_client *client) {
  for (int run = 0; run < 20; run++) {
    const bool ended = run % 2 != 0;
    vitalwire_range_call *range = ten_days(client, NULL);
    vitalwire_range_parts *parts = NULL;
    vitalwire_error *error = NULL;
    CHECK_OK(vitalwire_range_call_read(range, &parts, &error), &error);
    vitalwire_range_call_free(range);
    for (uint32_t i = 0; i < 2; i++) {
      vitalwire_call *call = NULL;
      vitalwire_range_part *part = NULL;
      CHECK_OK(vitalwire_range_parts_next_start(parts, NULL, NULL, NULL, &call, &error), &error);
      if (i == 0 || ended) CHECK(vitalwire_call_wait(call, 15000));
      if (i == 0) {
        CHECK(vitalwire_range_parts_next(parts, &part, NULL) == VITALWIRE_ERROR_CONFIGURATION);
        CHECK_OK(vitalwire_range_parts_next_finish(call, &part, &error), &error);
        CHECK(vitalwire_range_part_index(part) == 0);
        vitalwire_range_part_free(part);
      }
      vitalwire_call_free(call);
    }
    vitalwire_range_part *part = NULL;
    vitalwire_code code;
    while ((code = vitalwire_range_parts_next(parts, &part, &error)) == VITALWIRE_ERROR_CONFIGURATION) {
      vitalwire_error_free(error);
      error = NULL;
    }
    if (code == VITALWIRE_OK) {
      CHECK(!ended && vitalwire_range_part_index(part) == 1);
      vitalwire_range_part_free(part);
      vitalwire_range_parts_free(parts);
      continue;
    }
    CHECK(code == VITALWIRE_ERROR_CANCELLED && part == NULL);
    vitalwire_resume_token *left = NULL;
    CHECK(vitalwire_resume_token_parse(str(resume_token_text(error)), &left, NULL) == VITALWIRE_OK);
    CHECK(vitalwire_resume_token_parts_left(left) == 3);
    vitalwire_resume_token_free(left);
    vitalwire_error_free(error);
    vitalwire_range_parts_free(parts);
  }
}

/* The error of a cancelled read has a resume token. */
static void cancelled_part(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  add_response(responses, "daily_statistics", no_days, 20000);
  vitalwire_client *client = client_with(responses);
  vitalwire_range_call *range = ten_days(client, NULL);
  vitalwire_range_parts *parts = NULL;
  vitalwire_range_part *part = NULL;
  vitalwire_error *error = NULL;
  vitalwire_call *call = NULL;
  CHECK_OK(vitalwire_range_call_read(range, &parts, &error), &error);
  CHECK_OK(vitalwire_range_parts_next_start(parts, NULL, NULL, NULL, &call, &error), &error);
  vitalwire_call_cancel(call);
  CHECK(vitalwire_call_wait(call, 15000));
  CHECK(vitalwire_range_parts_next_finish(call, &part, &error) == VITALWIRE_ERROR_CANCELLED && part == NULL);
  vitalwire_resume_token *left = NULL;
  CHECK(vitalwire_resume_token_parse(str(resume_token_text(error)), &left, NULL) == VITALWIRE_OK);
  CHECK(vitalwire_resume_token_parts_left(left) == 4);
  vitalwire_resume_token_free(left);
  vitalwire_error_free(error);
  vitalwire_call_free(call);
  vitalwire_range_parts_free(parts);
  vitalwire_range_call_free(range);
  vitalwire_client_free(client);
}

void case_ranges(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  add_response(responses, "daily_statistics", no_days, 0);
  vitalwire_client *client = client_with(responses);
  vitalwire_range_call *range = ten_days(client, NULL);
  vitalwire_range_parts *parts = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_range_call_read(range, &parts, &error), &error);
  vitalwire_range_call_free(range);
  for (uint32_t i = 0; i < 5; i++) {
    vitalwire_range_part *part = NULL;
    if (!CHECK_OK(vitalwire_range_parts_next(parts, &part, &error), &error)) break;
    CHECK((part != NULL) == (i < 4));
    vitalwire_date first = {0, 0, 0}, last = {0, 0, 0};
    CHECK(part == NULL || (vitalwire_range_part_index(part) == i && vitalwire_range_part_failure(part) == NULL));
    CHECK(vitalwire_range_part_dates(part, &first, &last) == (i < 4) && (part == NULL || first.day == 3 * i + 1));
    CHECK((vitalwire_range_part_statistics_daily(part) != NULL) == (i < 4) && vitalwire_range_part_statistics_interval(part) == NULL);
    vitalwire_range_part_free(part);
  }
  vitalwire_range_progress progress = {0, 0, 0};
  CHECK(vitalwire_range_parts_progress(parts, &progress) && progress.done == 4 && progress.total == 4);
  CHECK(vitalwire_range_parts_resume_token(parts) == NULL);
  CHECK_REFUSED(vitalwire_range_parts_next(parts, NULL, &error), &error, "out");
  CHECK_REFUSED(vitalwire_range_parts_next(NULL, NULL, &error), &error, "parts");
  vitalwire_range_parts_free(parts);
  collect(client);
  interrupted_ranges();
  keyed_resume_tokens();
  hostile_resume_tokens();
  parts_not_taken(client);
  cancelled_part();
  cancelled_collecting(false);
  cancelled_collecting(true);
  concurrent_readers(NULL);

  const vitalwire_date day = {2025, 11, 1};
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(day, day);
  vitalwire_range_options *options = vitalwire_range_options_new();
  vitalwire_range_options_set_resume_token(options, str("no token"));
  range = NULL;
  CHECK_REFUSED(vitalwire_client_statistics_daily_range(client, params, options, NULL, NULL, &range, &error), &error, "resume_token");
  CHECK_REFUSED(vitalwire_client_statistics_daily_range(client, NULL, NULL, NULL, NULL, &range, &error), &error, "params");
  CHECK_REFUSED(vitalwire_client_statistics_daily_range(NULL, params, NULL, NULL, NULL, &range, &error), &error, "client");
  CHECK(range == NULL && vitalwire_error_partial_result(NULL) == NULL && vitalwire_range_part_failure(NULL) == NULL);
  vitalwire_range_options_free(options);
  vitalwire_statistics_daily_params_free(params);
  vitalwire_range_options_set_part_days(NULL, 1);
  vitalwire_range_parts_close(NULL);
  vitalwire_range_parts_free(NULL);
  vitalwire_range_part_free(NULL);
  vitalwire_merged_range_free(NULL);
  vitalwire_range_call_free(NULL);
  vitalwire_range_options_free(NULL);
  vitalwire_resume_token_free(NULL);
  vitalwire_client_free(client);
}

void case_ranges_fork(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  add_response(responses, "daily_statistics", no_days, 0);
  vitalwire_client *client = client_with(responses);
  vitalwire_range_call *other = ten_days(client, NULL);
  concurrent_readers(other);
  vitalwire_range_call_free(other);
  vitalwire_client_free(client);
}
