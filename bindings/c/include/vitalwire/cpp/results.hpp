// Results of functions that can fail. These functions throw vitalwire::error or return a vitalwire::result.

#ifndef VITALWIRE_CPP_RESULTS_HPP
#define VITALWIRE_CPP_RESULTS_HPP

#include <variant>

#include "errors.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// A value or an error.
template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : either_(std::in_place_index<0>, std::move(value)) {}
  result(vitalwire::error failure) : either_(std::in_place_index<1>, std::move(failure)) {}

  bool has_value() const noexcept { return either_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  /// Returns the value. Undefined if there is an error.
  T &operator*() & noexcept { return *std::get_if<0>(&either_); }
  const T &operator*() const & noexcept { return *std::get_if<0>(&either_); }
  T &&operator*() && noexcept { return std::move(*std::get_if<0>(&either_)); }
  T *operator->() & noexcept { return std::get_if<0>(&either_); }
  const T *operator->() const & noexcept { return std::get_if<0>(&either_); }
  /// Deleted for temporaries, because the value would dangle.
  T *operator->() const && = delete;
  /// Returns the error. Undefined if there is a value.
  const vitalwire::error &failure() const noexcept VITALWIRE_LIFETIMEBOUND { return *std::get_if<1>(&either_); }

 private:
  std::variant<T, vitalwire::error> either_;
};

/// Success or an error.
template <>
class [[nodiscard]] result<void> {
 public:
  result() noexcept = default;
  result(vitalwire::error failure) : failure_(std::move(failure)) {}

  bool has_value() const noexcept { return !failure_; }
  explicit operator bool() const noexcept { return has_value(); }
  const vitalwire::error &failure() const noexcept VITALWIRE_LIFETIMEBOUND { return *failure_; }

 private:
  std::optional<vitalwire::error> failure_;
};

/// Return type of functions that can fail: T if they throw, otherwise result<T>.
#ifdef VITALWIRE_RESULTS
template <class T>
using call_result = result<T>;
#else
template <class T>
using call_result = T;
#endif

namespace detail {

template <class T>
call_result<T> fail(vitalwire_error *error) {
#ifdef VITALWIRE_RESULTS
  return result<T>(vitalwire::error(error));
#else
  throw vitalwire::error(error);
#endif
}

/// Converts the result of a call.
template <class View>
call_result<owned<View>> take_result(vitalwire_code code, typename View::c_type *out, vitalwire_error *error,
                                     void (*free)(typename View::c_type *)) {
  if (code != VITALWIRE_OK) return fail<owned<View>>(error);
  return owned<View>(out, free);
}

/// Converts the outcome of a call without a result.
inline call_result<void> check(vitalwire_code code, vitalwire_error *error) {
  if (code != VITALWIRE_OK) return fail<void>(error);
  return call_result<void>();
}

}  // namespace detail

}  // namespace VITALWIRE_ERRORS
}  // namespace vitalwire

#endif
