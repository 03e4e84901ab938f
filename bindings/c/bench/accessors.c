/* Compares an accessor with reading the field of a C struct. */
#include "bench.h"

enum { STAGES = 60 };

typedef struct {
  bool has_duration;
  int64_t duration;
} stage;

static const vitalwire_sleep_stage *ours[STAGES];
static stage stages[STAGES];
static const stage *plain[STAGES];

/* The compiler does not know the target of the pointer, so it cannot remove the reads. */
#define UNKNOWN(pointer) __asm__ volatile("" : "+r"(pointer) : : "memory")

static double by_accessor(void *self, unsigned times) {
  (void)self;
  int64_t sum = 0;
  const double started = bench_now();
  for (unsigned time = 0; time < times; time++) {
    for (size_t at = 0; at < STAGES; at++) {
      int64_t value;
      const vitalwire_sleep_stage *of = ours[at];
      UNKNOWN(of);
      if (vitalwire_sleep_stage_duration(of, &value)) sum += value;
    }
  }
  const double seconds = bench_now() - started;
  UNKNOWN(sum);
  return seconds / times / STAGES;
}

static double by_struct(void *self, unsigned times) {
  (void)self;
  int64_t sum = 0;
  const double started = bench_now();
  for (unsigned time = 0; time < times; time++) {
    for (size_t at = 0; at < STAGES; at++) {
      const stage *of = plain[at];
      UNKNOWN(of);
      if (of->has_duration) sum += of->duration;
    }
  }
  const double seconds = bench_now() - started;
  UNKNOWN(sum);
  return seconds / times / STAGES;
}

void bench_accessors(bench_effort effort, const char *url, const char *token) {
  vitalwire_sleep_record *night = NULL;
  vitalwire_client *client = bench_client(url, token);
  vitalwire_sleeps_get_params *params = vitalwire_sleeps_get_params_new(vitalwire_str_from("00000000-0000-4000-8000-000000000001"));
  bench_must(vitalwire_client_sleeps_get(client, params, NULL, NULL, &night, NULL) == VITALWIRE_OK, "no night");
  bench_must(vitalwire_sleep_record_stages_count(night) == STAGES, "a night of another length");
  for (size_t at = 0; at < STAGES; at++) {
    ours[at] = vitalwire_sleep_record_stages_at(night, at);
    stages[at].has_duration = vitalwire_sleep_stage_duration(ours[at], &stages[at].duration);
    plain[at] = &stages[at];
  }
  const bench_way ways[] = {{by_accessor, NULL, false}, {by_struct, NULL, false}};
  const bench_found found = bench_compare(effort, ways, 2);
  bench_line("accessor: read of a struct's member", &found, 0, 1, 10);
  vitalwire_sleep_record_free(night);
  vitalwire_sleeps_get_params_free(params);
  vitalwire_client_free(client);
}
