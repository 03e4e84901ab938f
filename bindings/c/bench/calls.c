/* Compares a small blocking call, made in sequence: user information, with a response of 700 bytes. */
#include "bench.h"

#include <stdio.h>

#include "../tests/probe.h"

static vitalwire_client *client;
static vitalwire_probe_client *rust;

static double by_c(unsigned times) {
  const double started = bench_now();
  for (unsigned time = 0; time < times; time++) {
    vitalwire_user_info *user = NULL;
    bench_must(vitalwire_client_user_info(client, NULL, NULL, &user, NULL) == VITALWIRE_OK, "a call failed");
    bench_must(vitalwire_user_info_uid(user).length == 36, "the response must have an id");
    vitalwire_user_info_free(user);
  }
  return (bench_now() - started) / times;
}

static double by_rust(unsigned times) {
  double seconds = 0;
  bench_must(vitalwire_probe_client_seconds(rust, times, &seconds, NULL) == VITALWIRE_OK, "a call in Rust failed");
  return seconds;
}

void bench_calls(char *const *python) {
  const char *beside_curl = "small call that blocks: libcurl + jansson", *beside_python = "small call that blocks: Python";
  client = bench_client();
  bench_must(vitalwire_probe_client_new(vitalwire_str_from(bench_url()), vitalwire_str_from(BENCH_TOKEN), &rust, NULL) == VITALWIRE_OK,
    "no client in Rust");
  bench_alternative("c", by_c);
  bench_alternative("rust", by_rust);
  bench_row("small call that blocks: the Rust client", "c", "rust", "wall", 1.2);
  if (bench_curl() != NULL) {
    bench_alternative("curl", bench_curl());
    bench_row(beside_curl, "c", "curl", "wall", 1);
  } else {
    bench_not_installed(beside_curl, "libcurl or jansson");
  }
  if (python[0] != NULL && python[1] != NULL) {
    printf("{\"name\":\"python\",\"command\":[\"%s\",\"%s\"],\"serves\":true}\n", python[0], python[1]);
    bench_row(beside_python, "c", "python", "wall", 1.05);
  } else {
    bench_not_installed(beside_python, "Python");
  }
}
