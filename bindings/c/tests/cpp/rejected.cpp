// Uses that must not compile: rejected.cmake compiles this once for each number. Case 0 is the correct use.
#include "vitalwire.hpp"

void use(vitalwire::client &client) {
  auto call = client.user().info_async();
#if CASE == 0
  std::move(call).then([](const auto &) {});
#elif CASE == 1
  call.then([](const auto &) {});
#elif CASE == 2
  call.future();
#elif CASE == 3
  auto copy = call;
#elif CASE == 4
  for (const auto stage : client.sleeps().get("id").stages()) stage.duration();
#elif CASE == 5
  const auto durations = client.statistics().daily(vitalwire::statistics_daily_params({}, {})).statistics();
#elif CASE == 6
  const auto samples = client.sleeps().get("id").samples();
#endif
}

// Views of a variable, and values of a temporary.
void read(vitalwire::client &client) {
  const auto night = client.sleeps().get("id");
  for (const auto stage : night.stages()) stage.stage();
  for (const auto &record : client.nutrition_records().list()) record.ingredients();
  client.sleeps().get("id").duration();
  if (client.user().info().uid() == "id") return;
  client.sleeps().get("id").to_json();
}
