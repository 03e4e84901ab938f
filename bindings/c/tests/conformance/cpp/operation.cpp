// Arguments of a case, in the types of the C++ header.
#include "operation.hpp"

#include <cstdlib>

namespace runner {

arguments::arguments(const planned &planned, const char *const *names) : given_{&planned, {}} {
  given_names(&given_, names);
  check();
}

void arguments::check() const {
  if (given_.mistake[0] != '\0') throw mistake(given_.mistake);
}

std::string_view arguments::text(const char *name, std::size_t item) {
  const vitalwire_str text = given_text(&given_, name, item);
  check();
  return {text.data, text.length};
}

bool arguments::boolean(const char *name, std::size_t item) {
  const bool yes = given_boolean(&given_, name, item);
  check();
  return yes;
}

std::int64_t arguments::integer(const char *name, std::size_t item) {
  const std::int64_t number = given_integer(&given_, name, item);
  check();
  return number;
}

double arguments::number(const char *name, std::size_t item) {
  const double number = given_number(&given_, name, item);
  check();
  return number;
}

vitalwire::timestamp arguments::timestamp(const char *name, std::size_t item) {
  const vitalwire_timestamp of = given_timestamp(&given_, name, item);
  check();
  return vitalwire::timestamp(std::chrono::seconds(of.seconds)) + std::chrono::microseconds(of.nanoseconds / 1000);
}

vitalwire::date arguments::date(const char *name, std::size_t item) {
  const vitalwire_date of = given_date(&given_, name, item);
  check();
  return {of.year, of.month, of.day};
}

// Copies bytes and frees them.
static std::string taken(bytes of) {
  const std::string copy(reinterpret_cast<const char *>(of.data), of.data == nullptr ? 0 : of.length);
  std::free(of.data);
  return copy;
}

std::string arguments::bytes(const char *name, std::size_t item) {
  const std::string bytes = taken(given_bytes(&given_, name, item));
  check();
  return bytes;
}

std::string bytes_of(std::string_view text) { return taken(bytes_read(c(text))); }

}  // namespace runner
