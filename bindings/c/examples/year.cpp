#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <sys/stat.h>
#include "vitalwire.hpp"

static const std::initializer_list<std::string_view> names = {"steps", "heartrate_resting"};

static std::string rows(const vitalwire::daily_statistics &days) {
  std::ostringstream text;
  text.precision(15);
  text << "date,steps,heartrate_resting\n";
  for (const auto bucket : days.statistics()) {
    if (!bucket.date()) continue;
    text << bucket.date()->text();
    for (const auto name : names) {
      text << ',';
      const auto values = bucket.values();
      if (const auto value = values ? values->get(name) : std::nullopt) text << *value;  // a missing value is not 0
    }
    text << '\n';
  }
  return text.str();
}

// Writes 2025.new and renames it, or throws. A file of the new name is therefore always complete.
static void write_file(const std::string &name, std::string_view text) {
  std::ofstream file("2025.new", std::ios::binary);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  file << text;
  file.close();
  std::filesystem::rename("2025.new", name);
}

// Writes the daily statistics of 2025 to CSV files, one for each part. After a failure, run it again: it continues where it stopped.
int main() try {
  umask(077);  // only this user can read the files
  std::ostringstream token;
  token << std::ifstream("2025.resume").rdbuf();
  if (token.str().empty() && std::filesystem::exists("2025-01-01.csv")) throw std::runtime_error("2025-01-01.csv exists already");
  const auto client = vitalwire::client::from_env();
  const auto user = client.user().info();
  // The resume token of another user is rejected.
  auto options = vitalwire::range_options().part_days(30).resume_key(user.application_user_id().value());
  if (!token.str().empty()) options.resume_token(token.str());
  const auto year = vitalwire::statistics_daily_params({2025, 1, 1}, {2025, 12, 31}).types(names);
  const auto parts = client.statistics().daily_range(year, options).read();
  while (const auto missing = parts.resume_token()) {
    write_file("2025.resume", *missing);  // after the rows that it excludes
    const auto part = parts.next();
    if (!part) break;
    const auto response = part->response();
    if (const auto dates = part->dates(); dates && response) write_file(dates->first.text() + ".csv", rows(*response));
    const auto progress = parts.progress();
    std::cout << "part " << progress.done << " of " << progress.total << ", " << progress.items << " days\n";
  }
  std::filesystem::remove("2025.resume");
} catch (const std::exception &error) {
  return std::cerr << error.what() << '\n', 1;
}
