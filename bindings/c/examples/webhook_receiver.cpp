#include <cstdlib>
#include <iostream>
#include <iterator>
#include "vitalwire.hpp"

static int status_of(vitalwire::code code) {
  switch (code) {
    case vitalwire::code::signature: return 401;
    case vitalwire::code::decode: return 400;
    default: return 500;
  }
}

// A CGI program that receives webhooks: the body on standard input, its signature in the environment.
int main() {
  int status = 200;  // the service resends the body until it receives 200
  std::string message;
  try {
    const char *const key = std::getenv("VITALWIRE_WEBHOOK_KEY");
    const char *const signature = std::getenv("HTTP_X_BODY_SIGNATURE");
    const auto verifier = vitalwire::webhook_verifier::with_keys({vitalwire::bytes(key == nullptr ? "" : key)});
    const std::string body{std::istreambuf_iterator<char>(std::cin), {}};
    verifier.verify(body, signature == nullptr ? "" : signature);
    const auto events = vitalwire::webhook::events(body);
    for (const auto event : events)  // equal keys for a resent body
      std::cerr << vitalwire::webhook::content_key(body) << ": " << event.event_type().value_or("?") << '\n';
  } catch (const vitalwire::error &error) {
    status = status_of(error.code());
    message = error.what();
  }
  std::cout << "Status: " << status << "\r\nContent-Type: text/plain\r\n\r\n" << message;
}
