#include <functional>
#include <iostream>
#include "vitalwire.hpp"

// Makes a call, and decides what to do if it fails.
static void attempt(const std::function<void()> &call) try {
  call();
} catch (const vitalwire::error &error) {
  std::cout << static_cast<int>(error.code()) << ' ' << error.kind() << ": ";
  if (error.may_have_taken_effect()) {
    std::cout << "look for the record before you send it again\n";
  } else if (error.code() == vitalwire::code::not_found) {
    std::cout << "there is no such record\n";
  } else if (error.is_transient()) {
    // The client has retried if that was safe. Without Retry-After, wait a minute.
    const auto delay = error.retry_after().value_or(std::chrono::minutes(1));
    std::cout << "try again in " << delay / std::chrono::seconds(1) << " s\n";
  } else {
    std::cout << "correct the request:";
    if (const auto problem = error.problem())
      for (const auto field : problem->errors()) std::cout << ' ' << field.location().value_or("?");
    std::cout << '\n';
  }
}

// Makes the sandbox play a failure. Other services ignore the header.
static vitalwire::call_options play(std::string_view fault) { return vitalwire::call_options().header("x-sandbox-fault", fault); }

int main() try {
  const auto client = vitalwire::client::from_env();
  const vitalwire::date first(2025, 11, 14), last(2025, 11, 20);
  attempt([&] { client.sleeps().get("00000000-0000-4000-8000-000000000000"); });
  attempt([&] { client.statistics().daily(vitalwire::statistics_daily_params(first, last).types({"sleepiness"})); });
  attempt([&] { client.user().info(play("status; status=503; retry_after=120")); });
  attempt([&] { client.lab_reports().upload({"Glucose 92 mg/dL", "report.txt"}, play("reset_after")); });
} catch (const vitalwire::error &error) {
  return std::cerr << error.what() << '\n', 1;
}
