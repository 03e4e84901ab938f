#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include "vitalwire.hpp"

static const std::initializer_list<std::string_view> names = {"steps", "heartrate_resting"};

static void write_days(std::ostream &file, const vitalwire::daily_statistics &days) {
  for (const auto bucket : days.statistics()) {
    if (!bucket.date()) continue;
    file << bucket.date()->text();
    for (const auto name : names) {
      file << ',';
      const auto values = bucket.values();
      if (const auto value = values ? values->get(name) : std::nullopt) file << *value;  // a missing value is not 0
    }
    file << '\n';
  }
}

// Writes the daily statistics of 2025 to 2025.csv. After a failure, run it again: it continues where it stopped.
int main() try {
  std::ostringstream token;
  token << std::ifstream("2025.resume").rdbuf();
  auto options = vitalwire::range_options().part_days(30);
  if (!token.str().empty()) options.resume_token(token.str());
  const auto client = vitalwire::client::from_env();
  const auto year = vitalwire::statistics_daily_params({2025, 1, 1}, {2025, 12, 31}).types(names);
  const auto parts = client.statistics().daily_range(year, options).read();
  std::ofstream file("2025.csv", token.str().empty() ? std::ios::trunc : std::ios::app);
  file.precision(15);
  while (const auto missing = parts.resume_token()) {
    std::ofstream("2025.resume") << *missing;
    const auto part = parts.next();
    if (!part) break;
    const auto response = part->response();
    if (response) write_days(file, *response);
    file.flush();  // write the rows before the token that excludes them
    const auto progress = parts.progress();
    std::cout << "part " << progress.done << " of " << progress.total << ", " << progress.items << " days\n";
  }
  std::remove("2025.resume");
} catch (const vitalwire::error &error) {
  return std::cerr << error.what() << '\n', 1;
}
