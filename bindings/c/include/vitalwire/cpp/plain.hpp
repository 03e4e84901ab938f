// Instants, dates and bytes, and the configuration of all headers.

#ifndef VITALWIRE_CPP_PLAIN_HPP
#define VITALWIRE_CPP_PLAIN_HPP

#if __cplusplus < 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG < 201703L)
#error "vitalwire.hpp needs C++17 or newer: compile with -std=c++17, or with /std:c++17 in MSVC"
#endif

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "vitalwire.h"

// Functions throw errors. They return vitalwire::result<T> if VITALWIRE_RESULTS is defined before the first include, or if exceptions are
// disabled.
#if !defined(VITALWIRE_RESULTS) && !defined(__cpp_exceptions)
#define VITALWIRE_RESULTS
#endif
// Makes Clang warn about texts that outlive their object.
#ifdef __has_cpp_attribute
#if __has_cpp_attribute(clang::lifetimebound)
#define VITALWIRE_LIFETIMEBOUND [[clang::lifetimebound]]
#endif
#endif
#ifndef VITALWIRE_LIFETIMEBOUND
#define VITALWIRE_LIFETIMEBOUND
#endif
// A namespace for each mode, so that files of both modes can be linked into one program.
#ifdef VITALWIRE_RESULTS
#define VITALWIRE_ERRORS returned
#else
#define VITALWIRE_ERRORS thrown
#endif

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// An instant, rounded down to microseconds.
using timestamp = std::chrono::time_point<std::chrono::system_clock, std::chrono::microseconds>;

/// A calendar date without time or time zone.
struct date {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;

  constexpr date() noexcept = default;
  constexpr date(int a_year, unsigned a_month, unsigned a_day) noexcept : year(a_year), month(a_month), day(a_day) {}
#if defined(__cpp_lib_chrono) && __cpp_lib_chrono >= 201907L
  constexpr date(std::chrono::year_month_day of) noexcept
      : year(static_cast<int>(of.year())), month(static_cast<unsigned>(of.month())), day(static_cast<unsigned>(of.day())) {}
  constexpr operator std::chrono::year_month_day() const noexcept {
    return {std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{day}};
  }
#endif

  /// Returns the date as YYYY-MM-DD.
  std::string text() const {
    const auto padded = [](unsigned number, std::size_t width) {
      const std::string digits = std::to_string(number);
      return std::string(width - std::min(width, digits.size()), '0') + digits;
    };
    const std::string sign = year < 0 ? "-" : "";
    const auto magnitude = static_cast<unsigned>(year < 0 ? -year : year);
    return sign + padded(magnitude, 4) + '-' + padded(month, 2) + '-' + padded(day, 2);
  }

  friend constexpr bool operator==(const date &one, const date &other) noexcept {
    return one.year == other.year && one.month == other.month && one.day == other.day;
  }
  friend constexpr bool operator!=(const date &one, const date &other) noexcept { return !(one == other); }
};

/// A view of contiguous bytes, from any container of chars or bytes. Functions read the bytes before they return.
///
/// A `const char` array that ends with NUL is treated as a string literal: its last NUL is excluded. A `const char *` is a NUL-terminated
/// string. Pass binary data as an array of unsigned bytes, a std::string_view or a std::span, or with its size.
class bytes {
 public:
  constexpr bytes() noexcept = default;
  bytes(const void *data, std::size_t size) noexcept : data_(static_cast<const std::uint8_t *>(data)), size_(size) {}
  template <class Container, class = std::enable_if_t<sizeof(*std::data(std::declval<const Container &>())) == 1>>
  bytes(const Container &of) noexcept : bytes(std::data(of), std::size(of)) {}
  template <std::size_t N>
  bytes(const char (&of)[N]) noexcept : bytes(of, of[N - 1] == '\0' ? N - 1 : N) {}
  // A buffer is not a literal: its last byte may be NUL by chance.
  template <std::size_t N>
  bytes(char (&of)[N]) noexcept : bytes(of, N) {}
  // A template, because overload resolution would prefer a function to the templates for arrays.
  template <class Text, std::enable_if_t<std::is_same_v<Text, const char *> || std::is_same_v<Text, char *>, int> = 0>
  bytes(const Text &text) noexcept : bytes(std::string_view(text)) {}

  const std::uint8_t *data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

 private:
  const std::uint8_t *data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace VITALWIRE_ERRORS
}  // namespace vitalwire

#endif
