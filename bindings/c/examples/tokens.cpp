#include <cstdlib>
#include <iostream>
#include "vitalwire.hpp"

// Reads an environment variable.
static std::string variable(const char *name) {
  const char *const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// A client that renews its token: it signs the id of a user and exchanges the signature. For servers only.
int main() try {
  const auto service = vitalwire::client::from_env();
  const auto provide = [&](vitalwire::refresh_reason reason) {
    const bool is_first = reason == VITALWIRE_REFRESH_REASON_MISSING;
    std::cout << "a token is requested: " << (is_first ? "there is none" : "it must be replaced") << '\n';
    const auto signature = vitalwire::sign_user_id(variable("APPLICATION_KEY"), "person-1");
    const auto application_id = std::atoll(variable("APPLICATION_ID").c_str());
    const auto response = service.tokens().exchange({application_id, "person-1", signature});
    // The response does not state how long the token is valid.
    return vitalwire::token(std::string(response.access_token()), std::chrono::hours(1));
  };
  const auto client = vitalwire::client_builder::from_env().token_provider(provide).build();
  for (int call = 0; call < 2; ++call) {
    const auto user = client.user().info();
    std::cout << user.application_user_id().value_or("?") << '\n';
  }
} catch (const vitalwire::error &error) {
  return std::cerr << error.what() << '\n', 1;
}
