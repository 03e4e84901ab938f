/* Compares the C library with the Rust client, libcurl, and the Python package (run by PROGRAM):

     main URL TOKEN calls [--quick] [PROGRAM...]   small calls
     main URL TOKEN rest [--quick]                 all else */
#include "bench.h"

#include <string.h>

static const bench_effort FULL = {MAX_ROUNDS, 0.1}, QUICK = {7, 0.04};

int main(int count, char **arguments) {
  bench_must(count >= 4, "main URL TOKEN calls|rest [--quick] [PROGRAM...]");
  const char *url = arguments[1], *token = arguments[2];
  const bool quick = count > 4 && strcmp(arguments[4], "--quick") == 0;
  const bench_effort effort = quick ? QUICK : FULL;
  char *const *python = arguments + 4 + quick;
  if (strcmp(arguments[3], "calls") == 0) {
    bench_calls(effort, url, token, *python != NULL ? python : NULL);
  } else {
    bench_at_once(effort, url, token);
    bench_accessors(effort, url, token);
  }
  return 0;
}
