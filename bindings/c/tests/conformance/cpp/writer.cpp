// Writes values of the C++ header as canonical JSON.
#include "writer.hpp"

namespace runner {

void write(writer &out, vitalwire::timestamp value) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(value);
  const std::chrono::nanoseconds rest = value - seconds;
  json_timestamp(&out, {seconds.time_since_epoch().count(), static_cast<std::uint32_t>(rest.count())});
}

void write(writer &out, vitalwire::date value) { write(out, value.text()); }

void any(writer &out, const char *name, const std::optional<std::string> &value) {
  if (!value) return;
  json_name(&out, name);
  any(out, *value);
}

void open(writer &out, const char *name, std::optional<std::string_view> value, const char *const *names) {
  if (!value) return;
  json_name(&out, name);
  open_value(&out, c(*value), names);
}

void extra(writer &out, const std::optional<std::string> &members) {
  if (members) json_extra(&out, c(*members));
}

}  // namespace runner
