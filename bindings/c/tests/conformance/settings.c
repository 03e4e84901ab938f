/* A case's settings, given to the library as its users do. */
#include <stdlib.h>
#include <string.h>

#include "runner.h"

static bool text_at(const struct planned *planned, const char *place, vitalwire_str *value) {
  const struct leaf *leaf = plan_at(planned, place);
  if (leaf == NULL || leaf->type != 's') return false;
  *value = leaf->value;
  return true;
}

static bool boolean_at(const struct planned *planned, const char *place, bool *value) {
  const struct leaf *leaf = plan_at(planned, place);
  if (leaf == NULL || leaf->type != 'b') return false;
  *value = vitalwire_str_equals(leaf->value, "true");
  return true;
}

const char *settings_unsupported(const struct planned *planned) {
  if (plan_has(planned, "/call/wait")) return "waiting for an analysis";
  if (plan_has(planned, "/call/split")) return "a range in parts";
  if (plan_has(planned, "/call/webhook")) return "webhooks";
  if (plan_has(planned, "/call/redirect")) return "returns from the consent flow";
  static const char *const tokens[] = {"/client/token", "/client/care_token"};
  for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
    const struct leaf *leaf = plan_at(planned, tokens[i]);
    /* A plan's token is an object `text`, an object `provider`, or one of two words. */
    const bool fails = leaf != NULL && vitalwire_str_equals(leaf->value, "provider_fails");
    if (fails || (leaf == NULL && plan_has(planned, i == 0 ? "/client/token/provider" : "/client/care_token/provider")))
      return "providers of tokens";
  }
  return NULL;
}

static void transport(vitalwire_client_builder *builder, const struct planned *planned) {
  vitalwire_str text;
  bool yes;
  uint64_t number;
  if (text_at(planned, "/client/proxy", &text)) {
    vitalwire_client_builder_set_proxy(builder, text);
  } else {
    /* The machine's own proxy is none of the case's. */
    vitalwire_client_builder_set_no_proxy(builder);
  }
  if (text_at(planned, "/client/ca", &text)) vitalwire_client_builder_add_ca_certificate(builder, text);
  if (boolean_at(planned, "/client/gzip", &yes)) vitalwire_client_builder_set_gzip(builder, yes);
  if (text_at(planned, "/client/user_agent", &text)) vitalwire_client_builder_set_user_agent(builder, text);
  if (plan_number(planned, "/client/max_response_bytes", &number)) vitalwire_client_builder_set_max_response_bytes(builder, number);
}

vitalwire_client *settings_client(const struct planned *planned, struct told *told, vitalwire_error **error) {
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_str text;
  bool yes;
  const struct leaf *scale = plan_at(planned, "/client/retry_delay_scale");
  if (scale != NULL) vitalwire_client_builder_set_retry_delay_scale(builder, strtod(scale->value.data, NULL));
  if (text_at(planned, "/client/base_url", &text)) vitalwire_client_builder_set_base_url(builder, text);
  if (text_at(planned, "/client/care_base_url", &text)) vitalwire_client_builder_set_care_base_url(builder, text);
  if (text_at(planned, "/client/token/text", &text)) vitalwire_client_builder_set_token(builder, text);
  if (text_at(planned, "/client/care_token/text", &text)) vitalwire_client_builder_set_care_token(builder, text);
  if (text_at(planned, "/client/array_style", &text))
    vitalwire_client_builder_set_comma_lists(builder, vitalwire_str_equals(text, "comma"));
  if (boolean_at(planned, "/client/local_checks", &yes)) vitalwire_client_builder_set_local_checks(builder, yes);
  transport(builder, planned);
  if (told != NULL) vitalwire_client_builder_set_on_attempt(builder, told_add, told);
  vitalwire_client *client = NULL;
  vitalwire_client_builder_build(builder, &client, error);
  vitalwire_client_builder_free(builder);
  return client;
}

vitalwire_call_options *settings_options(const struct planned *planned) {
  vitalwire_call_options *options = vitalwire_call_options_new();
  vitalwire_str text;
  bool yes;
  uint64_t number;
  if (plan_number(planned, "/call/operation/options/total_ms", &number)) vitalwire_call_options_set_timeout_ms(options, number);
  if (plan_number(planned, "/call/operation/options/attempt_ms", &number)) vitalwire_call_options_set_attempt_timeout_ms(options, number);
  if (plan_number(planned, "/call/operation/options/connect_ms", &number)) vitalwire_call_options_set_connect_timeout_ms(options, number);
  if (plan_number(planned, "/call/operation/options/retries", &number)) vitalwire_call_options_set_max_retries(options, (uint32_t)number);
  if (boolean_at(planned, "/call/operation/options/allow_resend", &yes)) vitalwire_call_options_set_allow_resend(options, yes);
  if (text_at(planned, "/call/operation/options/token", &text)) vitalwire_call_options_set_token(options, text);
  return options;
}
