// Uses that must not compile: rejected.cmake compiles this once for each number. Case 0 is the correct use.
#include "vitalwire.hpp"

void use(vitalwire::client &client) {
  auto call = client.user().info_async();
#if CASE == 0
  std::move(call).then([](const auto &) {});
#elif CASE == 1
  call.then([](const auto &) {});
#elif CASE == 2
  call.future();
#elif CASE == 3
  auto copy = call;
#endif
}
