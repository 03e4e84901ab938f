// How functions fail: by throwing vitalwire::error, or by returning a vitalwire::result that has it.

#ifndef VITALWIRE_CPP_RESULTS_HPP
#define VITALWIRE_CPP_RESULTS_HPP

#include <variant>

#include "errors.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// A value, or the error in its place.
template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : either_(std::in_place_index<0>, std::move(value)) {}
  result(vitalwire::error failure) : either_(std::in_place_index<1>, std::move(failure)) {}

  bool has_value() const noexcept { return either_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  /// Only where it has a value.
  T &operator*() & noexcept { return *std::get_if<0>(&either_); }
  const T &operator*() const & noexcept { return *std::get_if<0>(&either_); }
  T &&operator*() && noexcept { return std::move(*std::get_if<0>(&either_)); }
  T *operator->() & noexcept { return std::get_if<0>(&either_); }
  const T *operator->() const & noexcept { return std::get_if<0>(&either_); }
  /// Deleted: what a temporary holds ends with it.
  T *operator->() const && = delete;
  /// Only where it has none.
  const vitalwire::error &failure() const noexcept VITALWIRE_LIFETIMEBOUND { return *std::get_if<1>(&either_); }

 private:
  std::variant<T, vitalwire::error> either_;
};

/// Nothing, or an error.
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

/// What a function that may fail returns.
#ifdef VITALWIRE_RESULTS
template <class T>
using call_result = result<T>;
#else
template <class T>
using call_result = T;
#endif

namespace detail {

template <class T>
call_result<T> failed(vitalwire_error *error) {
#ifdef VITALWIRE_RESULTS
  return result<T>(vitalwire::error(error));
#else
  throw vitalwire::error(error);
#endif
}

/// What a call gave.
template <class View>
call_result<owned<View>> gave(vitalwire_code code, typename View::c_type *out, vitalwire_error *error, void (*ends)(typename View::c_type *)) {
  if (code != VITALWIRE_OK) return failed<owned<View>>(error);
  return owned<View>(out, ends);
}

/// A call that gives nothing.
inline call_result<void> done(vitalwire_code code, vitalwire_error *error) {
  if (code != VITALWIRE_OK) return failed<void>(error);
  return call_result<void>();
}

}  // namespace detail

}  // namespace VITALWIRE_ERRORS
}  // namespace vitalwire

#endif
