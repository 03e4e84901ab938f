/* Tests of response metadata, consent redirects and webhooks. */
#include "smoke.h"

#include <string.h>

static const uint8_t *bytes(const char *text) { return (const uint8_t *)text; }

void case_response_metadata(void) {
  vitalwire_client *client = sandbox();
  vitalwire_error *error = NULL;
  vitalwire_user_info *user = NULL;
  vitalwire_response_metadata *metadata = vitalwire_response_metadata_new();
  vitalwire_call_options *options = vitalwire_call_options_new();
  vitalwire_call_options_set_response_metadata(options, metadata);
  /* No call has ended, so nothing is written. */
  vitalwire_response response = {7, 7, 7, {NULL, 7}, {NULL, 7}};
  CHECK(!vitalwire_response_metadata_read(metadata, &response) && response.status == 7);
  if (CHECK_OK(vitalwire_client_user_info(client, options, NULL, &user, &error), &error)) {
    CHECK(vitalwire_response_metadata_read(metadata, &response) && vitalwire_response_metadata_read(metadata, NULL));
    CHECK(response.status == 200 && response.attempts == 1 && response.body.data == NULL);
    vitalwire_json *json = vitalwire_user_info_to_json(user);
    CHECK(contains(vitalwire_json_text(json), "\"uid\":"));
    vitalwire_json_free(json);
  }
  CHECK(vitalwire_user_info_to_json(NULL) == NULL && vitalwire_metrics_to_json(NULL) == NULL);
  CHECK(vitalwire_lab_report_list_to_json(NULL) == NULL && vitalwire_sleep_sample_values_to_json(NULL) == NULL);
  vitalwire_user_info_free(user);
  vitalwire_call_options_set_keep_body(options, true);
  user = NULL;
  if (CHECK_OK(vitalwire_client_user_info(client, options, NULL, &user, &error), &error)) {
    CHECK(vitalwire_response_metadata_read(metadata, &response) && contains(response.body, "\"uid\":"));
  }
  vitalwire_user_info_free(user);
  /* A failed call removes the metadata of the previous call. */
  vitalwire_sleep_record *sleep = NULL;
  CHECK(vitalwire_client_sleeps_get(client, NULL, options, NULL, &sleep, NULL) == VITALWIRE_ERROR_INVALID_ARGUMENT && sleep == NULL);
  CHECK(!vitalwire_response_metadata_read(metadata, &response));
  const vitalwire_date day = {2025, 11, 1};
  vitalwire_statistics_daily_params *days = vitalwire_statistics_daily_params_new(day, day);
  vitalwire_table *table = NULL;
  if (CHECK_OK(vitalwire_client_user_info(client, options, NULL, &user, &error), &error)) {
    vitalwire_user_info_free(user);
    user = NULL;
    CHECK_REFUSED(vitalwire_client_statistics_daily_table(client, days, str("no_table"), options, NULL, &table, &error), &error, "table");
    CHECK(table == NULL && !vitalwire_response_metadata_read(metadata, &response));
  }
  vitalwire_statistics_daily_params_free(days);
  if (CHECK_OK(vitalwire_client_user_info(client, options, NULL, &user, &error), &error)) {
    vitalwire_user_info_free(user);
    user = NULL;
    vitalwire_call *call = NULL;
    CHECK_REFUSED(vitalwire_client_user_info_start(NULL, options, NULL, NULL, NULL, NULL, &call, &error), &error, "client");
    CHECK(call == NULL && !vitalwire_response_metadata_read(metadata, &response));
  }
  if (CHECK_OK(vitalwire_client_user_info(client, options, NULL, &user, &error), &error)) {
    vitalwire_user_info_free(user);
    user = NULL;
    CHECK_REFUSED(vitalwire_client_user_info(client, options, NULL, NULL, &error), &error, "out");
    CHECK(!vitalwire_response_metadata_read(metadata, &response));
  }
  vitalwire_call_options_set_token(options, str(""));
  CHECK(vitalwire_client_user_info(client, options, NULL, &user, NULL) != VITALWIRE_OK);
  CHECK(!vitalwire_response_metadata_read(metadata, &response));
  vitalwire_response_metadata_free(metadata);
  /* The options keep the slot alive. */
  CHECK(vitalwire_client_user_info(client, options, NULL, &user, NULL) != VITALWIRE_OK);
  vitalwire_call_options_set_response_metadata(options, NULL);
  vitalwire_call_options_set_response_metadata(NULL, NULL);
  CHECK(!vitalwire_response_metadata_read(NULL, &response));
  vitalwire_response_metadata_free(NULL);
  vitalwire_call_options_free(options);
  vitalwire_client_free(client);
}

