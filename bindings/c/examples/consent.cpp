#include <cstdlib>
#include <iostream>
#include <random>
#include "vitalwire.hpp"

// Stub of your sign-in: every visitor is the user of VITALWIRE_TOKEN. Return a client of the user who is signed in.
static vitalwire::client signed_in_client() { return vitalwire::client::from_env(); }

// Returns a random state in hexadecimal. std::random_device reads the system's generator on Linux, macOS and Windows.
static std::string random_state() {
  std::random_device random;
  std::string state;
  for (int digit = 0; digit < 32; ++digit) state += "0123456789abcdef"[random() % 16];
  return state;
}

// Redirects to the consent URL. The browser keeps the state in a cookie.
static void send_to_consent() {
  const auto client = signed_in_client();
  const std::string state = random_state();
  const auto params = vitalwire::integrations_init_url_params("polar").redirect_uri("https://example.org/back").state(state);
  const auto consent = client.integrations().init_url(params);
  std::cout << "Status: 303\r\nSet-Cookie: state=" << state << "; Secure; HttpOnly; SameSite=Lax; Max-Age=600\r\n"
            << "Location: " << consent.path().value() << "\r\n\r\n";  // secret: never log it
}

// Returns the value of the cookie with this name, or an empty text.
static std::string_view cookie(std::string_view cookies, const std::string &name) {
  while (!cookies.empty()) {
    const auto one = cookies.substr(0, cookies.find(';'));
    if (one.substr(0, name.size() + 1) == name + "=") return one.substr(name.size() + 1);
    const auto next = cookies.find_first_not_of("; ", one.size());
    cookies = next == cookies.npos ? "" : cookies.substr(next);
  }
  return {};
}

static void show(int status, std::string_view text, std::string_view header = "") {
  std::cout << "Status: " << status << "\r\nContent-Type: text/plain\r\n" << header << "\r\n" << text << '\n';
}

// Checks that the redirect belongs to this browser, shows its result and removes the cookie.
static void show_result(std::string_view query, std::string_view cookies) {
  const auto state = cookie(cookies, "state");
  if (state.empty()) return show(400, "No connection was started in this browser.");
  const auto redirect = vitalwire::consent_redirect::parse(query, state);
  const std::string text = redirect.provider_slug.value_or("?") + (redirect.failure ? " is not connected" : " is connected");
  show(200, text, "Set-Cookie: state=; Secure; HttpOnly; SameSite=Lax; Max-Age=0\r\n");
}

// A CGI program that connects a provider: /connect sends the user to the consent page, /back shows the result.
int main() {
  const auto variable = [](const char *name) { return std::string(std::getenv(name) == nullptr ? "" : std::getenv(name)); };
  const std::string path = variable("PATH_INFO");
  try {
    if (path == "/connect") send_to_consent();
    else if (path == "/back") show_result(variable("QUERY_STRING"), variable("HTTP_COOKIE"));
    else show(404, "There is no such page.");
  } catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    if (path == "/connect") show(502, "The connection cannot be started.");
    else show(400, "No such connection was started in this browser.");
  }
}
