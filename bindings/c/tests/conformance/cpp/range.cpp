// Reads the parts of a range one by one.
#include "range.hpp"

#include <future>
#include <thread>

namespace runner {

// Time after which a read is surely in flight. The judge delays the response longer.
static constexpr std::chrono::milliseconds in_flight_after(150);

// The outcome of reading one part.
struct reading {
  std::optional<std::uint32_t> part;
  std::optional<vitalwire::error> error;
};

// The outcomes of all reads so far.
struct readings {
  writer read;
  std::optional<vitalwire::error> error;

  // Adds the outcome of a read. Returns whether the read returned a part.
  bool take(const reading &one) {
    if (one.part) write(read, static_cast<std::int64_t>(*one.part));
    if (one.error) error = one.error;
    return one.part.has_value();
  }
};

static reading read(const reader &parts) {
  try {
    return {parts.next(), std::nullopt};
  } catch (const vitalwire::error &error) {
    return {std::nullopt, error};
  }
}

// Reads a part on another thread. During this read, closes the parts or reads another part on this thread.
static void read_concurrently(readings &all, const reader &parts, bool closes) {
  auto first = std::async(std::launch::async, [&] { return read(parts); });
  std::this_thread::sleep_for(in_flight_after);
  if (closes) {
    parts.close();
  } else {
    all.take(read(parts));
  }
  all.take(first.get());
}

static std::int64_t parts_left(const reader &parts) {
  const auto token = parts.resume_token();
  return token ? vitalwire::resume_token::parse(*token).parts_left : 0;
}

void read_parts(writer &out, std::string_view reading, const reader &parts) {
  readings all;
  json_open(&all.read, '[');
  all.take(read(parts));
  if (reading == "second_reader" || reading == "closed_while_read") read_concurrently(all, parts, reading == "closed_while_read");
  if (reading == "closed") parts.close();
  if (reading == "read_on") {
    while (all.take(read(parts))) {
    }
  }
  while (all.take(read(parts))) {
  }
  json_close(&all.read, ']');
  json_open(&out, '{');
  json_name(&out, "value");
  json_open(&out, '{');
  json_name(&out, "read");
  json_whole(&out, &all.read);
  whole(out, "left", parts_left(parts));
  if (all.error) {
    member(out, "error", all.error->kind());
    whole(out, "code", static_cast<std::int64_t>(all.error->code()));
  }
  json_close(&out, '}');
  json_close(&out, '}');
}

}  // namespace runner
