// How analyses are waited for.

#ifndef VITALWIRE_CPP_WAITS_HPP
#define VITALWIRE_CPP_WAITS_HPP

#include <functional>

#include "results.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// How far a wait is. Its texts end with the function that was told of it.
struct wait_progress {
  /// How often the record was read; 0 when an upload has just been answered.
  std::uint32_t polls;
  /// Since the wait began, an upload included.
  std::chrono::milliseconds elapsed;
  std::string_view status;
  /// After an upload: it can be waited for again, whatever becomes of this wait.
  std::optional<std::string_view> record_id;
};

/// What is not set keeps its default: five minutes in all, and 1 s to 5 s between two readings. Copies are one.
class wait_options {
 public:
  wait_options &timeout(std::chrono::milliseconds time) {
    vitalwire_wait_options_set_timeout_ms(raw(), detail::given(time));
    return *this;
  }
  wait_options &interval(std::chrono::milliseconds floor, std::chrono::milliseconds ceiling) {
    vitalwire_wait_options_set_interval_ms(raw(), detail::given(floor), detail::given(ceiling));
    return *this;
  }
  /// Is told of each answer, on the thread that waits. An exception from it ends the program.
  wait_options &on_progress(std::function<void(const wait_progress &)> function) {
    vitalwire_wait_options *const options = raw();
    of_->function = std::move(function);
    vitalwire_wait_options_set_on_progress(options, tell, of_.get(), nullptr);
    return *this;
  }
  const vitalwire_wait_options *c() const noexcept { return of_ ? of_->options.get() : nullptr; }

 private:
  struct state {
    std::unique_ptr<vitalwire_wait_options, void (*)(vitalwire_wait_options *)> options{vitalwire_wait_options_new(),
                                                                                      vitalwire_wait_options_free};
    std::function<void(const wait_progress &)> function;
  };

  vitalwire_wait_options *raw() {
    if (!of_) of_ = std::make_shared<state>();
    return of_->options.get();
  }

  static void tell(void *user_data, const vitalwire_wait_progress *of) noexcept {
    const auto elapsed = std::chrono::milliseconds(static_cast<std::int64_t>(of->elapsed_ms));
    const wait_progress told{of->polls, elapsed, detail::text(of->status), detail::text_if(of->record_id)};
    static_cast<state *>(user_data)->function(told);
  }

  std::shared_ptr<state> of_;
};

}  // namespace VITALWIRE_ERRORS
}  // namespace vitalwire

#endif
