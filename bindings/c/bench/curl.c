/* Makes the small call with libcurl and jansson: one handle that keeps its connection, and a record that owns its memory. */
#include "bench.h"

#ifdef BENCH_CURL
#include <curl/curl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  CURL *curl;
  char *body;
  size_t length, room;
} caller;

typedef struct {
  char *created_at, *slug;
  bool is_broken;
  json_int_t id;
} provider;

typedef struct {
  char *user_id, *client_id, *client_token, *created_at, *uid;
  json_int_t application_id;
  provider *providers;
  size_t count;
} user;

static size_t on_body(char *data, size_t size, size_t count, void *self) {
  caller *into = self;
  const size_t length = size * count;
  if (into->length + length > into->room) {
    into->room = 2 * (into->length + length);
    into->body = realloc(into->body, into->room);
  }
  memcpy(into->body + into->length, data, length);
  into->length += length;
  return length;
}

static char *text(const json_t *of, const char *name) {
  const char *value = json_string_value(json_object_get(of, name));
  return value != NULL ? strdup(value) : NULL;
}

static user read_user(const json_t *from) {
  const json_t *list = json_object_get(from, "integrated_providers");
  user read = {text(from, "application_user_id"), text(from, "compat_application_client_id"), text(from, "compat_application_client_token"),
    text(from, "created_at"), text(from, "uid"), json_integer_value(json_object_get(from, "application_id")), NULL, json_array_size(list)};
  read.providers = calloc(read.count, sizeof *read.providers);
  for (size_t at = 0; at < read.count; at++) {
    const json_t *item = json_array_get(list, at);
    const json_t *broken = json_object_get(item, "is_integration_broken"), *id = json_object_get(item, "provider_integration_id");
    read.providers[at] = (provider){text(item, "created_at"), text(item, "provider_slug"), json_is_true(broken), json_integer_value(id)};
  }
  return read;
}

static void free_user(user *it) {
  for (size_t at = 0; at < it->count; at++) {
    free(it->providers[at].created_at);
    free(it->providers[at].slug);
  }
  char *const texts[] = {it->user_id, it->client_id, it->client_token, it->created_at, it->uid};
  for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) free(texts[at]);
  free(it->providers);
}

static caller with;

static double by_curl(unsigned times) {
  const double started = bench_now();
  for (unsigned time = 0; time < times; time++) {
    long status = 0;
    with.length = 0;
    bench_must(curl_easy_perform(with.curl) == CURLE_OK, "libcurl failed");
    curl_easy_getinfo(with.curl, CURLINFO_RESPONSE_CODE, &status);
    json_t *json = json_loadb(with.body, with.length, 0, NULL);
    bench_must(status == 200 && json != NULL, "libcurl must return the same response");
    user read = read_user(json);
    json_decref(json);
    bench_must(read.uid != NULL && strlen(read.uid) == 36, "the response of libcurl must have an id");
    free_user(&read);
  }
  return (bench_now() - started) / times;
}

bench_run bench_curl(void) {
  char text[256];
  if (with.curl != NULL) return by_curl;
  with.curl = curl_easy_init();
  snprintf(text, sizeof text, "%s/v3/userinfo", bench_url());
  curl_easy_setopt(with.curl, CURLOPT_URL, text);
  struct curl_slist *headers = curl_slist_append(NULL, "Authorization: Bearer " BENCH_TOKEN);
  curl_easy_setopt(with.curl, CURLOPT_HTTPHEADER, curl_slist_append(headers, "Accept: application/json"));
  curl_easy_setopt(with.curl, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(with.curl, CURLOPT_WRITEDATA, &with);
  curl_easy_setopt(with.curl, CURLOPT_TIMEOUT_MS, 60000L);
  curl_easy_setopt(with.curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(with.curl, CURLOPT_NOPROXY, "*");
  return by_curl;
}
#else
bench_run bench_curl(void) { return NULL; }
#endif
