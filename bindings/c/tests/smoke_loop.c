/* Tests of completions on a library thread and in the event loop of the program. */
#define _POSIX_C_SOURCE 200809L

#include "smoke.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* State that the completions share. */
struct loop_state {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  vitalwire_client *client;
  int left;
  int right, ended, at_once;
  bool here;
  pthread_t thread;
  vitalwire_code shutdown;
};

static void loop_state_init(struct loop_state *loop_state, vitalwire_client *client, int left) {
  memset(loop_state, 0, sizeof *loop_state);
  pthread_mutex_init(&loop_state->lock, NULL);
  pthread_cond_init(&loop_state->changed, NULL);
  loop_state->client = client;
  loop_state->left = left;
  loop_state->here = true;
  loop_state->thread = pthread_self();
}

static void count_destructor(void *data) {
  struct loop_state *loop_state = data;
  pthread_mutex_lock(&loop_state->lock);
  loop_state->ended++;
  pthread_cond_signal(&loop_state->changed);
  pthread_mutex_unlock(&loop_state->lock);
}

static void wait_for_ends(struct loop_state *loop_state, int ends) {
  pthread_mutex_lock(&loop_state->lock);
  while (loop_state->ended < ends) pthread_cond_wait(&loop_state->changed, &loop_state->lock);
  pthread_mutex_unlock(&loop_state->lock);
}

/* Takes the result, frees the call, and starts the next one if any are left. */
static void start_next(void *data, vitalwire_call *call) {
  struct loop_state *loop_state = data;
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  CHECK(++loop_state->at_once == 1);
  if (!pthread_equal(pthread_self(), loop_state->thread)) loop_state->here = false;
  if (CHECK_OK(vitalwire_client_user_info_finish(call, &user, &error), &error)) {
    loop_state->right += vitalwire_str_equals(vitalwire_user_info_application_user_id(user), "person-1");
  }
  vitalwire_user_info_free(user);
  vitalwire_call_free(call);
  if (loop_state->left > 0) {
    loop_state->left--;
    vitalwire_call *next = NULL;
    CHECK_OK(vitalwire_client_user_info_start(loop_state->client, NULL, NULL, start_next, loop_state, count_destructor, &next, &error), &error);
  }
  /* A completion may make a blocking call. */
  CHECK(is_person(loop_state->client));
  loop_state->at_once--;
}

static void run_on_library_thread(void *data, vitalwire_call *call) {
  ((struct loop_state *)data)->shutdown = vitalwire_shutdown(NULL);
  start_next(data, call);
}

void case_completions(void) {
  struct loop_state loop_state;
  vitalwire_client *client = sandbox();
  loop_state_init(&loop_state, client, 5);
  vitalwire_call *call = NULL;
  vitalwire_error *error = NULL;
  for (int i = 0; i < 5; i++) {
    CHECK_OK(vitalwire_client_user_info_start(client, NULL, NULL, run_on_library_thread, &loop_state, count_destructor, &call, &error), &error);
  }
  wait_for_ends(&loop_state, 10);
  /* The completions ran one at a time, on another thread. */
  CHECK(loop_state.right == 10 && loop_state.left == 0 && !loop_state.here && loop_state.shutdown == VITALWIRE_ERROR_CONFIGURATION);
  vitalwire_client_free(client);
}

/* Dispatches when the descriptor is readable, until this number of calls has ended. */
static void loop(vitalwire_client *client, const struct loop_state *loop_state, int ends) {
  vitalwire_descriptor descriptor = -1, again = -1;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_descriptor(client, &descriptor, &error), &error);
  CHECK_OK(vitalwire_client_descriptor(client, &again, &error), &error);
  CHECK(descriptor >= 0 && descriptor == again);
  struct pollfd ready = {descriptor, POLLIN, 0};
  while (loop_state->ended < ends) {
    if (!CHECK(poll(&ready, 1, 15000) == 1 && ready.revents == POLLIN)) return;
    CHECK(vitalwire_client_dispatch(client) > 0);
  }
  /* The descriptor was readable for all calls. */
  CHECK(poll(&ready, 1, 0) == 0 && vitalwire_client_dispatch(client) == 0);
}

