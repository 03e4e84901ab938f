// Plays cases over a range, which is collected or read part by part.
#ifndef RANGE_HPP
#define RANGE_HPP

#include <functional>

#include "operation.hpp"
#include "call_report.hpp"

namespace runner {

// Functions that read the parts of a range, whatever its operation.
struct reader {
  // Returns the index of the next part; empty after the last one.
  std::function<std::optional<std::uint32_t>()> next;
  std::function<void()> close;
  std::function<std::optional<std::string>()> resume_token;
};

// Reads parts one by one and writes the outcome. `reading` adds a concurrent read, closing, or a read after a failure.
void read_parts(writer &out, std::string_view reading, const reader &parts);

// Writes the outcome of a collected range.
template <class Merged>
void write_merged(writer &out, const Merged &merged) {
  writer value;
  write(value, merged.response());
  outcome_open(&out, &value);
  const auto failures = merged.failures();
  if (!failures.empty()) {
    json_name(&out, "failed_parts");
    json_open(&out, '[');
    for (const auto part : failures) {
      json_open(&out, '[');
      write(out, static_cast<std::int64_t>(part.index()));
      write(out, part.failure()->kind());
      json_close(&out, ']');
    }
    json_close(&out, ']');
  }
  skipped(out, merged.skipped_items());
  json_close(&out, '}');
}

// Plays a range call and writes the outcome.
template <class Range>
void play_range(const call_input &input, writer &out, const Range &range) {
  if (!input.reading) {
    write_merged(out, range.collect());
    return;
  }
  const auto parts = range.read();
  const auto next = [&]() -> std::optional<std::uint32_t> {
    const auto part = parts.next();
    return part ? std::optional<std::uint32_t>(part->index()) : std::nullopt;
  };
  read_parts(out, *input.reading, {next, [&] { parts.close(); }, [&] { return parts.resume_token(); }});
}

}  // namespace runner

#endif
