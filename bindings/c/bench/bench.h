/* Functions that the benchmarks share. `cargo xtask bench --only c` builds and runs the benchmarks. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "vitalwire.h"

/* Runs the work `times` times. Returns the seconds per run. */
typedef double (*bench_seconds)(void *self, unsigned times);

/* An implementation to compare. `elsewhere` means that the work runs in another process. */
typedef struct {
  bench_seconds seconds;
  void *self;
  bool elsewhere;
} bench_way;

/* Runs all alternatives in each round, so that they run under the same load of the machine. */
#define MAX_WAYS 4
#define MAX_ROUNDS 31

/* Wall time and processor time of each alternative in each round. Work in another process has no processor time. */
typedef struct {
  double seconds[MAX_WAYS][MAX_ROUNDS], worked[MAX_WAYS][MAX_ROUNDS];
  int rounds;
} bench_found;

/* Number and duration of the rounds of a comparison. */
typedef struct {
  int rounds;
  double slice; /* seconds of each alternative in a round */
} bench_effort;

bench_found bench_compare(bench_effort effort, const bench_way *ways, size_t count);
/* Return the median seconds of an alternative, and the median over all rounds of the ratio of two alternatives. */
double bench_median(const bench_found *found, size_t way);
double bench_ratio(const bench_found *found, size_t one, size_t other);
/* Prints a measure: the ratio of our time to that of the baseline. The ratio must not exceed `most`. */
void bench_line(const char *measure, const bench_found *found, size_t ours, size_t baseline, double most);
/* Like bench_line, with processor time in addition to wall time. */
void bench_call_line(const char *measure, const bench_found *found, size_t ours, size_t baseline, double most);
void bench_not_installed(const char *measure, const char *what);

/* Returns the time of a monotonic clock, in seconds. */
double bench_now(void);
/* Returns the processor time of all threads of this process, in seconds. */
double bench_worked(void);
/* Ends the program if a condition does not hold. */
void bench_must(bool holds, const char *what);

/* Creates a client of the benchmark server. */
vitalwire_client *bench_client(const char *url, const char *token);

/* Returns the alternative with libcurl and jansson. Its `seconds` is NULL if the libraries were not available. */
bench_way bench_curl(const char *url, const char *token);
/* Returns an alternative that runs in a program. The program reads a count per line and prints the seconds per run. */
bench_way bench_other_process(char *const *command);

void bench_calls(bench_effort effort, const char *url, const char *token, char *const *python);
void bench_at_once(bench_effort effort, const char *url, const char *token);
void bench_accessors(bench_effort effort, const char *url, const char *token);

#endif