void case_consent(void) {
  static const char url[] = "https://app.example.org/done?user_id=u%201&provider_slug=garmin&state=s&tab=a&tab=b";
  vitalwire_error *error = NULL;
  vitalwire_consent_redirect *back = NULL;
  const vitalwire_str none = {NULL, 0};
  if (CHECK_OK(vitalwire_consent_redirect_parse(str(url), str("s"), &back, &error), &error)) {
    CHECK(vitalwire_str_equals(vitalwire_consent_redirect_user_id(back), "u 1"));
    CHECK(vitalwire_str_equals(vitalwire_consent_redirect_provider_slug(back), VITALWIRE_PROVIDER_SLUG_GARMIN));
    CHECK(vitalwire_str_equals(vitalwire_consent_redirect_state(back), "s"));
    CHECK(vitalwire_consent_redirect_failure(back).data == NULL);
    CHECK(vitalwire_consent_redirect_extra_count(back) == 2);
    vitalwire_str name, value;
    CHECK(vitalwire_consent_redirect_extra_at(back, 1, &name, &value));
    CHECK(vitalwire_str_equals(name, "tab") && vitalwire_str_equals(value, "b"));
    CHECK(!vitalwire_consent_redirect_extra_at(back, 2, &name, &value) && vitalwire_consent_redirect_extra_at(back, 0, NULL, NULL));
  }
  vitalwire_consent_redirect_free(back);
  back = NULL;
  CHECK(vitalwire_consent_redirect_parse(str(url), str("another"), &back, &error) == VITALWIRE_ERROR_SIGNATURE && back == NULL);
  CHECK(!contains(vitalwire_error_message(error), "u 1") && !contains(vitalwire_error_message(error), "another"));
  vitalwire_error_free(error);
  error = NULL;
  CHECK(vitalwire_consent_redirect_parse(str("https://app.example.org/"), none, &back, NULL) == VITALWIRE_ERROR_DECODE);
  CHECK_REFUSED(vitalwire_consent_redirect_parse(none, none, &back, &error), &error, "url");
  CHECK_REFUSED(vitalwire_consent_redirect_parse(str(url), str("\xff"), &back, &error), &error, "expected_state");
  CHECK_REFUSED(vitalwire_consent_redirect_parse(str(url), str(""), &back, &error), &error, "expected_state");
  CHECK_REFUSED(vitalwire_consent_redirect_parse(str(url), none, NULL, &error), &error, "out");
  if (CHECK_OK(vitalwire_consent_redirect_parse(str("?error=denied"), none, &back, &error), &error)) {
    CHECK(vitalwire_str_equals(vitalwire_consent_redirect_failure(back), "denied") && vitalwire_consent_redirect_user_id(back).data == NULL);
  }
  vitalwire_consent_redirect_free(back);
  CHECK(vitalwire_consent_redirect_failure(NULL).data == NULL && vitalwire_consent_redirect_extra_count(NULL) == 0);
  vitalwire_consent_redirect_free(NULL);
}

