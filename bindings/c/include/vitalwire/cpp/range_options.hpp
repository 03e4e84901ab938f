// Options of ranges.

#ifndef VITALWIRE_CPP_RANGE_OPTIONS_HPP
#define VITALWIRE_CPP_RANGE_OPTIONS_HPP

#include "values.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// Options of ranges. Unset options keep their defaults.
class range_options {
 public:
  range_options &part_days(std::uint32_t count) {
    vitalwire_range_options_set_part_days(raw(), count);
    return *this;
  }
  range_options &part_hours(std::uint32_t count) {
    vitalwire_range_options_set_part_hours(raw(), count);
    return *this;
  }
  /// Sets the maximum number of parts in flight. Defaults to 4.
  range_options &concurrency(std::uint32_t count) {
    vitalwire_range_options_set_concurrency(raw(), count);
    return *this;
  }
  /// Sets whether failures are collected: a part that fails is returned with its error and does not end the range. Defaults to false.
  range_options &collect_failures(bool yes = true) {
    vitalwire_range_options_set_collect_failures(raw(), yes);
    return *this;
  }
  /// Sets a resume token of an earlier run of the same call. Only the missing parts of that run are requested.
  range_options &resume_token(std::string_view token) {
    vitalwire_range_options_set_resume_token(raw(), detail::to_c(token));
    return *this;
  }
  range_options &resume_key(std::string_view key) {
    vitalwire_range_options_set_resume_key(raw(), detail::to_c(key));
    return *this;
  }
  const vitalwire_range_options *c() const noexcept { return of_.get(); }

 private:
  using handle = detail::value_handle<vitalwire_range_options, vitalwire_range_options_clone, vitalwire_range_options_free>;

  vitalwire_range_options *raw() {
    if (of_.get() == nullptr) of_ = handle(vitalwire_range_options_new());
    return of_.get();
  }

  handle of_;
};

}  // namespace VITALWIRE_ERRORS
}  // namespace vitalwire

#endif
