/* Plays cases without a client: webhooks and consent redirects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "outcome.h"
#include "runner.h"
#include "shared/case_arguments.h"

/* A query parameter of a redirect. */
struct parameter {
  vitalwire_str name;
  vitalwire_str value;
};

static bool same_text(vitalwire_str one, vitalwire_str other) {
  return one.length == other.length && memcmp(one.data, other.data, one.length) == 0;
}

/* Writes parameters as fields. The values of a repeated name become a list. */
static void write_parameters(struct json *out, const struct parameter *all, size_t count) {
  json_open(out, '{');
  for (size_t i = 0; i < count; i++) {
    size_t times = 0;
    bool written = false;
    for (size_t j = 0; j < count; j++) {
      if (!same_text(all[i].name, all[j].name)) continue;
      times++;
      written = written || j < i;
    }
    if (written) continue;
    json_name_of(out, all[i].name);
    if (times > 1) json_open(out, '[');
    for (size_t j = i; j < count; j++) {
      if (same_text(all[i].name, all[j].name)) json_text(out, all[j].value);
    }
    if (times > 1) json_close(out, ']');
  }
  json_close(out, '}');
}

static void write_return(struct json *out, const vitalwire_consent_redirect *back) {
  const struct parameter known[] = {
      {vitalwire_str_from("user_id"), vitalwire_consent_redirect_user_id(back)},
      {vitalwire_str_from("provider_slug"), vitalwire_consent_redirect_provider_slug(back)},
      {vitalwire_str_from("state"), vitalwire_consent_redirect_state(back)},
      {vitalwire_str_from("error"), vitalwire_consent_redirect_failure(back)},
  };
  const size_t known_count = sizeof known / sizeof *known, extra = vitalwire_consent_redirect_extra_count(back);
  struct parameter *all = memory(NULL, (known_count + extra) * sizeof *all);
  size_t count = 0;
  for (size_t i = 0; i < known_count; i++) {
    if (known[i].value.data != NULL) all[count++] = known[i];
  }
  for (size_t i = 0; i < extra; i++) {
    if (vitalwire_consent_redirect_extra_at(back, i, &all[count].name, &all[count].value)) count++;
  }
  write_parameters(out, all, count);
  free(all);
}

static vitalwire_code redirect(const struct planned *planned, struct json *value, vitalwire_error **error) {
  vitalwire_str url = {NULL, 0}, state = {NULL, 0};
  plan_text(planned, "/call/redirect/url", &url);
  plan_text(planned, "/call/redirect/expected_state", &state);
  vitalwire_consent_redirect *back = NULL;
  const vitalwire_code code = vitalwire_consent_redirect_parse(url, state, &back, error);
  if (code == VITALWIRE_OK) write_return(value, back);
  vitalwire_consent_redirect_free(back);
  return code;
}

/* Verifies the body if the case has a signature. */
static vitalwire_code verify(const struct planned *planned, struct bytes body, vitalwire_error **error) {
  vitalwire_str signature, key;
  if (!plan_text(planned, "/call/webhook/signature", &signature)) return VITALWIRE_OK;
  vitalwire_webhook_verifier_builder *builder = vitalwire_webhook_verifier_builder_new();
  char place[40];
  for (int i = 0; snprintf(place, sizeof place, "/call/webhook/keys/%d", i), plan_text(planned, place, &key); i++)
    vitalwire_webhook_verifier_builder_add_key(builder, (const uint8_t *)key.data, key.length);
  vitalwire_webhook_verifier *verifier = NULL;
  vitalwire_code code = vitalwire_webhook_verifier_builder_build(builder, &verifier, error);
  if (code == VITALWIRE_OK) code = vitalwire_webhook_verify(verifier, body.data, body.length, signature, error);
  vitalwire_webhook_verifier_free(verifier);
  vitalwire_webhook_verifier_builder_free(builder);
  return code;
}