/* Creates a verifier with this key, or without keys if it is NULL. */
static vitalwire_code verifier_of(const char *key, vitalwire_webhook_verifier **verifier, vitalwire_error **error) {
  vitalwire_webhook_verifier_builder *builder = vitalwire_webhook_verifier_builder_new();
  if (key != NULL) vitalwire_webhook_verifier_builder_add_key(builder, bytes(key), strlen(key));
  vitalwire_webhook_verifier_builder_set_body_limit(builder, 1000);
  const vitalwire_code code = vitalwire_webhook_verifier_builder_build(builder, verifier, error);
  vitalwire_webhook_verifier *again = NULL;
  CHECK(vitalwire_webhook_verifier_builder_build(builder, &again, NULL) == VITALWIRE_ERROR_INVALID_ARGUMENT && again == NULL);
  vitalwire_webhook_verifier_builder_free(builder);
  return code;
}

static void refuse_webhooks(const vitalwire_webhook_verifier *verifier) {
  vitalwire_error *error = NULL;
  vitalwire_webhook_verifier *none = NULL;
  vitalwire_webhook_event_list *events = NULL;
  CHECK(verifier_of(NULL, &none, NULL) == VITALWIRE_ERROR_CONFIGURATION && none == NULL);
  CHECK(verifier_of("", &none, NULL) == VITALWIRE_ERROR_CONFIGURATION && none == NULL);
  CHECK(verifier_of("fifteen bytes..", &none, NULL) == VITALWIRE_ERROR_CONFIGURATION && none == NULL);
  vitalwire_webhook_verifier_builder *builder = vitalwire_webhook_verifier_builder_new();
  vitalwire_webhook_verifier_builder_add_key(builder, NULL, 3);
  CHECK_REFUSED(vitalwire_webhook_verifier_builder_build(builder, &none, &error), &error, "key");
  vitalwire_webhook_verifier_builder_free(builder);
  CHECK_REFUSED(vitalwire_webhook_verifier_builder_build(NULL, &none, &error), &error, "builder");
  CHECK_REFUSED(vitalwire_webhook_verify(NULL, bytes("[]"), 2, str("a"), &error), &error, "verifier");
  CHECK_REFUSED(vitalwire_webhook_verify(verifier, NULL, 2, str("a"), &error), &error, "body");
  CHECK(vitalwire_webhook_verify(verifier, bytes("[]"), 2, str("\xff"), NULL) == VITALWIRE_ERROR_SIGNATURE);
  /* An unsigned webhook. */
  CHECK(vitalwire_webhook_verify(verifier, bytes("[]"), 2, str(""), NULL) == VITALWIRE_ERROR_SIGNATURE);
  CHECK(vitalwire_webhook_verify(verifier, bytes("[]"), 2, vitalwire_str_from(NULL), NULL) == VITALWIRE_ERROR_SIGNATURE);
  CHECK_REFUSED(vitalwire_webhook_events(NULL, 0, &events, &error), &error, "body");
  CHECK_REFUSED(vitalwire_webhook_events(bytes("[]"), 2, NULL, &error), &error, "out");
  CHECK(vitalwire_webhook_events(bytes("{}"), 2, &events, NULL) == VITALWIRE_ERROR_DECODE && events == NULL);
  CHECK(vitalwire_webhook_events(bytes("[]"), SIZE_MAX, &events, NULL) == VITALWIRE_ERROR_INVALID_ARGUMENT);
  vitalwire_skipped_items *skipped = NULL;
  CHECK_REFUSED(vitalwire_webhook_skipped_items(bytes("[]"), 2, VITALWIRE_WEBHOOK_UNKNOWN, &skipped, &error), &error, "kind");
  CHECK_REFUSED(vitalwire_webhook_skipped_items(bytes("[]"), 2, (vitalwire_webhook_kind)4, &skipped, &error), &error, "kind");
  CHECK_REFUSED(vitalwire_webhook_skipped_items(bytes("[]"), 2, (vitalwire_webhook_kind)255, &skipped, &error), &error, "kind");
  CHECK(skipped == NULL);
  CHECK(vitalwire_webhook_detect_kind(NULL, 5) == VITALWIRE_WEBHOOK_UNKNOWN);
  CHECK(vitalwire_webhook_sign(NULL, 0, bytes("k"), 1) == NULL && vitalwire_webhook_event_list_at(NULL, 0) == NULL);
  vitalwire_webhook_verifier_builder_add_key(NULL, bytes("k"), 1);
  vitalwire_webhook_verifier_builder_set_body_limit(NULL, 1);
  vitalwire_webhook_verifier_builder_free(NULL);
  vitalwire_webhook_verifier_free(NULL);
  vitalwire_webhook_event_list_free(NULL);
  vitalwire_lab_report_webhook_free(NULL);
  vitalwire_nutrition_webhook_free(NULL);
}

