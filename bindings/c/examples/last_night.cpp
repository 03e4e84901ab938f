#include <cstdlib>
#include <iostream>
#include "vitalwire.hpp"

int main() try {
  const auto client = vitalwire::client::from_env();  // VITALWIRE_BASE_URL, VITALWIRE_TOKEN
  const auto night = client.sleeps().get(vitalwire::sleeps_get_params(std::getenv("VITALWIRE_SLEEP_ID")).include_stages());
  for (const auto stage : night.stages())
    std::cout << stage.stage().value_or("?") << ' ' << stage.duration().value_or(std::chrono::minutes(0)) / std::chrono::minutes(1) << " min\n";
} catch (const vitalwire::error &error) {
  return std::cerr << error.what() << '\n', 1;
}
