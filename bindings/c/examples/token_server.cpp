#include <cstdlib>
#include <iostream>
#include "vitalwire.hpp"

static constexpr int lifetime_seconds = 60 * 60;  // after which the app requests another token

// Stub of your sign-in: returns the user of a session, or an empty text. Replace it with your own sessions.
static std::string signed_in_user(std::string_view session) { return session == "a-session-of-person-1" ? "person-1" : ""; }

static std::string variable(const char *name) { return std::getenv(name) == nullptr ? "" : std::getenv(name); }

static std::string token_of(const std::string &user) {
  const auto client = vitalwire::client::from_env();
  const auto signature = vitalwire::sign_user_id(variable("APPLICATION_KEY"), user);
  const auto response = client.tokens().exchange({std::atoll(variable("APPLICATION_ID").c_str()), user, signature});
  return std::string(response.access_token());
}

static void respond(int status, std::string_view type, std::string_view body = "") {
  std::cout << "Status: " << status << "\r\nContent-Type: " << type << "\r\nCache-Control: no-store\r\n\r\n" << body;
}

// A CGI program that gives an app the token of its user: POST /token with the header "Authorization: Bearer <session>".
int main() try {
  const std::string authorization = variable("HTTP_AUTHORIZATION");
  const std::string user = authorization.rfind("Bearer ", 0) == 0 ? signed_in_user(authorization.substr(7)) : "";
  if (variable("PATH_INFO") != "/token") return respond(404, "text/plain"), 0;
  if (variable("REQUEST_METHOD") != "POST") return respond(405, "text/plain"), 0;
  if (user.empty()) return respond(401, "text/plain"), 0;
  // A token has no character that JSON escapes.
  const auto body = "{\"access_token\":\"" + token_of(user) + "\",\"expires_in\":" + std::to_string(lifetime_seconds) + "}\n";
  respond(200, "application/json", body);
} catch (const vitalwire::error &error) {
  std::cerr << error.what() << '\n';
  respond(502, "text/plain");
}
