// Makes a call with a mock response, in C++.
#include <vitalwire.hpp>

#include <iostream>

int main() {
  static_assert(VITALWIRE_VERSION_MAJOR >= 0 && VITALWIRE_VERSION_MINOR >= 0 && VITALWIRE_VERSION_PATCH >= 0, "numbers");
  if (vitalwire::version() != VITALWIRE_VERSION) return 2;
  const auto client = vitalwire::client_builder().mock_responses(vitalwire::mock_responses::samples()).build();
  const auto user = client.user().info();
  std::cout << "vitalwire " << VITALWIRE_VERSION << ", an id of " << user.uid().value_or("").size() << " letters\n";
  try {
    vitalwire::client_builder().base_url("no url").build();
  } catch (const vitalwire::error &error) {
    return user.uid() && error.argument() == "base_url" ? 0 : 1;
  }
  return 1;
}
