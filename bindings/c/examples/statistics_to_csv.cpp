#include <cstdio>
#include <iostream>
#include "vitalwire.hpp"

static vitalwire::date day(const char *text) {
  vitalwire::date day;
  if (std::sscanf(text, "%4d-%2u-%2u", &day.year, &day.month, &day.day) != 3) std::cerr << "a day is YYYY-MM-DD\n";
  return day;
}

// statistics_to_csv FIRST LAST NAME...: prints a line for each day and statistic.
int main(int count, char **arguments) try {
  if (count < 4) return std::cerr << "statistics_to_csv FIRST LAST NAME...\n", 2;
  vitalwire::statistics_daily_params days(day(arguments[1]), day(arguments[2]));
  for (int at = 3; at < count; ++at) days.add_types(arguments[at]);
  const auto client = vitalwire::client::from_env();
  // Parts of 30 days, several concurrently, as one response.
  const auto all = client.statistics().daily_range(days, vitalwire::range_options().part_days(30)).collect();
  std::cout.precision(15);
  std::cout << "day,statistic,value\n";
  for (const auto bucket : all.response().statistics()) {
    const auto values = bucket.values();
    if (!values || !bucket.date()) continue;
    for (const auto [name, value] : *values) std::cout << bucket.date()->text() << ',' << name << ',' << value << '\n';
  }
} catch (const vitalwire::error &error) {
  return std::cerr << error.what() << '\n', 1;
}
