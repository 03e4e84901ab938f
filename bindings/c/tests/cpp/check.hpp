// Functions that the cases share. A failed check is printed and counted, and the case continues. The program then exits with 1.

#ifndef CHECK_HPP
#define CHECK_HPP

#include <string>

#define CHECK(condition) check((condition), __FILE__, __LINE__, #condition)

bool check(bool condition, const char *file, int line, const char *text);
// Returns the value of an environment variable, which must be set.
std::string setting(const char *name);

// A PNG of one grey pixel.
extern const unsigned char picture[67];

void case_sandbox();
void case_uploads();
void case_memory();
void case_moved();
void case_ranges();
void case_received();
void case_results();
void case_pending();
void case_sync();
void case_examples();

#endif
