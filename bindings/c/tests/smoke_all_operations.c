/* Every call: of a closed client, from a completion, and on two threads of one client; its record as JSON, and its request. */
#include "all_operations.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static vitalwire_client *client_with_samples(void) { return client_with(vitalwire_mock_responses_samples()); }

void case_every_closed(void) {
  vitalwire_client *client = client_with_samples();
  vitalwire_client_close(client, false);
  each_call(client, VITALWIRE_ERROR_CLOSED);
  each_started(client, VITALWIRE_ERROR_CLOSED);
  vitalwire_client_free(client);
}

static void make_each(void *client, vitalwire_call *call) {
  vitalwire_user_info *user = NULL;
  CHECK(vitalwire_client_user_info_finish(call, &user, NULL) == VITALWIRE_OK);
  vitalwire_user_info_free(user);
  each_call(client, VITALWIRE_OK);
  each_started(client, VITALWIRE_OK);
}

/* On a library thread, and in a dispatch. */
void case_every_completion(void) {
  for (int dispatched = 0; dispatched < 2; dispatched++) {
    vitalwire_client *client = client_with_samples();
    vitalwire_call *call = NULL;
    vitalwire_error *error = NULL;
    if (dispatched != 0) vitalwire_client_dispatch(client);
    CHECK_OK(vitalwire_client_user_info_start(client, NULL, NULL, make_each, client, NULL, &call, &error), &error);
    CHECK(vitalwire_call_wait(call, 60000));
    /* Calls started inside have no completion and count too. */
    if (dispatched != 0) CHECK(vitalwire_client_dispatch(client) == 1 && vitalwire_client_dispatch(client) > 10);
    /* Waits for a running completion. */
    vitalwire_call_free(call);
    vitalwire_client_free(client);
  }
}

static void *make_all(void *client) {
  each_call(client, VITALWIRE_OK);
  each_started(client, VITALWIRE_OK);
  return NULL;
}

void case_every_thread(void) {
  vitalwire_client *client = client_with_samples();
  pthread_t threads[2];
  for (int at = 0; at < 2; at++) CHECK(pthread_create(&threads[at], NULL, make_all, client) == 0);
  for (int at = 0; at < 2; at++) CHECK(pthread_join(threads[at], NULL) == 0);
  vitalwire_client_free(client);
}

/* A reader of JSON text without spaces. */
struct reading {
  const char *at;
  const char *end;
};

static uint64_t mix_hash(uint64_t hash, const char *text, size_t length) {
  for (size_t at = 0; at < length; at++) hash = (hash ^ (unsigned char)text[at]) * 1099511628211u;
  return hash;
}

/* Returns the length of a text with its quotes, or of a word. */
static size_t token(const struct reading *of) {
  const char *at = of->at;
  if (*at != '"') {
    while (at < of->end && strchr(",]}", *at) == NULL) at++;
    return (size_t)(at - of->at);
  }
  for (at++; at < of->end && *at != '"'; at++) at += *at == '\\';
  return at < of->end ? (size_t)(at - of->at) + 1 : (size_t)(of->end - of->at);
}

/* Returns a sum over all values with their places, independent of the order of fields. `place` identifies the parent. */
static uint64_t hash_json(struct reading *of, uint64_t place) {
  if (of->at >= of->end) return 0;
  if (*of->at == '{' || *of->at == '[') {
    const bool object = *of->at == '{';
    uint64_t all = mix_hash(place, of->at, 1);
    for (uint64_t count = 0; of->at < of->end; count++) {
      /* Skips the bracket or a comma. */
      of->at++;
      if (of->at >= of->end || *of->at == '}' || *of->at == ']') break;
      uint64_t below = mix_hash(place, (const char *)&count, sizeof count);
      if (object) {
        const size_t length = token(of);
        below = mix_hash(place, of->at, length);
        of->at += length + 1;
      }
      all += hash_json(of, below);
      if (of->at >= of->end || *of->at != ',') break;
    }
    of->at++;
    return all;
  }
  const size_t length = token(of);
  char word[64] = "";
  uint64_t value = mix_hash(place, of->at, length);
  if (*of->at == '-' || (*of->at >= '0' && *of->at <= '9')) {
    /* Compares numbers by value. */
    memcpy(word, of->at, length < sizeof word - 1 ? length : sizeof word - 1);
    const double number = strtod(word, NULL);
    value = mix_hash(place, (const char *)&number, sizeof number);
  }
  of->at += length;
  return value;
}

static uint64_t hash_text(vitalwire_str text) {
  struct reading whole = {text.data, text.data + text.length};
  const uint64_t all = hash_json(&whole, 14695981039346656037u);
  CHECK(whole.at == whole.end);
  return all;
}

static vitalwire_response_metadata *metadata;
static int records;

/* The record as JSON equals the body that it was read from. */
static void check_body(vitalwire_json *json, const char *call) {
  vitalwire_response response;
  records++;
  if (check(vitalwire_response_metadata_read(metadata, &response) && response.body.data != NULL && json != NULL, call, 0, "it keeps its body")) {
    check(hash_text(vitalwire_json_text(json)) == hash_text(response.body), call, 0, "its record as JSON is its body");
  }
  vitalwire_json_free(json);
}

void case_every_record(void) {
  vitalwire_client *client = client_with_samples();
  vitalwire_call_options *options = vitalwire_call_options_new();
  metadata = vitalwire_response_metadata_new();
  vitalwire_call_options_set_response_metadata(options, metadata);
  vitalwire_call_options_set_keep_body(options, true);
  each_record(client, options, check_body);
  CHECK(records > 10);
  vitalwire_call_options_free(options);
  vitalwire_response_metadata_free(metadata);
  vitalwire_client_free(client);
}

static vitalwire_mock_responses *responses;

/* Returns the rest after the last occurrence of a text. */
static vitalwire_str after_last(vitalwire_str text, const char *part) {
  const size_t length = strlen(part);
  for (size_t at = text.length; at >= length; at--) {
    if (memcmp(text.data + at - length, part, length) == 0) return (vitalwire_str){text.data + at, text.length - at};
  }
  return (vitalwire_str){NULL, 0};
}

/* Checks path, query and body of the last request. The method comes before the path, and the query after it. */
static void check_request(const char *path, const char *query, const char *body, const char *call) {
  vitalwire_json *requested = vitalwire_mock_responses_requests(responses);
  const vitalwire_str list = vitalwire_json_text(requested);
  char expected[500];
  const int length = snprintf(expected, sizeof expected, "%s\",\"query\":[%s]", path, query);
  check(length > 0 && (size_t)length < sizeof expected && contains(after_last(list, "\"http_method\""), expected), call, 0, expected);
  /* The body is escaped: each quote has a backslash. */
  char escaped[500] = "";
  size_t at = 0;
  for (; *body != '\0' && at + 2 < sizeof escaped; body++) {
    if (*body == '"') escaped[at++] = '\\';
    escaped[at++] = *body;
  }
  check(contains(list, escaped), call, 0, escaped);
  vitalwire_json_free(requested);
}

void case_every_text(void) {
  responses = vitalwire_mock_responses_samples();
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, responses);
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_builder_build(builder, &client, &error), &error);
  vitalwire_client_builder_free(builder);
  CHECK(each_of_texts(client, check_request) > 5);
  vitalwire_client_free(client);
  vitalwire_mock_responses_free(responses);
}
