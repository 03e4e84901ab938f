// Plays cases without a client: webhooks and consent redirects.
#include <map>

#include "generated/outcomes.hpp"
#include "plan.hpp"
#include "call_report.hpp"

namespace runner {

// Writes the parameters of a redirect. The values of a repeated name become a list.
static void redirect(const planned &planned, writer &out) {
  const auto url = text_at(planned, "/call/redirect/url").value_or("");
  const auto back = vitalwire::consent_redirect::parse(url, text_at(planned, "/call/redirect/expected_state"));
  std::map<std::string, std::vector<std::string>> all;
  const auto add = [&](const char *name, const std::optional<std::string> &value) {
    if (value) all[name].push_back(*value);
  };
  add("user_id", back.user_id);
  add("provider_slug", back.provider_slug);
  add("state", back.state);
  add("error", back.failure);
  for (const auto &[name, value] : back.extra) all[name].push_back(value);
  json_open(&out, '{');
  for (const auto &[name, values] : all) {
    json_name_of(&out, c(name));
    if (values.size() > 1) json_open(&out, '[');
    for (const std::string &value : values) write(out, std::string_view(value));
    if (values.size() > 1) json_close(&out, ']');
  }
  json_close(&out, '}');
}

// Verifies the body if the case has a signature.
static void verify(const planned &planned, const std::string &body) {
  const auto signature = text_at(planned, "/call/webhook/signature");
  if (!signature) return;
  vitalwire::webhook_verifier::with_keys(texts_at(planned, "/call/webhook/keys")).verify(body, *signature);
}

static void webhook(const planned &planned, writer &out) {
  const std::string body = bytes_of(text_at(planned, "/call/webhook/body/base64").value_or(""));
  verify(planned, body);
  const auto kind = text_at(planned, "/call/webhook/kind");
  if (kind == "events") write_all(out, vitalwire::webhook::events(body));
  if (kind == "lab_report") write(out, vitalwire::webhook::lab_report(body));
  if (kind == "nutrition") write(out, vitalwire::webhook::nutrition(body));
}

// Writes the skipped list items of a webhook body.
static void webhook_skipped(const planned &planned, writer &out) {
  const auto kind = text_at(planned, "/call/webhook/kind");
  if (!kind) return;
  const auto of = *kind == "events"       ? VITALWIRE_WEBHOOK_EVENTS
                  : *kind == "lab_report" ? VITALWIRE_WEBHOOK_LAB_REPORT
                                          : VITALWIRE_WEBHOOK_NUTRITION;
  const std::string body = bytes_of(text_at(planned, "/call/webhook/body/base64").value_or(""));
  skipped(out, vitalwire::webhook::skipped_items(body, of));
}

bool is_local(const planned &planned) { return plan_has(&planned, "/call/webhook") || plan_has(&planned, "/call/redirect"); }

call_report play_local(const planned &planned) {
  try {
    writer value;
    (plan_has(&planned, "/call/redirect") ? redirect : webhook)(planned, value);
    call_report made;
    outcome_open(&made.outcome, &value);
    webhook_skipped(planned, made.outcome);
    json_close(&made.outcome, '}');
    return made;
  } catch (const vitalwire::error &error) {
    return failed(error);
  }
}

}  // namespace runner
