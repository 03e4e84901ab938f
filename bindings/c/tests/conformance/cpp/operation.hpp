// Inputs of every generated call, and the description of an operation.
#ifndef OPERATION_HPP
#define OPERATION_HPP

#include <stdexcept>

#include "../shared/case_arguments.h"
#include "writer.hpp"

namespace runner {

// A mistake in a case.
struct mistake : std::runtime_error {
  using runtime_error::runtime_error;
};

// Arguments of a call, or items of one. A missing, unknown or wrongly typed argument is a mistake.
class call_arguments {
 public:
  // `names` are the operation's arguments, ending with null.
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

// A call that is about to be made.
struct turn {
  call_arguments arguments;
  const vitalwire::client &client;
  vitalwire::call_options options;
  vitalwire::wait_options wait;
  // How the parts of a range are read one by one; empty if they are collected.
  std::optional<std::string_view> reading;
};

// An operation: its id, its call, its other functions (null if it has none), and the names of its arguments, ending with null.
struct operation {
  const char *id;
  void (*call)(turn &turn, writer &out);
  // The call with a wait.
  void (*wait)(turn &turn, writer &out);
  // The range call, with its whole outcome.
  void (*range)(turn &turn, const vitalwire::range_options &options, writer &out);
  const char *const *arguments;
};

// Decodes base64, or `zeros:` and their number.
std::string bytes_of(std::string_view text);

}  // namespace runner

#endif
