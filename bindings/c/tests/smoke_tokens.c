/* Tests of token providers: when and why they are called, how failures are reported, and when their user data is freed. */
#define _POSIX_C_SOURCE 200809L

#include "smoke.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* User data of a provider. */
struct source {
  atomic_int asked;
  atomic_int ended;
  vitalwire_refresh_reason reasons[4];
  /* Tokens to return in turn; the last one repeats. NULL returns nothing. */
  const char *tokens[2];
  /* Lifetime of the first token, in milliseconds. 0 means that the token does not expire. */
  uint64_t lifetime_ms;
  /* If set, the source fails with this message instead of returning a token. */
  const char *fails;
  /* Client of the provider, which the provider calls. */
  vitalwire_client *client;
  vitalwire_code inner;
};

static void provide_token(void *user_data, vitalwire_refresh_reason reason, vitalwire_token_request *reply) {
  struct source *source = user_data;
  const int at = atomic_fetch_add(&source->asked, 1);
  if (at < 4) source->reasons[at] = reason;
  if (source->client != NULL) {
    vitalwire_user_info *user = NULL;
    source->inner = vitalwire_client_user_info(source->client, NULL, NULL, &user, NULL);
  }
  const char *token = source->tokens[at > 0];
  if (source->fails != NULL) {
    vitalwire_token_request_fail(reply, str(source->fails));
  } else if (at == 0 && source->lifetime_ms > 0) {
    vitalwire_token_request_complete_with_lifetime(reply, str(token), source->lifetime_ms);
  } else if (token != NULL) {
    vitalwire_token_request_complete(reply, str(token));
  }
}

static void count_destructor(void *user_data) {
  struct source *source = user_data;
  atomic_fetch_add(&source->ended, 1);
}

/* Creates a client of the sandbox with a token provider. */
static vitalwire_client *client_with_source(struct source *source) {
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_base_url(builder, str(setting("VITALWIRE_BASE_URL")));
  vitalwire_client_builder_set_token_provider(builder, provide_token, source, count_destructor);
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_builder_build(builder, &client, &error), &error);
  vitalwire_client_builder_free(builder);
  return client;
}

static vitalwire_code call(vitalwire_client *client, vitalwire_error **error) {
  vitalwire_user_info *user = NULL;
  const vitalwire_code code = vitalwire_client_user_info(client, NULL, NULL, &user, error);
  CHECK((user != NULL) == (code == VITALWIRE_OK));
  vitalwire_user_info_free(user);
  return code;
}

static void reasons(const char *token) {
  struct source refused = {.tokens = {"no-such-token", token}};
  vitalwire_client *client = client_with_source(&refused);
  vitalwire_error *error = NULL;
  CHECK_OK(call(client, &error), &error);
  CHECK(refused.asked == 2 && refused.reasons[0] == VITALWIRE_REFRESH_REASON_MISSING);
  CHECK(refused.reasons[1] == VITALWIRE_REFRESH_REASON_REJECTED);
  CHECK_OK(call(client, &error), &error);
  CHECK(refused.asked == 2 && refused.ended == 0);
  vitalwire_client_free(client);
  CHECK(refused.ended == 1);

  struct source ending = {.tokens = {token, token}, .lifetime_ms = 1};
  client = client_with_source(&ending);
  CHECK_OK(call(client, &error), &error);
  /* A call may take less time than the lifetime of its token. */
  const struct timespec soon = {0, 5 * 1000 * 1000};
  nanosleep(&soon, NULL);
  CHECK_OK(call(client, &error), &error);
  CHECK(ending.asked == 2 && ending.reasons[1] == VITALWIRE_REFRESH_REASON_EXPIRING);
  vitalwire_client_free(client);
  CHECK(ending.ended == 1);
}

static void failures(void) {
  struct source failing = {.fails = "canary: the key is lost"};
  vitalwire_client *client = client_with_source(&failing);
  vitalwire_error *error = NULL;
  CHECK(call(client, &error) == VITALWIRE_ERROR_AUTHENTICATION);
  CHECK(vitalwire_str_equals(vitalwire_error_cause(error), failing.fails));
  CHECK(!contains(vitalwire_error_message(error), "canary") && !contains(vitalwire_error_reason(error), "canary"));
  vitalwire_error_free(error);
  error = NULL;
  /* A failure text that is not UTF-8. */
  failing.fails = "\xff";
  CHECK(call(client, &error) == VITALWIRE_ERROR_AUTHENTICATION);
  CHECK(vitalwire_str_equals(vitalwire_error_cause(error), "must be UTF-8"));
  vitalwire_error_free(error);
  error = NULL;
  /* Providers that return nothing, invalid text, or an invalid token. */
  failing.fails = NULL;
  const char *const bad[] = {NULL, "\xff", "two words"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    failing.tokens[0] = failing.tokens[1] = bad[i];
    CHECK(call(client, NULL) == VITALWIRE_ERROR_AUTHENTICATION);
  }
  vitalwire_client_free(client);
  CHECK(failing.ended == 1);
  CHECK(vitalwire_error_cause(NULL).data == NULL);
  vitalwire_token_request_complete(NULL, str("t"));
  vitalwire_token_request_complete_with_lifetime(NULL, str("t"), 1);
  vitalwire_token_request_fail(NULL, str("t"));
}

