/* Completions on a library thread, and in the program's own loop. */
#define _POSIX_C_SOURCE 200809L

#include "smoke.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* Counters and state of completions. */
struct told {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  vitalwire_client *client;
  int left;
  int right, ended, at_once;
  bool here;
  pthread_t thread;
  vitalwire_code shutdown;
};

static void told_init(struct told *told, vitalwire_client *client, int left) {
  memset(told, 0, sizeof *told);
  pthread_mutex_init(&told->lock, NULL);
  pthread_cond_init(&told->changed, NULL);
  told->client = client;
  told->left = left;
  told->here = true;
  told->thread = pthread_self();
}

static void told_end(void *data) {
  struct told *told = data;
  pthread_mutex_lock(&told->lock);
  told->ended++;
  pthread_cond_signal(&told->changed);
  pthread_mutex_unlock(&told->lock);
}

static void wait_for_ends(struct told *told, int ends) {
  pthread_mutex_lock(&told->lock);
  while (told->ended < ends) pthread_cond_wait(&told->changed, &told->lock);
  pthread_mutex_unlock(&told->lock);
}

/* Takes the result, frees the call, and starts the next one if any are left. */
static void go_on(void *data, vitalwire_call *call) {
  struct told *told = data;
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  CHECK(++told->at_once == 1);
  if (!pthread_equal(pthread_self(), told->thread)) told->here = false;
  if (CHECK_OK(vitalwire_client_user_info_finish(call, &user, &error), &error)) {
    told->right += vitalwire_str_equals(vitalwire_user_info_application_user_id(user), "person-1");
  }
  vitalwire_user_info_free(user);
  vitalwire_call_free(call);
  if (told->left > 0) {
    told->left--;
    vitalwire_call *next = NULL;
    CHECK_OK(vitalwire_client_user_info_start(told->client, NULL, NULL, go_on, told, told_end, &next, &error), &error);
  }
  /* Makes a blocking call too. Those on library threads are not counted. */
  CHECK(is_person(told->client));
  told->at_once--;
}

static void of_library(void *data, vitalwire_call *call) {
  ((struct told *)data)->shutdown = vitalwire_shutdown(NULL);
  go_on(data, call);
}

void case_completions(void) {
  struct told told;
  vitalwire_client *client = sandbox();
  told_init(&told, client, 5);
  vitalwire_call *call = NULL;
  vitalwire_error *error = NULL;
  for (int i = 0; i < 5; i++) {
    CHECK_OK(vitalwire_client_user_info_start(client, NULL, NULL, of_library, &told, told_end, &call, &error), &error);
  }
  wait_for_ends(&told, 10);
  /* In sequence, on another thread. */
  CHECK(told.right == 10 && told.left == 0 && !told.here && told.shutdown == VITALWIRE_ERROR_CONFIGURATION);
  vitalwire_client_free(client);
}

/* Dispatches when the descriptor is readable, until this number of calls has ended. */
static void loop(vitalwire_client *client, const struct told *told, int ends) {
  vitalwire_descriptor descriptor = -1, again = -1;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_descriptor(client, &descriptor, &error), &error);
  CHECK_OK(vitalwire_client_descriptor(client, &again, &error), &error);
  CHECK(descriptor >= 0 && descriptor == again);
  struct pollfd ready = {descriptor, POLLIN, 0};
  while (told->ended < ends) {
    if (!CHECK(poll(&ready, 1, 15000) == 1 && ready.revents == POLLIN)) return;
    CHECK(vitalwire_client_dispatch(client) > 0);
  }
  /* All calls were announced. */
  CHECK(poll(&ready, 1, 0) == 0 && vitalwire_client_dispatch(client) == 0);
}

