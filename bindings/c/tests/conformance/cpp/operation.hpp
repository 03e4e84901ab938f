// Types for the generated calls: their inputs, and the table of operations.
#ifndef OPERATION_HPP
#define OPERATION_HPP

#include <stdexcept>

#include "../shared/case_arguments.h"
#include "writer.hpp"

namespace runner {

// A mistake in a conformance case.
struct mistake : std::runtime_error {
  using runtime_error::runtime_error;
};

// Arguments of a call in a case. The functions throw a mistake for an argument that is missing, unknown or of another type.
class call_arguments {
 public:
  // `names` are the names of all arguments of the operation, terminated by null.
  call_arguments(const planned &planned, const char *const *names);

  bool has(const char *name) const { return has_argument(&arguments_, name); }
  // Returns the number of items of a list; 0 if there is none.
  std::size_t count(const char *name) const { return argument_count(&arguments_, name); }

  std::string_view text(const char *name, std::size_t item = ALONE);
  bool boolean(const char *name, std::size_t item = ALONE);
  std::int64_t integer(const char *name, std::size_t item = ALONE);
  double number(const char *name, std::size_t item = ALONE);
  vitalwire::timestamp timestamp(const char *name, std::size_t item = ALONE);
  vitalwire::date date(const char *name, std::size_t item = ALONE);
  std::string bytes(const char *name, std::size_t item = ALONE);

 private:
  void check() const;

  case_arguments arguments_;
};

// Inputs of a call.
struct call_input {
  call_arguments arguments;
  const vitalwire::client &client;
  vitalwire::call_options options;
  vitalwire::wait_options wait;
  // Action on the parts of a range that are read one by one. Empty if the parts are collected.
  std::optional<std::string_view> reading;
};

// An operation: id, functions, and the names of its arguments, terminated by null. Functions that the operation lacks are null.
struct operation {
  const char *id;
  void (*call)(call_input &input, writer &out);
  // Makes the call and waits until the analysis has ended.
  void (*wait)(call_input &input, writer &out);
  // Makes the range call and writes its outcome.
  void (*range)(call_input &input, const vitalwire::range_options &options, writer &out);
  const char *const *arguments;
};

// Decodes base64. `zeros:N` stands for N zero bytes.
std::string bytes_of(std::string_view text);
// Parses a date of the plan. Throws a mistake for any other text.
vitalwire::date date_of(std::string_view text);

}  // namespace runner

#endif
