// Writes values of the C++ header as canonical JSON. Uses the JSON functions of the C runner.
#ifndef WRITER_HPP
#define WRITER_HPP

#include "../generated/names.h"
#include "../shared/canonical.h"
#include "vitalwire.hpp"

namespace runner {

// A JSON text under construction, which is freed by the destructor.
struct writer : json {
  writer() noexcept : json{} {}
  writer(writer &&other) noexcept : json(other.release()) {}
  writer(const writer &) = delete;
  writer &operator=(const writer &) = delete;
  ~writer() { json_free(this); }

  json release() noexcept { return std::exchange(static_cast<json &>(*this), json{}); }
  bool empty() const noexcept { return length == 0; }
};

inline vitalwire_str c(std::string_view text) noexcept { return {text.data(), text.size()}; }
inline const double *c(const std::optional<double> &number) noexcept { return number ? &*number : nullptr; }
inline vitalwire_numbers c(vitalwire::series of) noexcept { return {of.data(), of.size()}; }

inline void write(writer &out, std::string_view value) { json_text(&out, c(value)); }
void write(writer &out, const char *value) = delete;
inline void write(writer &out, bool value) { json_boolean(&out, value); }
inline void write(writer &out, std::int64_t value) { json_integer(&out, value); }
inline void write(writer &out, double value) { json_number(&out, value); }
inline void write(writer &out, std::chrono::milliseconds value) { json_integer(&out, value.count()); }
void write(writer &out, vitalwire::timestamp value);
void write(writer &out, vitalwire::date value);

// Writes a field. A missing field is left out.
template <class Value>
void member(writer &out, const char *name, const Value &value) {
  json_name(&out, name);
  write(out, value);
}
template <class Value>
void member(writer &out, const char *name, const std::optional<Value> &value) {
  if (value) member(out, name, *value);
}

// Writes a field with bytes in hexadecimal.
inline void hex(writer &out, const char *name, std::string_view bytes) {
  json_name(&out, name);
  json_hex(&out, c(bytes));
}

// Writes a list.
template <class List>
void write_all(writer &out, const List &items) {
  json_open(&out, '[');
  for (const auto item : items) write(out, item);
  json_close(&out, ']');
}

// Writes a field with an integer.
inline void whole(writer &out, const char *name, std::int64_t value) { member(out, name, value); }
// Writes a value of any type from its JSON text.
inline void any(writer &out, std::string_view value) { json_copy(&out, c(value)); }
void any(writer &out, const char *name, const std::optional<std::string> &value);
// Writes a value of an open set.
void open(writer &out, const char *name, std::optional<std::string_view> value, const char *const *names);
// Writes unknown fields.
void extra(writer &out, const std::optional<std::string> &members);

}  // namespace runner

#endif
