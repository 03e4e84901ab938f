#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds_of(clockid_t clock) {
  struct timespec at;
  clock_gettime(clock, &at);
  return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

double bench_now(void) { return seconds_of(CLOCK_MONOTONIC); }

double bench_worked(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

void bench_must(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "%s\n", what);
  exit(1);
}

/* Returns how many runs of an alternative fill `slice` seconds of wall time, and warms up the alternative. */
static unsigned fitting(bench_way way, double slice) {
  unsigned times = 1;
  for (;;) {
    const double started = bench_now();
    way.seconds(way.self, times);
    const double passed = bench_now() - started;
    if (passed >= slice / 2) return times;
    times *= 2;
  }
}

bench_found bench_compare(bench_effort effort, const bench_way *ways, size_t count) {
  bench_found found = {.rounds = effort.rounds};
  unsigned times[MAX_WAYS];
  for (size_t way = 0; way < count; way++) times[way] = fitting(ways[way], effort.slice);
  for (int round = 0; round < effort.rounds; round++) {
    for (size_t turn = 0; turn < count; turn++) {
      const size_t way = ((size_t)round + turn) % count;
      const double worked = bench_worked();
      found.seconds[way][round] = ways[way].seconds(ways[way].self, times[way]);
      if (!ways[way].elsewhere) found.worked[way][round] = (bench_worked() - worked) / times[way];
    }
  }
  return found;
}

static int by_size(const void *one, const void *other) {
  const double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

static double middle(const double *values, int count) {
  double sorted[MAX_ROUNDS];
  memcpy(sorted, values, (size_t)count * sizeof *values);
  qsort(sorted, (size_t)count, sizeof *sorted, by_size);
  return sorted[count / 2];
}

double bench_median(const bench_found *found, size_t way) { return middle(found->seconds[way], found->rounds); }

double bench_ratio(const bench_found *found, size_t one, size_t other) {
  double ratios[MAX_ROUNDS];
  for (int round = 0; round < found->rounds; round++) ratios[round] = found->seconds[one][round] / found->seconds[other][round];
  return middle(ratios, found->rounds);
}

static void print_seconds(double seconds) {
  if (seconds < 1e-6)
    printf("%.2f ns", seconds * 1e9);
  else if (seconds < 1e-3)
    printf("%.1f us", seconds * 1e6);
  else
    printf("%.2f ms", seconds * 1e3);
}

static void print_cell(const char *name, const bench_found *found, size_t way, bool with_worked) {
  const double worked = middle(found->worked[way], found->rounds);
  printf("\"%s\":\"", name);
  print_seconds(bench_median(found, way));
  if (with_worked && worked > 0) {
    printf(", worked ");
    print_seconds(worked);
  }
  printf("\",");
}

static void print_line(const char *measure, const bench_found *found, size_t ours, size_t baseline, double most, bool with_worked) {
  const double figure = bench_ratio(found, ours, baseline);
  printf("{\"measure\":\"%s\",", measure);
  print_cell("ours", found, ours, with_worked);
  print_cell("baseline", found, baseline, with_worked);
  printf("\"figure\":%.4f,\"gate\":\"<= %g\",\"met\":%s}\n", figure, most, figure <= most ? "true" : "false");
  fflush(stdout);
}

void bench_line(const char *measure, const bench_found *found, size_t ours, size_t baseline, double most) {
  print_line(measure, found, ours, baseline, most, false);
}

void bench_call_line(const char *measure, const bench_found *found, size_t ours, size_t baseline, double most) {
  print_line(measure, found, ours, baseline, most, true);
}

void bench_not_installed(const char *measure, const char *what) {
  printf("{\"measure\":\"%s\",\"ours\":\"\",\"baseline\":\"%s is not installed\",", measure, what);
  printf("\"figure\":null,\"gate\":\"\",\"met\":null}\n");
}
