// Webhooks, redirects of the consent flow, and the signature of the token exchange.

#ifndef VITALWIRE_CPP_WEBHOOKS_HPP
#define VITALWIRE_CPP_WEBHOOKS_HPP

#include <vector>

#include "calls.hpp"
#include "records/lab_report_webhook.hpp"
#include "records/nutrition_webhook.hpp"
#include "records/webhook_event.hpp"
#include "results.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// Detected kind of a webhook body.
using webhook_kind = vitalwire_webhook_kind;

/// Events of a body of the main webhook.
using webhook_event_list =
    list<webhook_event, vitalwire_webhook_event_list, vitalwire_webhook_event_list_count, vitalwire_webhook_event_list_at>;

/// Verifies signatures of webhooks. Copies share the keys, which are overwritten when the last copy is destroyed.
class webhook_verifier {
 public:
  /// Creates a verifier that accepts a signature by any of the keys.
  static call_result<webhook_verifier> with_keys(std::initializer_list<bytes> keys, std::optional<std::size_t> body_limit = std::nullopt) {
    return with_keys<>(keys, body_limit);
  }
  /// Creates a verifier from keys in a container.
  template <class Keys>
  static call_result<webhook_verifier> with_keys(const Keys &keys, std::optional<std::size_t> body_limit = std::nullopt) {
    const std::unique_ptr<vitalwire_webhook_verifier_builder, void (*)(vitalwire_webhook_verifier_builder *)> builder(
        vitalwire_webhook_verifier_builder_new(), vitalwire_webhook_verifier_builder_free);
    for (const auto &one : keys) {
      const bytes key(one);
      vitalwire_webhook_verifier_builder_add_key(builder.get(), key.data(), key.size());
    }
    if (body_limit) vitalwire_webhook_verifier_builder_set_body_limit(builder.get(), *body_limit);
    vitalwire_webhook_verifier *out = nullptr;
    vitalwire_error *error = nullptr;
    const vitalwire_code code = vitalwire_webhook_verifier_builder_build(builder.get(), &out, &error);
    if (code != VITALWIRE_OK) return detail::fail<webhook_verifier>(error);
    return webhook_verifier(out);
  }
  /// Verifies a body, as received, against its `X-Body-Signature` header. Fails with code::signature.
  call_result<void> verify(bytes body, std::string_view signature) const {
    vitalwire_error *error = nullptr;
    const vitalwire_code code = vitalwire_webhook_verify(of_.get(), body.data(), body.size(), detail::to_c(signature), &error);
    return detail::check(code, error);
  }

 private:
  explicit webhook_verifier(vitalwire_webhook_verifier *of) : of_(of, vitalwire_webhook_verifier_free) {}

  std::shared_ptr<vitalwire_webhook_verifier> of_;
};

