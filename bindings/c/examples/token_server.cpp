#include <cstdlib>
#include <iostream>
#include "vitalwire.hpp"

// A CGI program that gives an app the token of the user who is logged in. The web server sets REMOTE_USER.
int main() {
  const char *const user = std::getenv("REMOTE_USER");
  const char *const key = std::getenv("APPLICATION_KEY");
  const char *const application_id = std::getenv("APPLICATION_ID");
  if (user == nullptr || key == nullptr || application_id == nullptr) {
    std::cout << "Status: " << (user == nullptr ? 401 : 500) << "\r\nContent-Type: text/plain\r\n\r\n";
    return 0;
  }
  try {
    const auto client = vitalwire::client::from_env();
    const auto response = client.tokens().exchange({std::atoll(application_id), user, vitalwire::sign_user_id(key, user)});
    // A token has no character that JSON escapes. After an hour, the app requests another one.
    std::cout << "Status: 200\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n\r\n"
              << "{\"access_token\":\"" << response.access_token() << "\",\"expires_in\":3600}\n";
  } catch (const vitalwire::error &error) {
    std::cerr << error.what() << '\n';
    std::cout << "Status: 502\r\nContent-Type: text/plain\r\n\r\n";
  }
}
