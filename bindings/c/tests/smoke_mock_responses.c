/* Tests of mock responses, attempt observers, and the signature of the token exchange. */
#define _POSIX_C_SOURCE 200809L

#include "smoke.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* More than the number of threads that drive connections and timers. */
enum { BLOCKED_CALLS = 4 };

struct observed {
  vitalwire_client *client;
  int attempts;
  int ended;
  uint16_t status[4];
  vitalwire_code code[4];
  int64_t next_delay_ms[4];
  vitalwire_code inner;
};

static void observe(void *user_data, const vitalwire_attempt *attempt) {
  struct observed *observed = user_data;
  CHECK(vitalwire_str_equals(attempt->operation, "get_user_info"));
  CHECK(vitalwire_str_equals(attempt->path_template, "/v3/userinfo"));
  CHECK(attempt->attempt == (uint32_t)observed->attempts + 1);
  if (observed->attempts < 4) {
    observed->status[observed->attempts] = attempt->status;
    observed->code[observed->attempts] = attempt->code;
    observed->next_delay_ms[observed->attempts] = attempt->next_delay_ms;
  }
  observed->attempts++;
  /* A call in an observer is rejected and has no other effect. */
  vitalwire_user_info *user = NULL;
  observed->inner = vitalwire_client_user_info(observed->client, NULL, NULL, &user, NULL);
}

static void count_destructor(void *user_data) {
  ((struct observed *)user_data)->ended++;
}

static vitalwire_code add(vitalwire_mock_responses *responses, uint16_t status, const char *body, uint64_t delay_ms) {
  return vitalwire_mock_responses_add(responses, vitalwire_str_from("get_user_info"), status, (const uint8_t *)body,
                               body == NULL ? 0 : strlen(body), delay_ms, NULL);
}

/* The body of an undecodable response is kept only on request. */
static void undecodable(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  CHECK(add(responses, 200, "{\"uid\"", 0) == VITALWIRE_OK);
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, responses);
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_builder_build(builder, &client, &error), &error);
  vitalwire_client_builder_free(builder);
  vitalwire_call_options *options = vitalwire_call_options_new();
  vitalwire_user_info *user = NULL;
  for (int keeps = 0; keeps < 2; keeps++) {
    vitalwire_call_options_set_keep_body(options, keeps);
    CHECK(vitalwire_client_user_info(client, options, NULL, &user, &error) == VITALWIRE_ERROR_DECODE);
    CHECK(keeps ? vitalwire_str_equals(vitalwire_error_body(error), "{\"uid\"") : vitalwire_error_body(error).data == NULL);
    vitalwire_error_free(error);
    error = NULL;
  }
  CHECK(vitalwire_error_body(NULL).data == NULL);
  vitalwire_call_options_free(options);
  vitalwire_client_free(client);
  vitalwire_mock_responses_free(responses);
}

/* Creates a client with an observer and a delayed mock response with user information. */
static vitalwire_client *client_with_user(uint64_t delay_ms, void (*observer)(void *, const vitalwire_attempt *), void *user_data) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  CHECK(add(responses, 200, "{\"uid\":\"u-1\"}", delay_ms) == VITALWIRE_OK);
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, responses);
  vitalwire_client_builder_set_on_attempt(builder, observer, user_data, NULL);
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_builder_build(builder, &client, &error), &error);
  vitalwire_client_builder_free(builder);
  vitalwire_mock_responses_free(responses);
  return client;
}

/* An observer that blocks until it is released. */
struct blocked {
  vitalwire_client *client;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int begun;
  bool let_go;
};

static void block(void *user_data, const vitalwire_attempt *attempt) {
  struct blocked *blocked = user_data;
  (void)attempt;
  pthread_mutex_lock(&blocked->lock);
  blocked->begun++;
  pthread_cond_broadcast(&blocked->changed);
  while (!blocked->let_go) pthread_cond_wait(&blocked->changed, &blocked->lock);
  pthread_mutex_unlock(&blocked->lock);
}

static void *call_blocked(void *place) {
  struct blocked *blocked = place;
  vitalwire_user_info *user = NULL;
  const vitalwire_code code = vitalwire_client_user_info(blocked->client, NULL, NULL, &user, NULL);
  vitalwire_user_info_free(user);
  return code == VITALWIRE_OK ? blocked : NULL;
}

/* Any number of blocking observers delay only their own calls. */
static void blocking_observers(void) {
  struct blocked blocked = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
  blocked.client = client_with_user(0, block, &blocked);
  vitalwire_client *other = client_with_user(60000, NULL, NULL);
  pthread_t threads[BLOCKED_CALLS];
  for (int i = 0; i < BLOCKED_CALLS; i++) CHECK(pthread_create(&threads[i], NULL, call_blocked, &blocked) == 0);
  pthread_mutex_lock(&blocked.lock);
  while (blocked.begun < BLOCKED_CALLS) pthread_cond_wait(&blocked.changed, &blocked.lock);
  pthread_mutex_unlock(&blocked.lock);

  vitalwire_call_options *options = vitalwire_call_options_new();
  vitalwire_call_options_set_timeout_ms(options, 300);
  vitalwire_user_info *user = NULL;
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  CHECK(vitalwire_client_user_info(other, options, NULL, &user, NULL) == VITALWIRE_ERROR_TIMEOUT);
  clock_gettime(CLOCK_MONOTONIC, &end);
  CHECK(end.tv_sec - start.tv_sec < 20);
  vitalwire_call_options_free(options);

  pthread_mutex_lock(&blocked.lock);
  blocked.let_go = true;
  pthread_cond_broadcast(&blocked.changed);
  pthread_mutex_unlock(&blocked.lock);
  for (int i = 0; i < BLOCKED_CALLS; i++) {
    void *result = NULL;
    CHECK(pthread_join(threads[i], &result) == 0 && result == &blocked);
  }
  vitalwire_client_free(blocked.client);
  vitalwire_client_free(other);
}

