/* Compares two ways to keep 100 calls in flight: one thread with poll, and 100 blocking threads. */
#include "bench.h"

#include <poll.h>
#include <pthread.h>

enum { AT_ONCE = 100 };

static vitalwire_client *client; /* of by_poll */

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
static double by_poll(unsigned times) {
  vitalwire_descriptor descriptor;
  loop in = {.client = client, .left = times * AT_ONCE};
  bench_must(vitalwire_client_descriptor(in.client, &descriptor, NULL) == VITALWIRE_OK, "no descriptor");
  const double started = bench_now();
  for (int at = 0; at < AT_ONCE; at++) start(&in);
  while (in.going > 0) {
    struct pollfd ready = {descriptor, POLLIN, 0};
    if (poll(&ready, 1, -1) > 0) vitalwire_client_dispatch(in.client);
  }
  return (bench_now() - started) / times;
}

static pthread_barrier_t begin, end;
static unsigned calls_per_thread;

/* A thread that is reused in all rounds, so that the cost of creating threads is not measured. */
static void *block(void *blocking_client) {
  for (;;) {
    pthread_barrier_wait(&begin);
    for (unsigned time = 0; time < calls_per_thread; time++) {
      vitalwire_user_info *user = NULL;
      bench_must(vitalwire_client_user_info(blocking_client, NULL, NULL, &user, NULL) == VITALWIRE_OK, "a call that blocks failed");
      vitalwire_user_info_free(user);
    }
    pthread_barrier_wait(&end);
  }
  return NULL;
}

static double by_threads(unsigned times) {
  const double started = bench_now();
  calls_per_thread = times;
  pthread_barrier_wait(&begin);
  pthread_barrier_wait(&end);
  return (bench_now() - started) / times;
}

void bench_at_once(void) {
  vitalwire_client *blocking_client = bench_client();
  client = bench_client();
  pthread_barrier_init(&begin, NULL, AT_ONCE + 1);
  pthread_barrier_init(&end, NULL, AT_ONCE + 1);
  for (int at = 0; at < AT_ONCE; at++) {
    pthread_t thread;
    bench_must(pthread_create(&thread, NULL, block, blocking_client) == 0 && pthread_detach(thread) == 0, "no thread");
  }
  bench_alternative("poll", by_poll);
  bench_alternative("threads", by_threads);
  bench_row("100 calls at once by poll, CPU: 100 threads that block", "poll", "threads", "cpu", 0.8);
}
