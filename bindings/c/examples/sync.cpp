#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <sys/stat.h>
#include "vitalwire.hpp"

// The copy: its state, and day and rows of each record by kind and id.
struct copy {
  std::string state;
  std::map<std::pair<std::string, std::string>, std::pair<std::string, std::string>> records;
};

// Reads copy.tsv: the length of the state and the number of records, the state, and a line of kind, id, day and rows for each record.
static copy read_copy() {
  copy copy;
  std::ifstream file("copy.tsv", std::ios::binary);
  if (!file) return copy;  // the first run
  std::size_t length = 0, count = 0;
  (file >> length >> count).ignore();
  copy.state.resize(length);
  file.read(copy.state.data(), static_cast<std::streamsize>(length)).ignore();
  bool complete = file.good();
  std::string kind, id, day, rows;
  while (std::getline(std::getline(std::getline(std::getline(file, kind, '\t'), id, '\t'), day, '\t'), rows)) {
    complete = complete && !file.eof();  // each line has an end
    copy.records[{kind, id}] = {day, rows};
  }
  if (!complete || copy.records.size() != count) throw std::runtime_error("copy.tsv is damaged");
  return copy;
}

// Writes copy.new and renames it, so that changes and state are stored together. read_copy detects a file that a power failure cut.
static void write_copy(const copy &copy) {
  std::ofstream file("copy.new", std::ios::binary);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  file << copy.state.size() << ' ' << copy.records.size() << '\n' << copy.state << '\n';
  for (const auto &[key, record] : copy.records) {
    file << key.first << '\t' << key.second << '\t' << record.first << '\t' << record.second << '\n';
  }
  file.close();
  std::filesystem::rename("copy.new", "copy.tsv");
}

static void apply(copy &copy, const vitalwire::sync_change &change) {
  const std::pair key(std::string(change.kind()), std::string(change.id().value_or("")));
  const std::string day = change.day() ? change.day()->text() : "";
  if (change.type() == VITALWIRE_CHANGE_DAY_REMOVED) {  // records of this day that still exist follow
    for (auto it = copy.records.begin(); it != copy.records.end();) {
      it = it->first.first == key.first && it->second.first == day ? copy.records.erase(it) : std::next(it);
    }
  } else if (change.type() == VITALWIRE_CHANGE_REMOVED) {
    copy.records.erase(key);
  } else {
    copy.records[key] = {day, change.json_rows()};
  }
}

// Keeps a copy of a user's days and sleeps. Run it as often as you like, one run at a time.
int main() try {
  umask(077);  // only this user can read the copy
  const char *const secret = std::getenv("SYNC_SECRET");  // at least 16 random bytes, outside of the copy
  if (secret == nullptr) throw std::runtime_error("set SYNC_SECRET");
  copy copy = read_copy();
  const auto client = vitalwire::client::from_env();
  const auto params = vitalwire::sync_params("user-7", secret)
                          .kinds({VITALWIRE_RECORD_KIND_DAILY, VITALWIRE_RECORD_KIND_SLEEPS})
                          .from({2025, 11, 1})
                          .state(copy.state);
  const auto parts = client.sync(params).read();
  for (const auto &part : parts) {
    for (const auto change : part.changes()) apply(copy, change);
    copy.state.assign(part.state().data(), part.state().data() + part.state().size());
    write_copy(copy);
    const auto progress = part.progress();
    std::cout << progress.done_days << " of " << progress.total_days << " days, " << part.changes().size() << " changes\n";
  }
} catch (const std::exception &error) {
  return std::cerr << error.what() << '\n', 1;
}