static void signatures(void) {
  /* printf %s user-1 | openssl dgst -sha256 -hmac an-application-key */
  const char *expected = "b6d21240a619a16353e8c662685627a2265f08c83c41770f287675104842d9b2";
  const char *key = "an-application-key";
  vitalwire_json *signature = NULL;
  CHECK(vitalwire_sign_user_id((const uint8_t *)key, strlen(key), vitalwire_str_from("user-1"), &signature, NULL) == VITALWIRE_OK);
  CHECK(vitalwire_str_equals(vitalwire_json_text(signature), expected));
  vitalwire_json_free(signature);
  CHECK(vitalwire_sign_user_id(NULL, 0, vitalwire_str_from("user-1"), &signature, NULL) == VITALWIRE_ERROR_INVALID_ARGUMENT);
  CHECK(vitalwire_sign_user_id((const uint8_t *)key, 0, vitalwire_str_from("user-1"), &signature, NULL) ==
        VITALWIRE_ERROR_INVALID_ARGUMENT);
}

/* The user data of an observer is freed once, even if the observer or the builder is NULL or no client is built. */
static void unused_observers(void) {
  struct observed observed;
  memset(&observed, 0, sizeof observed);
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_on_attempt(builder, observe, &observed, count_destructor);
  vitalwire_client_builder_set_on_attempt(builder, observe, &observed, count_destructor);
  CHECK(observed.ended == 0);
  vitalwire_client_builder_set_on_attempt(builder, NULL, &observed, count_destructor);
  CHECK(observed.ended == 1);
  vitalwire_client_builder_free(builder);
  CHECK(observed.ended == 3);
  vitalwire_client_builder_set_on_attempt(NULL, observe, &observed, count_destructor);
  CHECK(observed.ended == 4);
}

/* An exchange recorded by `vitalwire record` is replayed. */
static void replayed(void) {
  static const char folder[] = "smoke-exchanges", path[] = "smoke-exchanges/1.json";
  static const char exchange[] =
      "{\"vitalwire_exchange\": 1, \"request\": {\"method\": \"GET\", \"path\": \"/v3/userinfo\"},"
      " \"response\": {\"status\": 200, \"took_ms\": 12, \"headers\": [[\"content-type\", \"application/json\"]],"
      " \"body\": {\"json\": {\"uid\":\"u-1\"}}}}";
  CHECK(mkdir(folder, 0700) == 0);
  FILE *file = fopen(path, "wb");
  if (!CHECK(file != NULL)) return;
  CHECK(fwrite(exchange, 1, strlen(exchange), file) == strlen(exchange));
  fclose(file);
  vitalwire_mock_responses *responses = NULL;
  vitalwire_error *error = NULL;
  if (CHECK_OK(vitalwire_mock_responses_from_folder(str(folder), &responses, &error), &error)) {
    vitalwire_client *client = client_with(responses);
    vitalwire_user_info *user = NULL;
    vitalwire_user_properties_response *properties = NULL;
    CHECK_OK(vitalwire_client_user_info(client, NULL, NULL, &user, &error), &error);
    CHECK(vitalwire_str_equals(vitalwire_user_info_uid(user), "u-1"));
    vitalwire_user_info_free(user);
    /* A call that was not recorded. */
    CHECK(vitalwire_client_user_properties(client, NULL, NULL, &properties, NULL) == VITALWIRE_ERROR_CONFIGURATION);
    vitalwire_client_free(client);
  }
  CHECK(remove(path) == 0 && rmdir(folder) == 0);
}

void case_mock_responses(void) {
  struct observed observed;
  memset(&observed, 0, sizeof observed);
  vitalwire_mock_responses *responses = vitalwire_mock_responses_new();
  CHECK(add(responses, 503, NULL, 0) == VITALWIRE_OK);
  CHECK(add(responses, 200, "{\"uid\":\"u-1\"}", 0) == VITALWIRE_OK);
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, responses);
  vitalwire_client_builder_set_on_attempt(builder, observe, &observed, count_destructor);
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_builder_build(builder, &observed.client, &error), &error);
  vitalwire_client_builder_free(builder);

  vitalwire_user_info *user = NULL;
  CHECK_OK(vitalwire_client_user_info(observed.client, NULL, NULL, &user, &error), &error);
  CHECK(vitalwire_str_equals(vitalwire_user_info_uid(user), "u-1"));
  vitalwire_user_info_free(user);
  CHECK(observed.attempts == 2 && observed.status[0] == 503 && observed.status[1] == 200);
  CHECK(observed.code[0] == VITALWIRE_ERROR_SERVICE && observed.code[1] == VITALWIRE_OK);
  CHECK(observed.next_delay_ms[0] == 0 && observed.next_delay_ms[1] == -1);
  CHECK(observed.inner == VITALWIRE_ERROR_CONFIGURATION);
  vitalwire_json *requested = vitalwire_mock_responses_requests(responses);
  /* The body is a list of two items and is not NUL-terminated. */
  CHECK(vitalwire_json_text(requested).length > 2 * strlen("{\"path\":\"/v3/userinfo\"}"));
  vitalwire_json_free(requested);
  vitalwire_mock_responses_free(responses);
  CHECK(observed.ended == 0);
  vitalwire_client_free(observed.client);
  CHECK(observed.ended == 1);
  replayed();
  undecodable();
  unused_observers();
  blocking_observers();
  signatures();
}