void case_loop(void) {
  struct told told;
  vitalwire_client *client = sandbox();
  vitalwire_error *error = NULL;
  told_init(&told, client, 20);
  /* Once the descriptor exists, completions wait for a dispatch. */
  CHECK(vitalwire_client_dispatch(client) == 0);
  vitalwire_call *call = NULL;
  for (int i = 0; i < 100; i++) {
    CHECK_OK(vitalwire_client_user_info_start(client, NULL, NULL, go_on, &told, told_end, &call, &error), &error);
  }
  loop(client, &told, 120);
  CHECK(told.right == 120 && told.left == 0 && told.here);

  /* Calls without a completion are announced too. */
  told.ended = 0;
  CHECK_OK(vitalwire_client_user_info_start(client, NULL, NULL, NULL, &told, NULL, &call, &error), &error);
  vitalwire_descriptor descriptor;
  CHECK_OK(vitalwire_client_descriptor(client, &descriptor, &error), &error);
  struct pollfd ready = {descriptor, POLLIN, 0};
  CHECK(poll(&ready, 1, 15000) == 1 && vitalwire_call_wait(call, 0) && vitalwire_client_dispatch(client) == 1);
  vitalwire_call_free(call);

  /* A call that was waited for still completes in the dispatch; a freed one does not. */
  vitalwire_call *freed = NULL;
  CHECK_OK(vitalwire_client_user_info_start(client, NULL, NULL, go_on, &told, told_end, &call, &error), &error);
  CHECK_OK(vitalwire_client_user_info_start(client, NULL, NULL, go_on, &told, told_end, &freed, &error), &error);
  CHECK(vitalwire_call_wait(call, 15000) && vitalwire_call_wait(freed, 15000) && told.ended == 0);
  vitalwire_call_free(freed);
  CHECK(told.ended == 1);
  while (told.ended < 2) {
    CHECK(poll(&ready, 1, 15000) == 1);
    vitalwire_client_dispatch(client);
  }
  CHECK(told.right == 121);

  CHECK_REFUSED(vitalwire_client_descriptor(NULL, &descriptor, &error), &error, "client");
  CHECK_REFUSED(vitalwire_client_descriptor(client, NULL, &error), &error, "out");
  CHECK(vitalwire_client_dispatch(NULL) == 0);
  vitalwire_client_free(client);
}

/* A range, read part by part without blocking. */
struct parts {
  vitalwire_range_parts *parts;
  int read;
  bool over;
};

static void read_on(void *data, vitalwire_call *call) {
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
  CHECK_OK(vitalwire_range_parts_next_start(of->parts, read_on, of, NULL, &next, &error), &error);
}

/* A range as one response, without blocking. */
struct whole {
  atomic_int parts; /* that were told of, on another thread */
  bool over;
};

static void on_part(void *data, const vitalwire_range_progress *progress) {
  struct whole *of = data;
  CHECK(progress->total == 4 && progress->done <= 4);
  of->parts++;
}

static void on_whole(void *data, vitalwire_call *call) {
  struct whole *of = data;
  vitalwire_merged_range *merged = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_range_call_collect_finish(call, &merged, &error), &error);
  CHECK(vitalwire_daily_statistics_statistics_count(vitalwire_merged_range_statistics_daily(merged)) > 0 && of->parts == 4);
  vitalwire_merged_range_free(merged);
  vitalwire_call_free(call);
  of->over = true;
}

static void collect(vitalwire_range_call *range, struct pollfd ready, vitalwire_client *client) {
  struct whole whole = {0, false};
  vitalwire_call *call = NULL;
  vitalwire_merged_range *merged = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_range_call_collect_start(range, on_part, &whole, NULL, on_whole, &whole, NULL, &call, &error), &error);
  while (!whole.over && CHECK(poll(&ready, 1, 15000) == 1)) vitalwire_client_dispatch(client);
  call = NULL;
  CHECK_OK(vitalwire_range_call_collect_start(range, NULL, NULL, NULL, NULL, NULL, NULL, &call, &error), &error);
  vitalwire_call_cancel(call);
  CHECK(vitalwire_call_wait(call, 15000));
  /* All parts may have arrived before. */
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
  CHECK_OK(vitalwire_range_parts_next_start(parts.parts, read_on, &parts, NULL, &call, &error), &error);
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
