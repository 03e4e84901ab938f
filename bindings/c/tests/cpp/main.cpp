// Runs the cases that the arguments name, or all cases.
#include "check.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <string_view>
#include <utility>

static int failures = 0;

bool check(bool condition, const char *file, int line, const char *text) {
  if (!condition) {
    std::fprintf(stderr, "%s:%d: %s\n", file, line, text);
    ++failures;
  }
  return condition;
}

std::string setting(const char *name) {
  const char *const value = std::getenv(name);
  if (value == nullptr) {
    std::fprintf(stderr, "%s is not set\n", name);
    std::exit(2);
  }
  return value;
}

const unsigned char picture[67] = {
    0x89, 'P',  'N',  'G',  '\r', '\n', 0x1a, '\n', 0,    0,   0,   13,  'I', 'H',  'D',  'R',  0,    0,    0,    1,    0,    0,    0,
    1,    8,    0,    0,    0,    0,    0x3a, 0x7e, 0x9b, 0x55, 0,   0,   0,   10,  'I',  'D',  'A',  'T',  0x78, 0x9c, 0x63, 0x68, 0,
    0,    0,    0x82, 0,    0x81, 0x77, 0xcd, 0x72, 0xb6, 0,   0,   0,   0,   'I',  'E',  'N',  'D',  0xae, 0x42, 0x60, 0x82};

int main(int count, char **arguments) {
  const std::pair<const char *, void (*)()> cases[] = {{"sandbox", case_sandbox}, {"uploads", case_uploads},   {"memory", case_memory},
                                                       {"moved", case_moved},     {"ranges", case_ranges},   {"received", case_received}, {"results", case_results},
                                                       {"pending", case_pending}, {"sync", case_sync}, {"examples", case_examples}};
  const bool all = count == 1;
  int ran = 0;
  for (const auto &[name, run] : cases) {
    if (!all && std::find(arguments + 1, arguments + count, std::string_view(name)) == arguments + count) continue;
    ++ran;
    try {
      run();
    } catch (const std::exception &error) {
      check(false, name, 0, error.what());
    }
  }
  return failures == 0 && ran > 0 && (all || ran == count - 1) ? 0 : 1;
}