void case_webhooks(void) {
  /* printf %s '[]' | openssl dgst -sha256 -hmac a-webhook-key-of-yours */
  static const char signature[] = "3fd0038b0916f9e594cafeb6a60b21c5695e76e68616c9fbf53a969754dd2050";
  static const char body[] = "[{\"application_user_id\":\"user-7\",\"event_type\":\"record_change\",\"metrics\":[\"steps\"]}]";
  vitalwire_error *error = NULL;
  vitalwire_webhook_verifier *verifier = NULL;
  if (!CHECK_OK(verifier_of("a-webhook-key-of-yours", &verifier, &error), &error)) return;
  CHECK_OK(vitalwire_webhook_verify(verifier, bytes("[]"), 2, str(signature), &error), &error);
  CHECK(vitalwire_webhook_verify(verifier, bytes("[ ]"), 3, str(signature), &error) == VITALWIRE_ERROR_SIGNATURE);
  CHECK(!contains(vitalwire_error_message(error), "webhook-key"));
  vitalwire_error_free(error);
  error = NULL;
  static const char large[1001] = {'['};
  CHECK(vitalwire_webhook_verify(verifier, bytes(large), sizeof large, str(signature), NULL) == VITALWIRE_ERROR_TOO_LARGE);
  vitalwire_json *signed_body = vitalwire_webhook_sign(bytes(body), strlen(body), bytes("a-webhook-key-of-yours"), 22);
  CHECK_OK(vitalwire_webhook_verify(verifier, bytes(body), strlen(body), vitalwire_json_text(signed_body), &error), &error);
  vitalwire_json_free(signed_body);

  vitalwire_webhook_event_list *events = NULL;
  CHECK(vitalwire_webhook_detect_kind(bytes(body), strlen(body)) == VITALWIRE_WEBHOOK_EVENTS);
  if (CHECK_OK(vitalwire_webhook_events(bytes(body), strlen(body), &events, &error), &error)) {
    const vitalwire_webhook_event *event = vitalwire_webhook_event_list_at(events, 0);
    CHECK(vitalwire_webhook_event_list_count(events) == 1 && vitalwire_webhook_event_list_at(events, 1) == NULL);
    CHECK(vitalwire_str_equals(vitalwire_webhook_event_application_user_id(event), "user-7"));
  }
  vitalwire_webhook_event_list_free(events);

  vitalwire_content_key one, other;
  CHECK(vitalwire_webhook_content_key(bytes("{\"a\": 72}"), 9, &one) && vitalwire_webhook_content_key(bytes("{\"a\":72.0}"), 10, &other));
  CHECK(strlen(one.text) == 64 && strcmp(one.text, other.text) == 0);
  CHECK(vitalwire_webhook_content_key(bytes("{\"a\":73}"), 8, &other) && strcmp(one.text, other.text) != 0);
  CHECK(!vitalwire_webhook_content_key(NULL, 0, &one) && !vitalwire_webhook_content_key(bytes("1"), 1, NULL));
  refuse_webhooks(verifier);
  vitalwire_webhook_verifier_free(verifier);
}
