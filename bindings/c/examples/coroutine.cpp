#include <coroutine>
#include <cstdlib>
#include <iostream>
#include <poll.h>
#include "vitalwire.hpp"

// The return type of your program's coroutines. Use the task type of your library; this one is minimal.
struct task {
  struct promise_type {
    task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

task night(const vitalwire::client &client, bool &over) {
  try {
    const auto user = co_await client.user().info_async();
    const auto slept = co_await client.sleeps().get_async(std::getenv("VITALWIRE_SLEEP_ID"));
    std::cout << user.application_user_id().value_or("?") << " slept "
              << slept.duration().value_or(std::chrono::minutes(0)) / std::chrono::minutes(1) << " min\n";
  } catch (const vitalwire::error &error) {
    std::cerr << error.what() << '\n';
  }
  over = true;
}

int main() {
  const auto client = vitalwire::client::from_env();
  pollfd ready{client.descriptor(), POLLIN, 0};  // from here on, coroutines resume in dispatch
  bool over = false;
  night(client, over);
  while (!over)
    if (poll(&ready, 1, -1) > 0) client.dispatch();
}
