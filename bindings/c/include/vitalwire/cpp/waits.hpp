// Waits for analyses.

#ifndef VITALWIRE_CPP_WAITS_HPP
#define VITALWIRE_CPP_WAITS_HPP

#include <functional>

#include "results.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// Progress of a wait. Its texts are valid until the callback returns.
struct wait_progress {
  /// Number of times the record was read; 0 right after the response to an upload.
  std::uint32_t polls;
  /// Time since the wait began, including an upload.
  std::chrono::milliseconds elapsed;
  std::string_view status;
  /// Id of the record that an upload created. With the id, another call can wait for the record if this wait fails.
  std::optional<std::string_view> record_id;
};

/// Called after each response of a wait.
using wait_observer = std::function<void(const wait_progress &)>;

/// Options of a wait. Unset options keep their defaults. Copies share the callback of `on_progress`.
class wait_options {
 public:
  /// Sets the timeout of the whole wait, including an upload. Defaults to 300 seconds.
  wait_options &timeout(std::chrono::milliseconds time) {
    vitalwire_wait_options_set_timeout_ms(raw(), detail::to_c(time));
    return *this;
  }
  /// Sets the interval between polls: `floor` at first, growing by half each time up to `ceiling`.
  /// Defaults to 1 second, growing to 5 seconds.
  wait_options &interval(std::chrono::milliseconds floor, std::chrono::milliseconds ceiling) {
    vitalwire_wait_options_set_interval_ms(raw(), detail::to_c(floor), detail::to_c(ceiling));
    return *this;
  }
  /// Sets a callback that is called after each response: on the waiting thread or, for `*_async`, on a library thread. If the callback
  /// throws, the program terminates. An empty function removes the callback.
  wait_options &on_progress(wait_observer function) {
    auto *const kept = function ? new wait_observer(std::move(function)) : nullptr;
    vitalwire_wait_options_set_on_progress(raw(), kept == nullptr ? nullptr : &notify, kept, end);
    return *this;
  }
  const vitalwire_wait_options *c() const noexcept { return of_.get(); }

 private:
  using handle = detail::value_handle<vitalwire_wait_options, vitalwire_wait_options_clone, vitalwire_wait_options_free>;

  vitalwire_wait_options *raw() {
    if (of_.get() == nullptr) of_ = handle(vitalwire_wait_options_new());
    return of_.get();
  }

  static void notify(void *user_data, const vitalwire_wait_progress *of) noexcept {
    const auto elapsed = std::chrono::milliseconds(static_cast<std::int64_t>(of->elapsed_ms));
    const wait_progress event{of->polls, elapsed, detail::text(of->status), detail::text_if(of->record_id)};
    (*static_cast<wait_observer *>(user_data))(event);
  }
  static void end(void *user_data) noexcept { delete static_cast<wait_observer *>(user_data); }

  handle of_;
};

}  // namespace VITALWIRE_ERRORS
}  // namespace vitalwire

#endif
