/* The program of the C and C++ runners: fetches the plan, plays each case, and posts its outcome. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "canonical.h"
#include "program.h"

/*
 * Maximum number of concurrent cases. It is lower for cases with a timeout, which would fail on an overloaded machine.
 * The environment variable VITALWIRE_AT_ONCE lowers both.
 */
enum { AT_ONCE = 16, TIMED_AT_ONCE = 8 };

/* Maximum duration of a case. It is a hundred times as long under valgrind. */
enum { LIMIT_SECONDS = 60 };

/* Whether the thread of a case was abandoned because the case did not end in time. The thread may still run. */
static atomic_bool left_behind;

/* Queue of cases, which all threads share. */
struct queue {
  const struct planned **cases;
  size_t count;
  atomic_size_t next;
  const char *run;
};

ENDS void give_up(const char *text) {
  fprintf(stdout, "conformance runner: %s\n", text);
  exit(1);
}

void *memory(void *old, size_t size) {
  void *got = realloc(old, size);
  if (got == NULL) give_up("no memory");
  return got;
}

static bool is_timed(const struct planned *planned) {
  static const char *const calls[] = {"operation", "wait", "split"};
  static const char *const times[] = {"options/total_ms",        "options/attempt_ms",     "options/connect_ms",
                                      "options/cancel_after_ms", "options/close_after_ms", "timeout_ms"};
  if (plan_at(planned, "/client/timeout_scale") != NULL) return true;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    for (size_t j = 0; j < sizeof times / sizeof *times; j++) {
      char place[80];
      snprintf(place, sizeof place, "/call/%s/%s", calls[i], times[j]);
      if (plan_at(planned, place) != NULL) return true;
    }
  }
  return false;
}

/* A case that is played on its own thread. The thread is abandoned if the case does not end in time. */
struct watched {
  const struct planned *planned;
  struct json report;
  bool ended;
  bool left;
  pthread_mutex_t lock;
  pthread_cond_t end;
};

static void watched_free(struct watched *watched) {
  pthread_mutex_destroy(&watched->lock);
  pthread_cond_destroy(&watched->end);
  free(watched);
}

static void *play_watched(void *place) {
  struct watched *watched = place;
  struct json report = {0};
  case_play(watched->planned, &report);
  pthread_mutex_lock(&watched->lock);
  watched->report = report;
  watched->ended = true;
  const bool left = watched->left;
  pthread_cond_signal(&watched->end);
  pthread_mutex_unlock(&watched->lock);
  if (left) {
    json_free(&watched->report);
    watched_free(watched);
  }
  return NULL;
}

/* Writes the report of a case. If the case did not end in time, the report says so. */
static void play_within_limit(const struct planned *planned, struct json *report) {
  struct watched *watched = memory(NULL, sizeof *watched);
  *watched = (struct watched){.planned = planned};
  pthread_mutex_init(&watched->lock, NULL);
  pthread_cond_init(&watched->end, NULL);
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += LIMIT_SECONDS;
  pthread_t thread;
  if (pthread_create(&thread, NULL, play_watched, watched) != 0) give_up("no thread for a case");
  pthread_mutex_lock(&watched->lock);
  while (!watched->ended && pthread_cond_timedwait(&watched->end, &watched->lock, &limit) == 0) {
  }
  const bool ended = watched->ended;
  watched->left = !ended;
  pthread_mutex_unlock(&watched->lock);
  if (!ended) {
    pthread_detach(thread);
    atomic_store(&left_behind, true);
    json_open(report, '{');
    json_name(report, "outcome");
    unplayable(report, "no outcome in time");
    json_name(report, "texts");
    json_open(report, '[');
    json_close(report, ']');
    json_close(report, '}');
    return;
  }
  pthread_join(thread, NULL);
  *report = watched->report;
  watched_free(watched);
}

static void *work(void *place) {
  struct queue *queue = place;
  for (size_t at; (at = atomic_fetch_add(&queue->next, 1)) < queue->count;) {
    struct json report = {0};
    char path[256];
    play_within_limit(queue->cases[at], &report);
    snprintf(path, sizeof path, "outcome/%s/%s", queue->run, queue->cases[at]->id);
    judge_post(path, &report);
    json_free(&report);
  }
  return NULL;
}

static void play(struct queue *queue, size_t at_once) {
  pthread_t threads[AT_ONCE];
  const char *fewer = getenv("VITALWIRE_AT_ONCE");
  const size_t most = fewer == NULL ? at_once : (size_t)strtoul(fewer, NULL, 10);
  if (most > 0 && most < at_once) at_once = most;
  for (size_t i = 0; i < at_once; i++) {
    if (pthread_create(&threads[i], NULL, work, queue) != 0) give_up("no thread for cases");
  }
  for (size_t i = 0; i < at_once; i++) pthread_join(threads[i], NULL);
}

/* Posts the text that the library wrote to standard error, for example panics, as a list of one text. */
static void post_log(FILE *log, const char *run) {
  struct json texts = {0};
  fflush(stderr);
  const long size = lseek(fileno(log), 0, SEEK_END);
  char *text = memory(NULL, (size_t)(size < 0 ? 0 : size) + 1);
  rewind(log);
  const size_t length = fread(text, 1, size < 0 ? 0 : (size_t)size, log);
  json_open(&texts, '[');
  if (length > 0) json_text(&texts, (vitalwire_str){text, length});
  json_close(&texts, ']');
  fwrite(text, 1, length, stdout);
  char path[256];
  snprintf(path, sizeof path, "texts/%s", run);
  judge_post(path, &texts);
  json_free(&texts);
  free(text);
}

int main(void) {
  const char *run = getenv("VITALWIRE_RUN");
  if (run == NULL) give_up("VITALWIRE_RUN is not set");
  FILE *log = tmpfile();
  if (log == NULL || dup2(fileno(log), STDERR_FILENO) < 0) give_up("standard error cannot be kept");
  char path[256];
  snprintf(path, sizeof path, "plan/%s/tsv", run);
  size_t length = 0;
  char *text = judge_get(path, &length);
  struct planned *cases = NULL;
  const size_t count = plan_read(text, length, &cases);
  const struct planned **chosen = memory(NULL, (count + 1) * sizeof *chosen);
  for (int timed = 0; timed <= 1; timed++) {
    struct queue queue = {.cases = chosen, .count = 0, .run = run};
    for (size_t i = 0; i < count; i++) {
      if (is_timed(&cases[i]) == (timed == 1)) chosen[queue.count++] = &cases[i];
    }
    play(&queue, timed == 1 ? TIMED_AT_ONCE : AT_ONCE);
  }
  post_log(log, run);
  if (atomic_load(&left_behind)) {
    fflush(stdout);
    /* Nothing is freed, because an abandoned thread may use the cases until the process ends. */
    _exit(0);
  }
  fclose(log);
  free(chosen);
  if (count > 0) free((void *)(uintptr_t)cases[0].leaves);
  free(cases);
  free(text);
  return 0;
}
