#undef NDEBUG
#include <cassert>
#include <iostream>
#include "vitalwire.hpp"

// The function under test: the number of days of a week with at least 8000 steps.
static int active_days(const vitalwire::client &client, const vitalwire::call_options &options = {}) {
  const auto week = vitalwire::statistics_daily_params({2025, 11, 14}, {2025, 11, 20}).types({"steps"});
  const auto days = client.statistics().daily(week, options);
  int count = 0;
  for (const auto bucket : days.statistics()) {
    const auto values = bucket.values();
    count += values && values->steps().value_or(0) >= 8000;
  }
  return count;
}

// The first attempt fails, and the client retries without a delay. A day without steps is not active.
static void test_with_mock_responses() {
  const vitalwire::mock_responses responses;
  responses.add("daily_statistics", {}, 503);
  responses.add("daily_statistics", R"({"from_date": "2025-11-14", "to_date": "2025-11-20", "statistics": [
      {"date": "2025-11-14", "values": {"steps": 8000}}, {"date": "2025-11-15", "values": {}}]})");
  const auto client = vitalwire::client_builder().mock_responses(responses).build();
  assert(active_days(client) == 1);
}

// Needs a sandbox: VITALWIRE_BASE_URL and VITALWIRE_TOKEN. The header plays a failure of the service.
static void test_with_sandbox() {
  const auto client = vitalwire::client::from_env();
  assert(active_days(client) == 2);
  try {
    active_days(client, vitalwire::call_options().header("x-sandbox-fault", "status; status=500").max_retries(0));
    assert(false);
  } catch (const vitalwire::error &error) {
    assert(error.code() == vitalwire::code::service && error.is_transient());
  }
}

int main() {
  test_with_mock_responses();
  test_with_sandbox();
  std::cout << "2 tests passed\n";
}
