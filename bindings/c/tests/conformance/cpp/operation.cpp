// Converts arguments of a case to the types of the C++ header.
#include "operation.hpp"

#include <cstdlib>

namespace runner {

call_arguments::call_arguments(const planned &planned, const char *const *names) : arguments_{&planned, {}} {
  check_argument_names(&arguments_, names);
  check();
}

void call_arguments::check() const {
  if (arguments_.mistake[0] != '\0') throw mistake(arguments_.mistake);
}

std::string_view call_arguments::text(const char *name, std::size_t item) {
  const vitalwire_str text = argument_text(&arguments_, name, item);
  check();
  return {text.data, text.length};
}

bool call_arguments::boolean(const char *name, std::size_t item) {
  const bool yes = argument_boolean(&arguments_, name, item);
  check();
  return yes;
}

std::int64_t call_arguments::integer(const char *name, std::size_t item) {
  const std::int64_t number = argument_integer(&arguments_, name, item);
  check();
  return number;
}

double call_arguments::number(const char *name, std::size_t item) {
  const double number = argument_number(&arguments_, name, item);
  check();
  return number;
}

vitalwire::timestamp call_arguments::timestamp(const char *name, std::size_t item) {
  const vitalwire_timestamp of = argument_timestamp(&arguments_, name, item);
  check();
  return vitalwire::timestamp(std::chrono::seconds(of.seconds)) + std::chrono::microseconds(of.nanoseconds / 1000);
}

vitalwire::date call_arguments::date(const char *name, std::size_t item) {
  const vitalwire_date of = argument_date(&arguments_, name, item);
  check();
  return {of.year, of.month, of.day};
}

// Copies bytes to a string and frees the original.
static std::string copy_bytes(bytes of) {
  const std::string copy(reinterpret_cast<const char *>(of.data), of.data == nullptr ? 0 : of.length);
  std::free(of.data);
  return copy;
}

std::string call_arguments::bytes(const char *name, std::size_t item) {
  const std::string bytes = copy_bytes(argument_bytes(&arguments_, name, item));
  check();
  return bytes;
}

std::string bytes_of(std::string_view text) { return copy_bytes(bytes_read(c(text))); }

vitalwire::date date_of(std::string_view text) {
  vitalwire_date of{};
  if (!date_read(c(text), &of)) throw mistake("invalid date");
  return {of.year, of.month, of.day};
}

}  // namespace runner