/* A provider that makes calls with its own client. Calls that need the requested token fail, and the provider continues. */
static void reentrancy(const char *token) {
  struct source calling = {.tokens = {token, token}};
  calling.client = client_with_source(&calling);
  vitalwire_error *error = NULL;
  CHECK_OK(call(calling.client, &error), &error);
  CHECK(calling.asked == 1 && calling.inner == VITALWIRE_ERROR_CONFIGURATION);
  vitalwire_client_free(calling.client);
  CHECK(calling.ended == 1);
}

/* A provider that exchanges a signature for a token with its own client. The exchange needs no token. */
static void exchange(void *user_data, vitalwire_refresh_reason reason, vitalwire_token_request *reply) {
  struct source *source = user_data;
  (void)reason;
  source->asked++;
  vitalwire_token_response *response = NULL;
  vitalwire_tokens_exchange_params *params = vitalwire_tokens_exchange_params_new(7, str("person-1"), str("a-signature"));
  source->inner = vitalwire_client_tokens_exchange(source->client, params, NULL, NULL, &response, NULL);
  vitalwire_tokens_exchange_params_free(params);
  if (source->inner == VITALWIRE_OK) vitalwire_token_request_complete(reply, vitalwire_token_response_access_token(response));
  vitalwire_token_response_free(response);
}

static void exchanges(void) {
  struct source source = {.asked = 0};
  vitalwire_mock_responses *responses = vitalwire_mock_responses_samples();
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, responses);
  vitalwire_client_builder_set_token_provider(builder, exchange, &source, count_destructor);
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_builder_build(builder, &source.client, &error), &error);
  vitalwire_client_builder_free(builder);
  CHECK_OK(call(source.client, &error), &error);
  CHECK(source.asked == 1 && source.inner == VITALWIRE_OK);
  vitalwire_json *requested = vitalwire_mock_responses_requests(responses);
  const vitalwire_str list = vitalwire_json_text(requested);
  CHECK(contains(list, "\"operation\":\"exchange_token\"") && contains(list, "\"operation\":\"get_user_info\""));
  vitalwire_json_free(requested);
  vitalwire_mock_responses_free(responses);
  vitalwire_client_free(source.client);
  CHECK(source.ended == 1);
}

/* A provider that blocks until it is released. */
struct blocked {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool let_go;
  bool returned;
  bool ended;
};

static void block(void *user_data, vitalwire_refresh_reason reason, vitalwire_token_request *reply) {
  struct blocked *blocked = user_data;
  (void)reason;
  pthread_mutex_lock(&blocked->lock);
  while (!blocked->let_go) pthread_cond_wait(&blocked->changed, &blocked->lock);
  blocked->returned = true;
  pthread_mutex_unlock(&blocked->lock);
  vitalwire_token_request_complete(reply, str("late"));
}

static void count_blocked_destructor(void *user_data) {
  struct blocked *blocked = user_data;
  pthread_mutex_lock(&blocked->lock);
  CHECK(blocked->returned && !blocked->ended);
  blocked->ended = true;
  pthread_cond_broadcast(&blocked->changed);
  pthread_mutex_unlock(&blocked->lock);
}

/* A call does not wait for a provider longer than its timeout. The user data is kept until the provider has returned. */
static void slow_providers(void) {
  struct blocked blocked = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_base_url(builder, str(setting("VITALWIRE_BASE_URL")));
  vitalwire_client_builder_set_timeout_ms(builder, 100);
  vitalwire_client_builder_set_token_provider(builder, block, &blocked, count_blocked_destructor);
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_builder_build(builder, &client, &error), &error);
  vitalwire_client_builder_free(builder);
  CHECK(call(client, NULL) == VITALWIRE_ERROR_TIMEOUT);
  vitalwire_client_free(client);
  pthread_mutex_lock(&blocked.lock);
  CHECK(!blocked.ended);
  blocked.let_go = true;
  pthread_cond_broadcast(&blocked.changed);
  while (!blocked.ended) pthread_cond_wait(&blocked.changed, &blocked.lock);
  pthread_mutex_unlock(&blocked.lock);
}

/* The user data of a provider is freed once: after use, and if the provider is rejected, replaced or never used. */
static void destructors(void) {
  struct source source = {.tokens = {"t", "t"}};
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_token_provider(builder, provide_token, &source, count_destructor);
  CHECK(source.ended == 0);
  vitalwire_client_builder_set_token_provider(builder, provide_token, &source, count_destructor);
  CHECK(source.ended == 1);
  vitalwire_client_builder_set_care_token_provider(builder, provide_token, &source, count_destructor);
  vitalwire_client_builder_set_care_token_provider(builder, provide_token, NULL, NULL);
  CHECK(source.ended == 2);
  vitalwire_client_builder_free(builder);
  CHECK(source.ended == 3);
  vitalwire_client_builder_set_token_provider(NULL, provide_token, &source, count_destructor);
  CHECK(source.ended == 4);
  builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_token_provider(builder, NULL, &source, count_destructor);
  CHECK(source.ended == 5);
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  CHECK_REFUSED(vitalwire_client_builder_build(builder, &client, &error), &error, "token_provider");
  vitalwire_client_builder_free(builder);
  CHECK(source.ended == 5 && source.asked == 0);
}

void case_tokens(void) {
  const char *token = setting("VITALWIRE_TOKEN");
  reasons(token);
  failures();
  reentrancy(token);
  exchanges();
  slow_providers();
  destructors();
}
