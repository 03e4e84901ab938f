/* What the measures share. `cargo xtask bench --only c` builds and runs them. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "vitalwire.h"

/* Does a thing so many times; returns the seconds of one. */
typedef double (*bench_seconds)(void *self, unsigned times);

/* A way to do a thing; elsewhere: another process works. */
typedef struct {
  bench_seconds seconds;
  void *self;
  bool elsewhere;
} bench_way;

/* The ways are taken in turn, round by round: within a round all of them meet the same machine. */
#define MAX_WAYS 4
#define MAX_ROUNDS 31

/* Seconds of each way in each round, and those that this process worked in them; none for a way that is elsewhere. */
typedef struct {
  double seconds[MAX_WAYS][MAX_ROUNDS], worked[MAX_WAYS][MAX_ROUNDS];
  int rounds;
} bench_found;

/* How much time a comparison takes. */
typedef struct {
  int rounds;
  double slice; /* seconds of each way in a round */
} bench_effort;

bench_found bench_compare(bench_effort effort, const bench_way *ways, size_t count);
/* The median of a way's seconds; the median of the rounds' ratios of one way to another. */
double bench_median(const bench_found *found, size_t way);
double bench_ratio(const bench_found *found, size_t one, size_t other);
/* A measure, as the command reads it: the figure is our time by the baseline's, and must be `most` or less. */
void bench_line(const char *measure, const bench_found *found, size_t ours, size_t baseline, double most);
/* The same, with the time of the processor beside that of the clock. */
void bench_call_line(const char *measure, const bench_found *found, size_t ours, size_t baseline, double most);
void bench_not_installed(const char *measure, const char *what);

/* Seconds of a clock that only goes on. */
double bench_now(void);
/* Seconds that this process has worked, on all its threads. */
double bench_worked(void);
/* Ends the program where something that must hold does not. */
void bench_must(bool holds, const char *what);

/* A client of the server. */
vitalwire_client *bench_client(const char *url, const char *token);

/* The way of libcurl with jansson; NULL in `seconds` where this was built without them. */
bench_way bench_curl(const char *url, const char *token);
/* A program that reads a number of times from its input, a line each, and prints the seconds of one. */
bench_way bench_other(char *const *command);

void bench_calls(bench_effort effort, const char *url, const char *token, char *const *python);
void bench_at_once(bench_effort effort, const char *url, const char *token);
void bench_accessors(bench_effort effort, const char *url, const char *token);

#endif