/// Functions for webhook bodies. The service resends a body until the receiver responds with 200.
namespace webhook {

inline webhook_kind detect_kind(bytes body) noexcept { return vitalwire_webhook_detect_kind(body.data(), body.size()); }

inline call_result<owned<webhook_event_list>> events(bytes body) {
  vitalwire_webhook_event_list *out = nullptr;
  vitalwire_error *error = nullptr;
  const vitalwire_code code = vitalwire_webhook_events(body.data(), body.size(), &out, &error);
  return detail::take_result<webhook_event_list>(code, out, error, vitalwire_webhook_event_list_free);
}

inline call_result<owned<lab_report_webhook>> lab_report(bytes body) {
  vitalwire_lab_report_webhook *out = nullptr;
  vitalwire_error *error = nullptr;
  const vitalwire_code code = vitalwire_webhook_lab_report(body.data(), body.size(), &out, &error);
  return detail::take_result<lab_report_webhook>(code, out, error, vitalwire_lab_report_webhook_free);
}

inline call_result<owned<nutrition_webhook>> nutrition(bytes body) {
  vitalwire_nutrition_webhook *out = nullptr;
  vitalwire_error *error = nullptr;
  const vitalwire_code code = vitalwire_webhook_nutrition(body.data(), body.size(), &out, &error);
  return detail::take_result<nutrition_webhook>(code, out, error, vitalwire_nutrition_webhook_free);
}

/// Returns the list items of a body, at most 100, that cannot be decoded and are skipped when the body is parsed. `kind` is the kind of
/// the body.
inline call_result<std::vector<skipped_item>> skipped_items(bytes body, webhook_kind kind) {
  vitalwire_skipped_items *out = nullptr;
  vitalwire_error *error = nullptr;
  const vitalwire_code code = vitalwire_webhook_skipped_items(body.data(), body.size(), kind, &out, &error);
  if (code != VITALWIRE_OK) return detail::fail<std::vector<skipped_item>>(error);
  const std::unique_ptr<vitalwire_skipped_items, void (*)(vitalwire_skipped_items *)> kept(out, vitalwire_skipped_items_free);
  return detail::skipped(out);
}

/// Computes a key to detect repeated bodies. Bodies with equal contents have equal keys.
inline std::string content_key(bytes body) {
  vitalwire_content_key key{};
  return vitalwire_webhook_content_key(body.data(), body.size(), &key) ? std::string(key.text) : std::string();
}

/// Signs a body as the service does, to test a receiver.
inline std::string sign(bytes body, bytes key) {
  return detail::json(vitalwire_webhook_sign(body.data(), body.size(), key.data(), key.size()));
}

}  // namespace webhook

/// A redirect from the consent flow. The redirect is not signed: only the state shows that it belongs to the flow that was started.
struct consent_redirect {
  /// Id of the user at the service, as received.
  std::optional<std::string> user_id;
  std::optional<std::string> provider_slug;
  std::optional<std::string> state;
  /// Reason why the integration failed; nullopt if it succeeded. Escape the text before you display it: anyone can write a URL.
  std::optional<std::string> failure;
  /// Other query parameters, in the order of the URL.
  std::vector<std::pair<std::string, std::string>> extra;

  /// Parses a URL, a path with its query, or a query. Fails with code::signature if the state is not `expected_state`, and with
  /// code::invalid_argument if `expected_state` is empty. If it is nullopt, the state is not checked and a forged redirect is not detected.
  static call_result<consent_redirect> parse(std::string_view url, std::optional<std::string_view> expected_state) {
    vitalwire_consent_redirect *out = nullptr;
    vitalwire_error *error = nullptr;
    const vitalwire_code code = vitalwire_consent_redirect_parse(detail::to_c(url), detail::to_c_if(expected_state), &out, &error);
    if (code != VITALWIRE_OK) return detail::fail<consent_redirect>(error);
    const std::unique_ptr<vitalwire_consent_redirect, void (*)(vitalwire_consent_redirect *)> kept(out, vitalwire_consent_redirect_free);
    const auto copy = [](vitalwire_str of) { return of.data == nullptr ? std::nullopt : std::optional<std::string>(detail::text(of)); };
    consent_redirect made{copy(vitalwire_consent_redirect_user_id(out)), copy(vitalwire_consent_redirect_provider_slug(out)),
                        copy(vitalwire_consent_redirect_state(out)), copy(vitalwire_consent_redirect_failure(out)), {}};
    vitalwire_str name{}, value{};
    for (std::size_t index = 0; vitalwire_consent_redirect_extra_at(out, index, &name, &value); ++index) {
      made.extra.emplace_back(detail::text(name), detail::text(value));
    }
    return made;
  }
};

/// Signs a user id for the token exchange. For servers only: never ship the key to a user's device.
inline call_result<std::string> sign_user_id(bytes key, std::string_view user_id) {
  vitalwire_json *out = nullptr;
  vitalwire_error *error = nullptr;
  const vitalwire_code code = vitalwire_sign_user_id(key.data(), key.size(), detail::to_c(user_id), &out, &error);
  if (code != VITALWIRE_OK) return detail::fail<std::string>(error);
  return detail::json(out);
}

}  // namespace VITALWIRE_ERRORS
}  // namespace vitalwire

#endif
