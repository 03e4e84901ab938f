/* main URL TOKEN [--quick] [PROGRAM...]: measures the library for C beside the Rust client, libcurl, and the Python package in PROGRAM. */
#include "bench.h"

#include <string.h>

static const bench_effort FULL = {MAX_ROUNDS, 0.1}, QUICK = {7, 0.04};

int main(int count, char **arguments) {
  bench_must(count >= 3, "main URL TOKEN [--quick] [PROGRAM...]");
  const char *url = arguments[1], *token = arguments[2];
  const bool quick = count > 3 && strcmp(arguments[3], "--quick") == 0;
  const bench_effort effort = quick ? QUICK : FULL;
  char *const *python = arguments + 3 + quick;
  bench_calls(effort, url, token, *python != NULL ? python : NULL);
  bench_at_once(effort, url, token);
  bench_accessors(effort, url, token);
  return 0;
}
