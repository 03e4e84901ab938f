// Access to the values of a case, with C++ types.
#include "plan.hpp"

namespace runner {

std::optional<std::string_view> text_at(const planned &planned, const std::string &place) {
  vitalwire_str text{};
  if (!plan_text(&planned, place.c_str(), &text)) return std::nullopt;
  return std::string_view(text.data, text.length);
}

std::optional<std::uint64_t> number_at(const planned &planned, const std::string &place) {
  std::uint64_t number = 0;
  return plan_number(&planned, place.c_str(), &number) ? std::optional<std::uint64_t>(number) : std::nullopt;
}

std::optional<bool> boolean_at(const planned &planned, const std::string &place) {
  bool yes = false;
  return plan_boolean(&planned, place.c_str(), &yes) ? std::optional<bool>(yes) : std::nullopt;
}

std::vector<std::string_view> texts_at(const planned &planned, const std::string &list) {
  std::vector<std::string_view> texts;
  while (const auto text = text_at(planned, list + "/" + std::to_string(texts.size()))) texts.push_back(*text);
  return texts;
}

}  // namespace runner
