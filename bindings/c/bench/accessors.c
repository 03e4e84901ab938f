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

static double by_accessor(unsigned times) {
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
  return seconds / times;
}

static double by_struct(unsigned times) {
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
  return seconds / times;
}

void bench_accessors(void) {
  vitalwire_sleep_record *night = NULL;
  vitalwire_client *client = bench_client();
  vitalwire_sleeps_get_params *params = vitalwire_sleeps_get_params_new(vitalwire_str_from("00000000-0000-4000-8000-000000000001"));
  bench_must(vitalwire_client_sleeps_get(client, params, NULL, NULL, &night, NULL) == VITALWIRE_OK, "no night");
  bench_must(vitalwire_sleep_record_stages_count(night) == STAGES, "a night of another length");
  for (size_t at = 0; at < STAGES; at++) {
    ours[at] = vitalwire_sleep_record_stages_at(night, at);
    stages[at].has_duration = vitalwire_sleep_stage_duration(ours[at], &stages[at].duration);
    plain[at] = &stages[at];
  }
  bench_alternative("accessor", by_accessor);
  bench_alternative("struct", by_struct);
  bench_row("accessor, 60 stages: read of a struct's member", "accessor", "struct", "wall", 10);
  vitalwire_sleeps_get_params_free(params);
  vitalwire_client_free(client);
}
