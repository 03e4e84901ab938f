// Runs the tests of returned errors in a program without exceptions.
#include "../check.hpp"

#include <cstdio>

static int failures = 0;

bool check(bool condition, const char *file, int line, const char *text) {
  if (!condition) {
    std::fprintf(stderr, "%s:%d: %s\n", file, line, text);
    ++failures;
  }
  return condition;
}

int main() {
  case_results();
  return failures == 0 ? 0 : 1;
}
