/* Compares two ways to keep 100 calls in flight: one thread with poll, and 100 blocking threads. */
#include "bench.h"

#include <poll.h>
#include <pthread.h>

enum { AT_ONCE = 100 };

typedef struct {
  vitalwire_client *client;
  unsigned left, going; /* calls to start, and calls in flight */
} loop;

static void start(loop *in);

static void on_end(void *user_data, vitalwire_call *call) {
  loop *in = user_data;
  vitalwire_user_info *user = NULL;
  bench_must(vitalwire_client_user_info_finish(call, &user, NULL) == VITALWIRE_OK, "a started call failed");
  vitalwire_user_info_free(user);
  vitalwire_call_free(call);
  in->going--;
  if (in->left > 0) start(in);
}

static void start(loop *in) {
  vitalwire_call *call = NULL;
  in->left--;
  in->going++;
  bench_must(vitalwire_client_user_info_start(in->client, NULL, NULL, on_end, in, NULL, &call, NULL) == VITALWIRE_OK, "no call started");
}

/* Duration of a hundred calls. */
static double by_poll(void *self, unsigned times) {
  vitalwire_descriptor descriptor;
  loop in = {.client = self, .left = times * AT_ONCE};
  bench_must(vitalwire_client_descriptor(in.client, &descriptor, NULL) == VITALWIRE_OK, "no descriptor");
  const double worked = bench_worked();
  for (int at = 0; at < AT_ONCE; at++) start(&in);
  while (in.going > 0) {
    struct pollfd ready = {descriptor, POLLIN, 0};
    if (poll(&ready, 1, -1) > 0) vitalwire_client_dispatch(in.client);
  }
  return (bench_worked() - worked) / times;
}

typedef struct {
  vitalwire_client *client;
  pthread_barrier_t begin, end;
  unsigned times;
} threads;

/* A thread that is reused in all rounds, so that the cost of creating threads is not measured. */
static void *block(void *self) {
  threads *of = self;
  for (;;) {
    pthread_barrier_wait(&of->begin);
    for (unsigned time = 0; time < of->times; time++) {
      vitalwire_user_info *user = NULL;
      bench_must(vitalwire_client_user_info(of->client, NULL, NULL, &user, NULL) == VITALWIRE_OK, "a call that blocks failed");
      vitalwire_user_info_free(user);
    }
    pthread_barrier_wait(&of->end);
  }
  return NULL;
}

static double by_threads(void *self, unsigned times) {
  threads *of = self;
  of->times = times;
  const double worked = bench_worked();
  pthread_barrier_wait(&of->begin);
  pthread_barrier_wait(&of->end);
  return (bench_worked() - worked) / times;
}

void bench_at_once(bench_effort effort, const char *url, const char *token) {
  static threads of;
  of.client = bench_client(url, token);
  pthread_barrier_init(&of.begin, NULL, AT_ONCE + 1);
  pthread_barrier_init(&of.end, NULL, AT_ONCE + 1);
  for (int at = 0; at < AT_ONCE; at++) {
    pthread_t thread;
    bench_must(pthread_create(&thread, NULL, block, &of) == 0 && pthread_detach(thread) == 0, "no thread");
  }
  const bench_way ways[] = {{by_poll, bench_client(url, token), false}, {by_threads, &of, false}};
  const bench_found found = bench_compare(effort, ways, 2);
  bench_line("100 calls at once by poll, CPU: 100 threads that block", &found, 0, 1, 0.8);
}
