// Checks that the header compiles as C++17, can be included twice, and declares functions with C linkage.
#include "vitalwire.h"
#include "vitalwire.h"

static_assert(sizeof(vitalwire_code) == 2, "codes have one size in C and C++");
static_assert(sizeof(vitalwire_presence) == 1 && sizeof(vitalwire_number_basis) == 1, "so have the small enums");
static_assert(sizeof(vitalwire_array_style) == 1, "so have the small enums");
static_assert(sizeof(vitalwire_refresh_reason) == 1 && sizeof(vitalwire_webhook_kind) == 1, "so have the small enums");
static_assert(VITALWIRE_ERROR_NOT_FOUND == 1201, "numbers of codes are published");

int main() {
  // These calls link only if the functions have C linkage.
  vitalwire_client_free(nullptr);
  const vitalwire_str version = vitalwire_version();
  vitalwire_error *error = nullptr;
  const vitalwire_code code = vitalwire_client_builder_build(nullptr, nullptr, &error);
  const bool refused = code == VITALWIRE_ERROR_INVALID_ARGUMENT && vitalwire_str_equals(vitalwire_error_argument(error), "builder");
  vitalwire_error_free(error);
  return version.length > 0 && refused ? 0 : 1;
}
