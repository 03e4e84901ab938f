// What every generated call is given, and what is known of an operation.
#ifndef OPERATION_HPP
#define OPERATION_HPP

#include <stdexcept>

#include "../shared/given.h"
#include "writer.hpp"

namespace runner {

// What is wrong with a case.
struct mistake : std::runtime_error {
  using runtime_error::runtime_error;
};

// The arguments of a call, or items of one. One that is missing, not known or of another type is a mistake.
class arguments {
 public:
  // `names` are those that the operation has, of which the last is null.
  arguments(const planned &planned, const char *const *names);

  bool has(const char *name) const { return given_has(&given_, name); }
  // The items of a list; 0 where there is none.
  std::size_t count(const char *name) const { return given_count(&given_, name); }

  std::string_view text(const char *name, std::size_t item = ALONE);
  bool boolean(const char *name, std::size_t item = ALONE);
  std::int64_t integer(const char *name, std::size_t item = ALONE);
  double number(const char *name, std::size_t item = ALONE);
  vitalwire::timestamp timestamp(const char *name, std::size_t item = ALONE);
  vitalwire::date date(const char *name, std::size_t item = ALONE);
  std::string bytes(const char *name, std::size_t item = ALONE);

 private:
  void check() const;

  given given_;
};

// A call about to be made.
struct turn {
  arguments given;
  const vitalwire::client &client;
  vitalwire::call_options options;
  vitalwire::wait_options wait;
  // How the parts of a range are read one by one; none where they are collected.
  std::optional<std::string_view> reading;
};

// An operation: its id, its call, what it has besides (null where it does not), and the names of its arguments, of which the last is null.
struct operation {
  const char *id;
  void (*call)(turn &turn, writer &out);
  // The call that waits.
  void (*wait)(turn &turn, writer &out);
  // The call over a range: the whole outcome.
  void (*range)(turn &turn, const vitalwire::range_options &options, writer &out);
  const char *const *arguments;
};

// What base64 stands for, or `zeros:` and how many.
std::string bytes_of(std::string_view text);

}  // namespace runner

#endif
