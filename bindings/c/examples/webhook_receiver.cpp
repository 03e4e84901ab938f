#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "vitalwire.hpp"

static constexpr std::size_t max_body_bytes = 32 << 20;

static std::string variable(const char *name) { return std::getenv(name) == nullptr ? "" : std::getenv(name); }

static int status_of(vitalwire::code code) {
  switch (code) {
    case vitalwire::code::signature: return 401;
    case vitalwire::code::decode: return 400;
    default: return 500;
  }
}

// Logs what has changed. Store the body here and process it later, because the service waits only 30 seconds.
static int process(const std::string &body) {
  switch (vitalwire::webhook::detect_kind(body)) {
    case VITALWIRE_WEBHOOK_EVENTS: {
      const auto events = vitalwire::webhook::events(body);
      for (const auto event : events) std::cerr << "event: " << event.event_type().value_or("?") << '\n';
      return 200;
    }
    case VITALWIRE_WEBHOOK_LAB_REPORT: {
      const auto report = vitalwire::webhook::lab_report(body);
      return std::cerr << "lab report: " << report.status() << '\n', 200;
    }
    case VITALWIRE_WEBHOOK_NUTRITION: {
      const auto meal = vitalwire::webhook::nutrition(body);
      return std::cerr << "meal: " << meal.status() << '\n', 200;
    }
    default: return std::cerr << "the kind of the body is unknown\n", 400;
  }
}

// Processes a body that may be received several times. Its file is locked while the body is processed, and not empty afterwards.
static int process_once(const std::string &body) {
  const std::string path = "received/" + vitalwire::webhook::content_key(body);  // equal for a resent body; never log it
  const int file = open(path.c_str(), O_RDWR | O_CREAT, 0600);  // the end of the program closes the file and releases the lock
  struct stat state {};
  if (file < 0) return std::cerr << "the folder \"received\" cannot be used\n", 500;
  if (flock(file, LOCK_EX | LOCK_NB) != 0) return 503;
  if (fstat(file, &state) != 0) return 500;
  if (state.st_size > 0) return 200;
  const int status = process(body);
  return status == 200 && write(file, "1", 1) != 1 ? 500 : status;
}

static int receive() try {
  const std::string length = variable("CONTENT_LENGTH");
  if (length.empty() || length.find_first_not_of("0123456789") != length.npos) return 400;
  if (length.size() > 8 || std::stoul(length) > max_body_bytes) return 413;
  std::string body(std::stoul(length), '\0');
  if (!std::cin.read(body.data(), static_cast<std::streamsize>(body.size()))) return 400;
  const auto verifier = vitalwire::webhook_verifier::with_keys({vitalwire::bytes(variable("VITALWIRE_WEBHOOK_KEY"))});
  verifier.verify(body, variable("HTTP_X_BODY_SIGNATURE"));
  return process_once(body);
} catch (const vitalwire::error &error) {
  return std::cerr << error.what() << '\n', status_of(error.code());
}

// A CGI program that receives webhooks: the body on standard input, its length and signature in the environment. For each body, it keeps a
// file in the folder "received". Only the web server may have access to this folder.
int main() {
  const int status = receive();  // the service resends the body until it receives 200
  std::cout << "Status: " << status << "\r\nContent-Type: text/plain\r\n\r\n";
}
