#include <iostream>
#include <string>
#include "vitalwire.hpp"

using namespace std::chrono_literals;

// Settings for production, and a callback for metrics.
int main() try {
  const auto client = vitalwire::client_builder::from_env()
                          .user_agent("my-server/1.0")
                          .connect_timeout(5s)
                          .timeout(20s)
                          .max_retries(4)
                          .retry_max_delay(2s)
                          .max_connections(16)
                          .on_attempt([](const vitalwire::attempt &attempt) {
                            // Send these fields to your metrics. None of them contains health data or a token.
                            const auto outcome = attempt.status ? std::to_string(*attempt.status) : "no response";
                            std::cout << attempt.operation << ", attempt " << attempt.number << ": " << outcome << '\n';
                          })
                          .build();
  vitalwire::response_metadata metadata;
  // The sandbox fails the first attempt of this call. Other services ignore the header.
  const auto options = vitalwire::call_options().header("x-sandbox-fault", "status; status=503; times=1").response_metadata(metadata);
  const auto user = client.user().info(options);
  if (const auto response = metadata.read())
    std::cout << user.integrated_providers().size() << " providers after " << response->attempts << " attempts\n";
  client.close();  // rejects new calls; those in flight complete
} catch (const vitalwire::error &error) {
  return std::cerr << error.what() << '\n', 1;
}
