/* Compares a small blocking call, made in sequence: user information, with a response of 700 bytes. */
#include "bench.h"

#include "../tests/probe.h"

vitalwire_client *bench_client(const char *url, const char *token) {
  vitalwire_client *client = NULL;
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_base_url(builder, vitalwire_str_from(url));
  vitalwire_client_builder_set_token(builder, vitalwire_str_from(token));
  /* More than the number of concurrent calls, so that no call is queued. */
  vitalwire_client_builder_set_max_connections(builder, 128);
  bench_must(vitalwire_client_builder_build(builder, &client, NULL) == VITALWIRE_OK, "no client");
  vitalwire_client_builder_free(builder);
  return client;
}

static double by_c(void *self, unsigned times) {
  const double started = bench_now();
  for (unsigned time = 0; time < times; time++) {
    vitalwire_user_info *user = NULL;
    bench_must(vitalwire_client_user_info(self, NULL, NULL, &user, NULL) == VITALWIRE_OK, "a call failed");
    bench_must(vitalwire_user_info_uid(user).length == 36, "the response must have an id");
    vitalwire_user_info_free(user);
  }
  return (bench_now() - started) / times;
}

static double by_rust(void *self, unsigned times) {
  double seconds = 0;
  bench_must(vitalwire_probe_client_seconds(self, times, &seconds, NULL) == VITALWIRE_OK, "a call in Rust failed");
  return seconds;
}

void bench_calls(bench_effort effort, const char *url, const char *token, char *const *python) {
  vitalwire_client *ours = bench_client(url, token);
  vitalwire_probe_client *rust = NULL;
  const vitalwire_code code = vitalwire_probe_client_new(vitalwire_str_from(url), vitalwire_str_from(token), &rust, NULL);
  bench_must(code == VITALWIRE_OK, "no client in Rust");
  const char *beside_curl = "small call that blocks: libcurl + jansson", *beside_python = "small call that blocks: Python";
  const bench_way curl = bench_curl(url, token);
  bench_way ways[MAX_WAYS] = {{by_c, ours, false}, {by_rust, rust, false}};
  size_t count = 2, at_curl = 0, at_python = 0;
  if (curl.seconds != NULL) ways[at_curl = count++] = curl;
  if (python != NULL) ways[at_python = count++] = bench_other_process(python);
  const bench_found found = bench_compare(effort, ways, count);
  bench_call_line("small call that blocks: the Rust client", &found, 0, 1, 1.2);
  if (at_curl != 0) bench_call_line(beside_curl, &found, 0, at_curl, 1);
  else bench_not_installed(beside_curl, "libcurl or jansson");
  if (at_python != 0) bench_call_line(beside_python, &found, 0, at_python, 1.05);
  else bench_not_installed(beside_python, "Python");
  vitalwire_probe_client_free(rust);
  vitalwire_client_free(ours);
}
