// The C header in C++: a call of no client is refused.
#include <vitalwire.h>

#include <cstdio>

int main() {
  static_assert(VITALWIRE_VERSION_MAJOR >= 0 && VITALWIRE_VERSION_MINOR >= 0 && VITALWIRE_VERSION_PATCH >= 0, "numbers");
  vitalwire_user_info *user = nullptr;
  vitalwire_error *error = nullptr;
  const vitalwire_code code = vitalwire_client_user_info(nullptr, nullptr, nullptr, &user, &error);
  const bool refused = code == VITALWIRE_ERROR_INVALID_ARGUMENT && vitalwire_str_equals(vitalwire_error_argument(error), "client");
  vitalwire_error_free(error);
  std::printf("vitalwire %s\n", VITALWIRE_VERSION);
  return refused && VITALWIRE_VERSION_MATCHES() ? 0 : 1;
}