void case_loop(void) {
  struct loop_state loop_state;
  vitalwire_client *client = sandbox();
  vitalwire_error *error = NULL;
  loop_state_init(&loop_state, client, 20);
  /* After the descriptor was requested, completions run only in a dispatch. */
  CHECK(vitalwire_client_dispatch(client) == 0);
  vitalwire_call *call = NULL;
  for (int i = 0; i < 100; i++) {
    CHECK_OK(vitalwire_client_user_info_start(client, NULL, NULL, start_next, &loop_state, count_destructor, &call, &error), &error);
  }
  loop(client, &loop_state, 120);
  CHECK(loop_state.right == 120 && loop_state.left == 0 && loop_state.here);

  /* The descriptor also becomes readable for calls without a completion. */
  loop_state.ended = 0;
  CHECK_OK(vitalwire_client_user_info_start(client, NULL, NULL, NULL, &loop_state, NULL, &call, &error), &error);
  vitalwire_descriptor descriptor;
  CHECK_OK(vitalwire_client_descriptor(client, &descriptor, &error), &error);
  struct pollfd ready = {descriptor, POLLIN, 0};
  CHECK(poll(&ready, 1, 15000) == 1 && vitalwire_call_wait(call, 0) && vitalwire_client_dispatch(client) == 1);
  vitalwire_call_free(call);

  /* A dispatch runs the completion of a call that was waited for, but not that of a freed call. */
  vitalwire_call *freed = NULL;
  CHECK_OK(vitalwire_client_user_info_start(client, NULL, NULL, start_next, &loop_state, count_destructor, &call, &error), &error);
  CHECK_OK(vitalwire_client_user_info_start(client, NULL, NULL, start_next, &loop_state, count_destructor, &freed, &error), &error);
  CHECK(vitalwire_call_wait(call, 15000) && vitalwire_call_wait(freed, 15000) && loop_state.ended == 0);
  vitalwire_call_free(freed);
  CHECK(loop_state.ended == 1);
  while (loop_state.ended < 2) {
    CHECK(poll(&ready, 1, 15000) == 1);
    vitalwire_client_dispatch(client);
  }
  CHECK(loop_state.right == 121);

  CHECK_REFUSED(vitalwire_client_descriptor(NULL, &descriptor, &error), &error, "client");
  CHECK_REFUSED(vitalwire_client_descriptor(client, NULL, &error), &error, "out");
  CHECK(vitalwire_client_dispatch(NULL) == 0);
  vitalwire_client_free(client);
}

/* Reads a range part by part, without blocking. */
struct parts {
  vitalwire_range_parts *parts;
  int read;
  bool over;
};

static void read_next_part(void *data, vitalwire_call *call) {
  struct parts *of = data;
  vitalwire_range_part *part = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_range_parts_next_finish(call, &part, &error), &error);
  if (call != NULL) vitalwire_call_free(call);
  of->over = part == NULL;
  if (part == NULL) return;
  CHECK(vitalwire_range_part_index(part) == (uint32_t)of->read && vitalwire_range_part_statistics_daily(part) != NULL);
  of->read++;
  vitalwire_range_part_free(part);
  vitalwire_call *next = NULL;
  CHECK_OK(vitalwire_range_parts_next_start(of->parts, read_next_part, of, NULL, &next, &error), &error);
}

/* Collects a range, without blocking. */
struct collected_range {
  atomic_int parts; /* parts that the observer saw, on another thread */
  bool over;
};

static void on_part(void *data, const vitalwire_range_progress *progress) {
  struct collected_range *of = data;
  CHECK(progress->total == 4 && progress->done <= 4);
  of->parts++;
}

