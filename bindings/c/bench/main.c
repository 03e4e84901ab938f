/* Compares the C library with the Rust client, libcurl, and the Python package (run by PROGRAM):

     main calls [PROGRAM...]   small calls
     main rest                 all else

   Declares rows and runs alternatives, as the module `program` of the crate `vitalwire-bench` describes. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct {
  const char *name;
  bench_run run;
} alternatives[4];

void bench_alternative(const char *name, bench_run run) {
  size_t at = 0;
  while (alternatives[at].name != NULL) at++;
  alternatives[at].name = name;
  alternatives[at].run = run;
}

void bench_row(const char *measure, const char *ours, const char *baseline, const char *clock, double most) {
  printf("{\"measure\":\"%s\",\"ours\":\"%s\",\"baseline\":\"%s\",\"clock\":\"%s\",", measure, ours, baseline, clock);
  printf("\"figure\":\"time\",\"gate\":\"<= %g\"}\n", most);
}

void bench_not_installed(const char *measure, const char *what) { fprintf(stderr, "%s: skipped, %s is not installed\n", measure, what); }

static double seconds_of(clockid_t clock) {
  struct timespec at;
  clock_gettime(clock, &at);
  return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

double bench_now(void) { return seconds_of(CLOCK_MONOTONIC); }

void bench_must(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "%s\n", what);
  exit(1);
}

const char *bench_url(void) { return getenv("BENCH_URL"); }

vitalwire_client *bench_client(void) {
  vitalwire_client *client = NULL;
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_base_url(builder, vitalwire_str_from(bench_url()));
  vitalwire_client_builder_set_token(builder, vitalwire_str_from(BENCH_TOKEN));
  /* More than the number of concurrent calls, so that no call is queued. */
  vitalwire_client_builder_set_max_connections(builder, 128);
  bench_must(vitalwire_client_builder_build(builder, &client, NULL) == VITALWIRE_OK, "no client");
  vitalwire_client_builder_free(builder);
  return client;
}

int main(int count, char **arguments) {
  unsigned times;
  char name[16];
  bench_must(count > 1 && bench_url() != NULL, "main calls|rest [PROGRAM...], with BENCH_URL");
  if (strcmp(arguments[1], "calls") == 0) {
    bench_calls(arguments + 2);
  } else {
    bench_at_once();
    bench_accessors();
  }
  printf("\n");
  fflush(stdout);
  while (scanf("%u %15s", &times, name) == 2) {
    size_t at = 0;
    while (strcmp(alternatives[at].name, name) != 0) at++;
    const double worked = seconds_of(CLOCK_PROCESS_CPUTIME_ID), seconds = alternatives[at].run(times);
    printf("%.12f %.12f\n", seconds, (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - worked) / times);
    fflush(stdout);
  }
  return 0;
}
