/* Functions that the benchmarks share. `cargo xtask bench --only c` builds and runs the benchmarks. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>

#include "vitalwire.h"

/* Runs an alternative `times` times. Returns the seconds per run. */
typedef double (*bench_run)(unsigned times);

/* Declares a row of the table: the ratio of our time to that of the baseline must not exceed `most`. */
void bench_row(const char *measure, const char *ours, const char *baseline, const char *clock, double most);
/* Prints that a row cannot be measured. */
void bench_not_installed(const char *measure, const char *what);
/* Adds an alternative to the program. */
void bench_alternative(const char *name, bench_run run);

/* Returns the time of a monotonic clock, in seconds. */
double bench_now(void);
/* Ends the program if a condition does not hold. */
void bench_must(bool holds, const char *what);
/* Creates a client of the benchmark server. */
vitalwire_client *bench_client(void);
const char *bench_url(void);
#define BENCH_TOKEN "bench-token"

/* Returns the alternative with libcurl and jansson, or NULL if the libraries were not available. */
bench_run bench_curl(void);

void bench_calls(char *const *python);
void bench_at_once(void);
void bench_accessors(void);

#endif
