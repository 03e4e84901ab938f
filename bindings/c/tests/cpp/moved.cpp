// Objects that were moved from can be destroyed, assigned and used.
#include "moved.hpp"

using namespace std::chrono_literals;

static const auto days = vitalwire::statistics_daily_params({2025, 11, 1}, {2025, 11, 3}).types({"steps"});

vitalwire::client make_client() { return vitalwire::client_builder().mock_responses(vitalwire::mock_responses::samples()).build(); }

// Outlives the objects that use it.
static const vitalwire::client &kept() {
  static const vitalwire::client client = make_client();
  return client;
}

vitalwire::error make_error() {
  try {
    vitalwire::client_builder().base_url("x").build();
  } catch (const vitalwire::error &error) {
    return error;
  }
  throw std::logic_error("nothing was thrown");
}

vitalwire::list<vitalwire::entry<double>, vitalwire_metrics, vitalwire_metrics_count, vitalwire_metrics_at> make_list() {
  return decltype(make_list())(nullptr);
}
vitalwire::owned<vitalwire::user_info> make_owned() { return kept().user().info(); }
vitalwire::pending<vitalwire::owned<vitalwire::user_info>> make_pending() { return kept().user().info_async(); }
vitalwire::range_part<vitalwire::daily_statistics, vitalwire_range_part_statistics_daily> make_range_part() {
  return decltype(make_range_part())(nullptr);
}
made_range_call make_range_call() { return kept().statistics().daily_range(days); }
vitalwire::owned<made_range_call::merged> make_merged_range() { return make_range_call().collect(); }
made_range_call::parts make_range_parts() { return make_range_call().read(); }
vitalwire::result<std::string> make_result() { return make_error(); }
vitalwire::started make_started() { return make_pending().then([](auto) {}); }
vitalwire::table make_table() { return kept().statistics().daily_table(days); }
vitalwire::webhook_verifier make_webhook_verifier() { return vitalwire::webhook_verifier::with_keys({vitalwire::bytes("a-webhook-key-of-yours")}); }

void case_moved() {
  // An exception keeps its text: a handler may have moved it.
  vitalwire::error error = make_error();
  const std::string message = error.what();
  CHECK(message.find("base_url") != std::string::npos);
  vitalwire::error moved_error = std::move(error);
  CHECK(error.what() == message && error.message() == message && moved_error.what() == message);
  CHECK(error.code() == vitalwire::code::configuration && error.argument() == "base_url");

  vitalwire::started started = make_started();
  const vitalwire::started moved_started = std::move(started);
  CHECK(started.wait_for(15s) && moved_started.wait_for(15s));

  // Not to any handle.
  vitalwire::client client = make_client();
  const vitalwire::client moved_client = std::move(client);
  CHECK(moved_client.user().info().uid().has_value());
  try {
    client.user().info();
    CHECK(false);
  } catch (const vitalwire::error &failure) {
    CHECK(failure.code() == vitalwire::code::invalid_argument);
  }
  move_each();
}
