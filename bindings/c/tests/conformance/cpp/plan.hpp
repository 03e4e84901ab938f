// Access to the values of a case, with C++ types.
#ifndef PLAN_HPP
#define PLAN_HPP

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../shared/plan.h"

namespace runner {

std::optional<std::string_view> text_at(const planned &planned, const std::string &place);
std::optional<std::uint64_t> number_at(const planned &planned, const std::string &place);
std::optional<bool> boolean_at(const planned &planned, const std::string &place);
// Returns the texts of a list; none if there is no list. Each text is NUL-terminated.
std::vector<std::string_view> texts_at(const planned &planned, const std::string &list);

// A part of a case as a case of its own: the values below a JSON pointer, or an item of a list.
class part {
 public:
  part(const planned &whole, const char *start) : there_(plan_under(&whole, start, &of_)) {}
  // Selects an item of a list by index, from 0.
  part(const planned &whole, const char *list, std::size_t at) : there_(plan_item(&whole, list, at, &of_)) {}
  part(const part &) = delete;
  part &operator=(const part &) = delete;
  ~part() { plan_call_free(&of_); }

  // Returns whether the part exists.
  explicit operator bool() const noexcept { return there_; }
  const planned &operator*() const noexcept { return of_; }

 private:
  planned of_{};
  bool there_;
};

}  // namespace runner

#endif
