/* Applies the settings of a case to a client. */
#define _POSIX_C_SOURCE 200809L

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runner.h"

/* User data of a token provider that returns texts in turn; the last text repeats. The provider fails if there are no texts. */
struct tokens {
  const struct planned *planned;
  const char *place;
  atomic_size_t next;
  size_t count;
};

static void give_token(void *user_data, vitalwire_refresh_reason reason, vitalwire_token_request *reply) {
  static const char late[] = "late:";
  struct tokens *tokens = user_data;
  (void)reason;
  if (tokens->count == 0) {
    vitalwire_token_request_fail(reply, vitalwire_str_from("the provider of the case fails"));
    return;
  }
  const size_t at = atomic_fetch_add(&tokens->next, 1);
  char place[60];
  vitalwire_str text = {NULL, 0};
  snprintf(place, sizeof place, "%s/provider/%zu", tokens->place, at < tokens->count ? at : tokens->count - 1);
  plan_text(tokens->planned, place, &text);
  if (text.data != NULL && strncmp(text.data, late, sizeof late - 1) == 0) {
    const struct timespec time = {2, 0};
    nanosleep(&time, NULL);
    text.data += sizeof late - 1;
    text.length -= sizeof late - 1;
  }
  vitalwire_token_request_complete(reply, text);
}

/* Sets the token or token provider of a service. The plan has an object `text`, an object `provider`, or one of two keywords. */
static void tokens(vitalwire_client_builder *builder, const struct planned *planned, const char *place,
                   void (*set)(vitalwire_client_builder *, vitalwire_str),
                   void (*set_provider)(vitalwire_client_builder *, vitalwire_token_provider, void *, vitalwire_destructor)) {
  char inner[60];
  vitalwire_str text;
  snprintf(inner, sizeof inner, "%s/text", place);
  if (plan_text(planned, inner, &text)) set(builder, text);
  const bool fails = plan_text(planned, place, &text) && vitalwire_str_equals(text, "provider_fails");
  size_t count = 0;
  while (snprintf(inner, sizeof inner, "%s/provider/%zu", place, count), plan_at(planned, inner) != NULL) count++;
  if (!fails && count == 0) return;
  struct tokens *tokens = memory(NULL, sizeof *tokens);
  tokens->planned = planned;
  tokens->place = place;
  tokens->count = count;
  atomic_init(&tokens->next, 0);
  set_provider(builder, give_token, tokens, free);
}

vitalwire_client *settings_client(const struct planned *planned, vitalwire_str base_path, struct attempt_log *log,
                                  vitalwire_error **error) {
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_str text;
  planned_settings(planned, builder);
  if (base_path.length > 0 && plan_text(planned, "/client/base_url", &text)) {
    char url[200];
    snprintf(url, sizeof url, "%.*s%.*s", VITALWIRE_STR(text), VITALWIRE_STR(base_path));
    vitalwire_client_builder_set_base_url(builder, vitalwire_str_from(url));
  }
  if (plan_text(planned, "/client/proxy", &text)) {
    vitalwire_client_builder_set_proxy(builder, text);
  } else {
    /* Ignores the proxy in the environment of this machine. */
    vitalwire_client_builder_set_no_proxy(builder);
  }
  tokens(builder, planned, "/client/token", vitalwire_client_builder_set_token, vitalwire_client_builder_set_token_provider);
  tokens(builder, planned, "/client/care_token", vitalwire_client_builder_set_care_token,
         vitalwire_client_builder_set_care_token_provider);
  if (log != NULL) vitalwire_client_builder_set_on_attempt(builder, attempt_log_add, log, NULL);
  vitalwire_client *client = NULL;
  if (vitalwire_client_builder_build(builder, &client, error) != VITALWIRE_OK) client = NULL;
  vitalwire_client_builder_free(builder);
  return client;
}

vitalwire_call_options *settings_options(const struct planned *planned) {
  vitalwire_call_options *options = vitalwire_call_options_new();
  planned_options(planned, options);
  return options;
}

vitalwire_wait_options *settings_wait(const struct planned *planned) {
  vitalwire_wait_options *options = vitalwire_wait_options_new();
  uint64_t number, ceiling;
  if (plan_number(planned, "/call/operation/timeout_ms", &number)) vitalwire_wait_options_set_timeout_ms(options, number);
  if (plan_number(planned, "/call/operation/interval_ms/0", &number) && plan_number(planned, "/call/operation/interval_ms/1", &ceiling))
    vitalwire_wait_options_set_interval_ms(options, number, ceiling);
  return options;
}
