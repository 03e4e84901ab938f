#include <iostream>
#include "vitalwire.hpp"

// Prints the stages of the sleeps of a day. No operation lists sleeps: daily statistics name the records behind a day's sleep.
int main() try {
  const auto client = vitalwire::client::from_env();  // VITALWIRE_BASE_URL, VITALWIRE_TOKEN
  const vitalwire::date day(2025, 11, 20);
  const auto params = vitalwire::statistics_daily_params(day, day).types({"sleep_duration_total"}).include_record_ids();
  const auto days = client.statistics().daily(params);
  for (const auto bucket : days.statistics()) {
    for (const auto id : bucket.record_ids()) try {
      const auto night = client.sleeps().get(vitalwire::sleeps_get_params(id).include_stages());
      for (const auto stage : night.stages()) {
        std::cout << stage.stage().value_or("?") << ' ';
        if (const auto duration = stage.duration()) std::cout << *duration / std::chrono::minutes(1) << " min\n";
        else std::cout << "unknown\n";
      }
    } catch (const vitalwire::error &error) {
      if (error.code() != vitalwire::code::not_found) throw;  // A record that is not found is not a sleep.
    }
  }
} catch (const vitalwire::error &error) {
  return std::cerr << error.what() << '\n', 1;
}
