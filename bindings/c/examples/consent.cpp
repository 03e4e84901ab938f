#include <cstdlib>
#include <iostream>
#include <random>
#include "vitalwire.hpp"

// Returns a random state in hexadecimal. std::random_device reads the system's generator on Linux, macOS and Windows.
static std::string random_state() {
  std::random_device random;
  std::string state;
  for (int digit = 0; digit < 32; ++digit) state += "0123456789abcdef"[random() % 16];
  return state;
}

// Redirects to the consent URL. The browser keeps the state in a cookie.
static void send_to_consent() {
  const auto client = vitalwire::client::from_env();
  const std::string state = random_state();
  const auto params = vitalwire::integrations_init_url_params("polar").redirect_uri("https://example.org/back").state(state);
  const auto consent = client.integrations().init_url(params);
  std::cout << "Status: 303\r\nSet-Cookie: state=" << state << "; Secure; HttpOnly; SameSite=Lax; Max-Age=600\r\n"
            << "Location: " << consent.path().value_or("/") << "\r\n\r\n";  // secret: never log it
}

// Checks that the redirect belongs to this browser, and shows its result.
static void show_result(std::string_view query, std::string_view cookies) {
  const auto start = cookies.find("state=");
  if (start == cookies.npos) {
    std::cout << "Status: 400\r\nContent-Type: text/plain\r\n\r\nNo connection was started in this browser.\n";
    return;
  }
  const auto state = cookies.substr(start + 6, cookies.find(';', start) - start - 6);
  const auto redirect = vitalwire::consent_redirect::parse(query, state);
  std::cout << "Status: 200\r\nContent-Type: text/plain\r\n\r\n"
            << redirect.provider_slug.value_or("?") << " is " << (redirect.failure ? "not connected" : "connected") << '\n';
}

// A CGI program that connects a provider: /connect sends the user to the consent page, /back shows the result.
int main() try {
  const auto variable = [](const char *name) { return std::string(std::getenv(name) == nullptr ? "" : std::getenv(name)); };
  if (variable("PATH_INFO") == "/connect") send_to_consent();
  else show_result(variable("QUERY_STRING"), variable("HTTP_COOKIE"));
} catch (const vitalwire::error &error) {
  std::cout << "Status: 400\r\nContent-Type: text/plain\r\n\r\n" << error.what() << '\n';
}
