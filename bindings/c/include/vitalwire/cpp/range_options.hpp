// Options of calls over long ranges.

#ifndef VITALWIRE_CPP_RANGE_OPTIONS_HPP
#define VITALWIRE_CPP_RANGE_OPTIONS_HPP

#include "values.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// Unset options keep their defaults.
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
  /// How many parts may be requested at once.
  range_options &concurrency(std::uint32_t count) {
    vitalwire_range_options_set_concurrency(raw(), count);
    return *this;
  }
  /// Whether parts that fail are handed out with their errors, instead of ending the range.
  range_options &collect_failures(bool yes = true) {
    vitalwire_range_options_set_collect_failures(raw(), yes);
    return *this;
  }
  /// Goes on with what an earlier run has left.
  range_options &resume_token(std::string_view token) {
    vitalwire_range_options_set_resume_token(raw(), detail::given(token));
    return *this;
  }
  range_options &resume_key(std::string_view key) {
    vitalwire_range_options_set_resume_key(raw(), detail::given(key));
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
