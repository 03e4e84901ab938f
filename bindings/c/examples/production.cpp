#include <iostream>
#include "vitalwire.hpp"

using namespace std::chrono_literals;

// Settings for production, and a callback for metrics.
int main() try {
  const auto client = vitalwire::client_builder::from_env()
                          .user_agent("my-server/1.0")
                          .connect_timeout(5s)
                          .timeout(20s)
                          .max_retries(4)
                          .max_connections(16)
                          .on_attempt([](const vitalwire::attempt &attempt) {
                            // Send these fields to your metrics. None of them contains health data or a token.
                            std::cout << attempt.operation << ", attempt " << attempt.number << ": " << attempt.status.value_or(0) << '\n';
                          })
                          .build();
  const auto user = client.user().info();
  std::cout << user.application_user_id().value_or("?") << '\n';
  client.close();  // rejects new calls; those in flight complete
} catch (const vitalwire::error &error) {
  return std::cerr << error.what() << '\n', 1;
}