static void on_collected(void *data, vitalwire_call *call) {
  struct collected_range *of = data;
  vitalwire_merged_range *merged = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_range_call_collect_finish(call, &merged, &error), &error);
  CHECK(vitalwire_daily_statistics_statistics_count(vitalwire_merged_range_statistics_daily(merged)) > 0 && of->parts == 4);
  vitalwire_merged_range_free(merged);
  vitalwire_call_free(call);
  of->over = true;
}

static void collect(vitalwire_range_call *range, struct pollfd ready, vitalwire_client *client) {
  struct collected_range collected_range = {0, false};
  vitalwire_call *call = NULL;
  vitalwire_merged_range *merged = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_range_call_collect_start(range, on_part, &collected_range, NULL, on_collected, &collected_range, NULL, &call, &error), &error);
  while (!collected_range.over && CHECK(poll(&ready, 1, 15000) == 1)) vitalwire_client_dispatch(client);
  call = NULL;
  CHECK_OK(vitalwire_range_call_collect_start(range, NULL, NULL, NULL, NULL, NULL, NULL, &call, &error), &error);
  vitalwire_call_cancel(call);
  CHECK(vitalwire_call_wait(call, 15000));
  /* All parts may already have arrived. */
  const vitalwire_code code = vitalwire_range_call_collect_finish(call, &merged, NULL);
  CHECK(code == (merged == NULL ? VITALWIRE_ERROR_CANCELLED : VITALWIRE_OK));
  vitalwire_merged_range_free(merged);
  vitalwire_call_free(call);
  CHECK_REFUSED(vitalwire_range_call_collect_start(NULL, NULL, NULL, NULL, NULL, NULL, NULL, &call, &error), &error, "range");
  CHECK_REFUSED(vitalwire_range_call_collect_start(range, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &error), &error, "out");
  CHECK_REFUSED(vitalwire_range_call_collect_finish(NULL, &merged, &error), &error, "call");
}

void case_loop_parts(void) {
  vitalwire_client *client = sandbox();
  const vitalwire_date first = {2025, 11, 1}, last = {2025, 11, 10};
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(first, last);
  vitalwire_statistics_daily_params_add_types(params, str("steps"));
  vitalwire_range_options *options = vitalwire_range_options_new();
  vitalwire_range_options_set_part_days(options, 3);
  vitalwire_range_call *range = NULL;
  vitalwire_error *error = NULL;
  struct parts parts = {NULL, 0, false};
  CHECK_OK(vitalwire_client_statistics_daily_range(client, params, options, NULL, NULL, &range, &error), &error);
  CHECK_OK(vitalwire_range_call_read(range, &parts.parts, &error), &error);
  vitalwire_range_options_free(options);
  vitalwire_statistics_daily_params_free(params);
  vitalwire_descriptor descriptor;
  CHECK_OK(vitalwire_client_descriptor(client, &descriptor, &error), &error);
  vitalwire_call *call = NULL;
  CHECK_OK(vitalwire_range_parts_next_start(parts.parts, read_next_part, &parts, NULL, &call, &error), &error);
  struct pollfd ready = {descriptor, POLLIN, 0};
  while (!parts.over && CHECK(poll(&ready, 1, 15000) == 1)) vitalwire_client_dispatch(client);
  CHECK(parts.read == 4);
  collect(range, ready, client);
  vitalwire_range_call_free(range);
  CHECK_REFUSED(vitalwire_range_parts_next_start(NULL, NULL, NULL, NULL, &call, &error), &error, "parts");
  CHECK_REFUSED(vitalwire_range_parts_next_start(parts.parts, NULL, NULL, NULL, NULL, &error), &error, "out");
  CHECK_REFUSED(vitalwire_range_parts_next_finish(NULL, NULL, &error), &error, "call");
  vitalwire_range_parts_free(parts.parts);
  vitalwire_client_free(client);
}
