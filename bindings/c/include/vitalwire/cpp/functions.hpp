// Callbacks of the application: token providers and attempt observers.

#ifndef VITALWIRE_CPP_FUNCTIONS_HPP
#define VITALWIRE_CPP_FUNCTIONS_HPP

#include <exception>
#include <functional>

#include "errors.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// Reason why a token is requested.
using refresh_reason = vitalwire_refresh_reason;

/// A token, with its lifetime if known.
struct token {
  std::string text;
  std::optional<std::chrono::milliseconds> lifetime;

  token(std::string a_text, std::optional<std::chrono::milliseconds> a_lifetime = std::nullopt)
      : text(std::move(a_text)), lifetime(a_lifetime) {}
  token(const char *a_text) : text(a_text) {}
};

/// Provides tokens. Called on a library thread. The callback may make calls. If the callback throws, calls that need a token fail with
/// code::authentication. Messages do not contain the text of the exception.
using token_provider = std::function<token(refresh_reason)>;

/// An attempt of a call. Its texts are valid until the callback returns.
struct attempt {
  std::string_view operation;
  std::string_view http_method;
  std::string_view path_template;
  std::optional<std::string_view> request_id;
  /// Number of the attempt, from 1.
  std::uint32_t number;
  /// HTTP status; nullopt if the service did not respond.
  std::optional<std::uint16_t> status;
  vitalwire::code code;
  std::chrono::milliseconds elapsed;
  /// Delay before the next attempt; nullopt if this was the last attempt.
  std::optional<std::chrono::milliseconds> next_delay;
};

/// Called after every attempt, on the thread that runs the call. Must be thread-safe and return quickly. Exceptions are ignored.
using attempt_observer = std::function<void(const attempt &)>;

namespace detail {

/// Destroys a callback that was passed as user data.
template <class Function>
void destroy(void *user_data) noexcept {
  delete static_cast<Function *>(user_data);
}

inline void set_token(vitalwire_token_request *reply, const token &new_token) noexcept {
  if (new_token.lifetime) {
    vitalwire_token_request_complete_with_lifetime(reply, to_c(new_token.text), to_c(*new_token.lifetime));
  } else {
    vitalwire_token_request_complete(reply, to_c(new_token.text));
  }
}

inline void provide(void *user_data, vitalwire_refresh_reason reason, vitalwire_token_request *reply) noexcept {
  const token_provider &provider = *static_cast<token_provider *>(user_data);
#ifdef __cpp_exceptions
  try {
    set_token(reply, provider(reason));
  } catch (const std::exception &thrown) {
    vitalwire_token_request_fail(reply, to_c(std::string_view(thrown.what())));
  } catch (...) {
    vitalwire_token_request_fail(reply, to_c(std::string_view("the token provider threw an unknown exception")));
  }
#else
  set_token(reply, provider(reason));
#endif
}

inline void notify_attempt_observer(void *user_data, const vitalwire_attempt *of) noexcept {
  const auto status = of->status == 0 ? std::nullopt : std::optional<std::uint16_t>(of->status);
  const auto delay = of->next_delay_ms < 0 ? std::nullopt : std::optional<std::chrono::milliseconds>(of->next_delay_ms);
  const auto elapsed = std::chrono::milliseconds(static_cast<std::int64_t>(of->elapsed_ms));
  const attempt event{text(of->operation), text(of->http_method), text(of->path_template), text_if(of->request_id), of->attempt,
                     status, static_cast<vitalwire::code>(of->code), elapsed, delay};
  const attempt_observer &observer = *static_cast<attempt_observer *>(user_data);
#ifdef __cpp_exceptions
  try {
    observer(event);
  } catch (...) {
    // Ignored, because the exception may contain health data and the call does not depend on the observer.
  }
#else
  observer(event);
#endif
}

}  // namespace detail

}  // namespace VITALWIRE_ERRORS
}  // namespace vitalwire

#endif
