// Applies the settings of a case to a client.
#include "settings.hpp"

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

namespace runner {

using std::chrono::milliseconds;
using builder = vitalwire::client_builder;

// A token provider that returns texts in turn; the last text repeats. Throws if there are no texts.
static vitalwire::token_provider provider_of(std::vector<std::string> texts) {
  const auto next = std::make_shared<std::atomic<std::size_t>>(0);
  return [next, texts = std::move(texts)](vitalwire::refresh_reason) -> vitalwire::token {
    static const std::string late = "late:";
    if (texts.empty()) throw std::runtime_error("the provider of the case fails");
    const std::string &text = texts[std::min(next->fetch_add(1), texts.size() - 1)];
    if (text.compare(0, late.size(), late) != 0) return text;
    std::this_thread::sleep_for(std::chrono::seconds(2));
    return text.substr(late.size());
  };
}

// Sets the token or token provider of a service. The plan has an object `text`, an object `provider`, or one of two keywords.
static void tokens(const planned &planned, const std::string &place, builder &to, builder &(builder::*set)(std::string_view),
                   builder &(builder::*set_provider)(vitalwire::token_provider)) {
  if (const auto text = text_at(planned, place + "/text")) (to.*set)(*text);
  std::vector<std::string> texts;
  while (const auto text = text_at(planned, place + "/provider/" + std::to_string(texts.size()))) texts.emplace_back(*text);
  if (!texts.empty() || text_at(planned, place) == "provider_fails") (to.*set_provider)(provider_of(std::move(texts)));
}

vitalwire::client client_of(const planned &planned, vitalwire::attempt_observer observer, std::string_view base_path) {
  builder to;
  planned_settings(planned, to);
  if (!base_path.empty()) to.base_url(std::string(text_at(planned, "/client/base_url").value_or("")).append(base_path));
  if (const auto text = text_at(planned, "/client/proxy")) {
    to.proxy(*text);
  } else {
    // Ignores the proxy in the environment of this machine.
    to.no_proxy();
  }
  tokens(planned, "/client/token", to, &builder::token, &builder::token_provider);
  tokens(planned, "/client/care_token", to, &builder::care_token, &builder::care_token_provider);
  if (observer) to.on_attempt(std::move(observer));
  return to.build();
}

// Returns a duration of the call, which the plan has in milliseconds.
static std::optional<milliseconds> time_at(const planned &planned, const char *place) {
  const auto number = number_at(planned, std::string("/call/operation/") + place);
  return number ? std::optional<milliseconds>(static_cast<std::int64_t>(*number)) : std::nullopt;
}

vitalwire::call_options options_of(const planned &planned) {
  vitalwire::call_options options;
  planned_options(planned, options);
  return options;
}

vitalwire::wait_options wait_of(const planned &planned) {
  vitalwire::wait_options options;
  if (const auto time = time_at(planned, "timeout_ms")) options.timeout(*time);
  const auto floor = time_at(planned, "interval_ms/0"), ceiling = time_at(planned, "interval_ms/1");
  if (floor && ceiling) options.interval(*floor, *ceiling);
  return options;
}

vitalwire::range_options range_of(const planned &planned) {
  vitalwire::range_options options;
  const auto count = [&](const char *name) { return number_at(planned, std::string("/call/operation/") + name); };
  if (const auto days = count("days")) options.part_days(static_cast<std::uint32_t>(*days));
  if (const auto hours = count("hours")) options.part_hours(static_cast<std::uint32_t>(*hours));
  if (const auto parts = count("concurrency")) options.concurrency(static_cast<std::uint32_t>(*parts));
  if (const auto yes = boolean_at(planned, "/call/operation/collect_errors")) options.collect_failures(*yes);
  return options;
}

}  // namespace runner