static vitalwire_code events(struct bytes body, struct json *value, vitalwire_error **error) {
  vitalwire_webhook_event_list *list = NULL;
  const vitalwire_code code = vitalwire_webhook_events(body.data, body.length, &list, error);
  if (code == VITALWIRE_OK) {
    json_open(value, '[');
    for (size_t i = 0; i < vitalwire_webhook_event_list_count(list); i++)
      outcome_webhook_event(value, vitalwire_webhook_event_list_at(list, i));
    json_close(value, ']');
  }
  vitalwire_webhook_event_list_free(list);
  return code;
}

static vitalwire_code lab_report(struct bytes body, struct json *value, vitalwire_error **error) {
  vitalwire_lab_report_webhook *report = NULL;
  const vitalwire_code code = vitalwire_webhook_lab_report(body.data, body.length, &report, error);
  if (code == VITALWIRE_OK) outcome_lab_report_webhook(value, report);
  vitalwire_lab_report_webhook_free(report);
  return code;
}

static vitalwire_code nutrition(struct bytes body, struct json *value, vitalwire_error **error) {
  vitalwire_nutrition_webhook *record = NULL;
  const vitalwire_code code = vitalwire_webhook_nutrition(body.data, body.length, &record, error);
  if (code == VITALWIRE_OK) outcome_nutrition_webhook(value, record);
  vitalwire_nutrition_webhook_free(record);
  return code;
}

static vitalwire_code webhook(const struct planned *planned, struct json *value, vitalwire_error **error) {
  vitalwire_str kind, text = {"", 0};
  plan_text(planned, "/call/webhook/body/base64", &text);
  const struct bytes body = bytes_read(text);
  vitalwire_code code = verify(planned, body, error);
  if (code == VITALWIRE_OK && plan_text(planned, "/call/webhook/kind", &kind)) {
    if (vitalwire_str_equals(kind, "events")) code = events(body, value, error);
    if (vitalwire_str_equals(kind, "lab_report")) code = lab_report(body, value, error);
    if (vitalwire_str_equals(kind, "nutrition")) code = nutrition(body, value, error);
  }
  free(body.data);
  return code;
}

/* Writes the skipped list items of a webhook body that was parsed before. */
static void webhook_skipped(const struct planned *planned, struct json *out) {
  vitalwire_str kind, text = {"", 0};
  if (!plan_text(planned, "/call/webhook/kind", &kind)) return;
  plan_text(planned, "/call/webhook/body/base64", &text);
  const vitalwire_webhook_kind of = vitalwire_str_equals(kind, "events")       ? VITALWIRE_WEBHOOK_EVENTS
                                    : vitalwire_str_equals(kind, "lab_report") ? VITALWIRE_WEBHOOK_LAB_REPORT
                                                                               : VITALWIRE_WEBHOOK_NUTRITION;
  const struct bytes body = bytes_read(text);
  vitalwire_skipped_items *items = NULL;
  if (vitalwire_webhook_skipped_items(body.data, body.length, of, &items, NULL) == VITALWIRE_OK) skipped_items(out, items);
  vitalwire_skipped_items_free(items);
  free(body.data);
}

bool local_plays(const struct planned *planned) { return plan_has(planned, "/call/webhook") || plan_has(planned, "/call/redirect"); }

void local_play(const struct planned *planned, struct json *outcome, struct json *message) {
  struct json value = {0};
  vitalwire_error *error = NULL;
  const bool is_redirect = plan_has(planned, "/call/redirect");
  const vitalwire_code code = is_redirect ? redirect(planned, &value, &error) : webhook(planned, &value, &error);
  if (code == VITALWIRE_OK) {
    outcome_open(outcome, &value);
    webhook_skipped(planned, outcome);
    json_close(outcome, '}');
  } else {
    failure_outcome(outcome, code, error, true);
    json_text(message, vitalwire_error_message(error));
  }
  vitalwire_error_free(error);
  json_free(&value);
}
