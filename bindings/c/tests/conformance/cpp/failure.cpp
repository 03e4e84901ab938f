// Writes errors as canonical JSON, with the public accessors.
#include "generated/outcomes.hpp"
#include "call_report.hpp"

namespace runner {

void failure(writer &out, const vitalwire::error &error, bool attempts) {
  json_open(&out, '{');
  member(out, "error", error.kind());
  // If the exception differs from its details, the code is 0, which no error has.
  whole(out, "code", error.what() == error.message() ? static_cast<std::int64_t>(error.code()) : 0);
  if (const auto status = error.status()) whole(out, "status", *status);
  member(out, "problem", error.problem());
  member(out, "retry_after_ms", error.retry_after());
  member(out, "request_id", error.request_id());
  if (attempts) whole(out, "attempts", error.attempts());
  if (error.may_have_taken_effect()) member(out, "may_have_taken_effect", true);
  member(out, "is_transient", error.is_transient());
  member(out, "path_template", error.path_template());
  member(out, "record_id", error.record_id());
  member(out, "argument", error.argument());
  member(out, "json_path", error.json_path());
  if (const auto body = error.body()) hex(out, "body", *body);
  write_last(out, error);
  json_close(&out, '}');
}

call_report failed(const vitalwire::error &error) {
  call_report made;
  failure(made.outcome, error, true);
  failure(made.plain, error, false);
  made.message = error.what();
  return made;
}

}  // namespace runner
