#include <cstdlib>
#include <iostream>
#include <vector>
#include "vitalwire.hpp"

// at_once FIRST LAST: prints the steps of each of these days of November 2025, requested concurrently.
int main(int count, char **arguments) try {
  if (count < 3) return std::cerr << "at_once FIRST LAST\n", 2;
  const auto client = vitalwire::client::from_env();
  std::vector<std::future<vitalwire::owned<vitalwire::daily_statistics>>> days;
  for (int day = std::atoi(arguments[1]); day <= std::atoi(arguments[2]); ++day) {
    const vitalwire::date date(2025, 11, static_cast<unsigned>(day));
    days.push_back(client.statistics().daily_async(vitalwire::statistics_daily_params(date, date).types({"steps"})).future());
  }
  for (auto &day : days) {
    const auto response = day.get();
    for (const auto bucket : response.statistics()) {
      const auto values = bucket.values();
      if (const auto steps = values ? values->steps() : std::nullopt) std::cout << bucket.date()->text() << ' ' << *steps << " steps\n";
    }
  }
} catch (const vitalwire::error &error) {
  return std::cerr << error.what() << '\n', 1;
}
