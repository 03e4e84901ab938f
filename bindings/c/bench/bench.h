/* Functions that the measures share. `cargo xtask bench --only c` builds and runs them. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "vitalwire.h"

/* Runs work a number of times. Returns the seconds per run. */
typedef double (*bench_seconds)(void *self, unsigned times);

/* An alternative; `elsewhere` means that another process works. */
typedef struct {
  bench_seconds seconds;
  void *self;
  bool elsewhere;
} bench_way;

/* Runs the alternatives in turn, round by round: within a round, all run on the same machine state. */
#define MAX_WAYS 4
#define MAX_ROUNDS 31

/* Wall time and processor time of each alternative in each round; no processor time if it runs elsewhere. */
typedef struct {
  double seconds[MAX_WAYS][MAX_ROUNDS], worked[MAX_WAYS][MAX_ROUNDS];
  int rounds;
} bench_found;

/* Duration of a comparison. */
typedef struct {
  int rounds;
  double slice; /* seconds of each way in a round */
} bench_effort;

bench_found bench_compare(bench_effort effort, const bench_way *ways, size_t count);
/* Median of an alternative's seconds; median of the rounds' ratios of two alternatives. */
double bench_median(const bench_found *found, size_t way);
double bench_ratio(const bench_found *found, size_t one, size_t other);
/* Prints a measure: our time by the baseline's, which must not exceed `most`. */
void bench_line(const char *measure, const bench_found *found, size_t ours, size_t baseline, double most);
/* The same, with processor time in addition to wall time. */
void bench_call_line(const char *measure, const bench_found *found, size_t ours, size_t baseline, double most);
void bench_not_installed(const char *measure, const char *what);

/* Returns the seconds of a monotonic clock. */
double bench_now(void);
/* Returns the processor time of this process in seconds, on all threads. */
double bench_worked(void);
/* Ends the program if a condition does not hold. */
void bench_must(bool holds, const char *what);

/* Creates a client of the server. */
vitalwire_client *bench_client(const char *url, const char *token);

/* The alternative with libcurl and jansson; `seconds` is NULL if they were not available. */
bench_way bench_curl(const char *url, const char *token);
/* A program that reads a count per line, and prints the seconds per run. */
bench_way bench_other(char *const *command);

void bench_calls(bench_effort effort, const char *url, const char *token, char *const *python);
void bench_at_once(bench_effort effort, const char *url, const char *token);
void bench_accessors(bench_effort effort, const char *url, const char *token);

#endif
