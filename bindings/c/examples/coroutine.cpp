#include <coroutine>
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

task day(const vitalwire::client &client, bool &over) {
  try {
    const auto user = co_await client.user().info_async();
    const vitalwire::date date(2025, 11, 20);
    const auto params = vitalwire::statistics_daily_params(date, date).types({"steps"});
    const auto days = co_await client.statistics().daily_async(params);
    for (const auto bucket : days.statistics())
      if (const auto steps = bucket.values()->steps())
        std::cout << user.application_user_id().value_or("?") << ' ' << *steps << " steps\n";
  } catch (const vitalwire::error &error) {
    std::cerr << error.what() << '\n';
  }
  over = true;
}

int main() {
  const auto client = vitalwire::client::from_env();
  pollfd ready{client.descriptor(), POLLIN, 0};  // from here on, coroutines resume in dispatch
  bool over = false;
  day(client, over);
  while (!over)
    if (poll(&ready, 1, -1) > 0) client.dispatch();
}
