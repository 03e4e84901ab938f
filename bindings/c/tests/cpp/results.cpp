// Errors that are returned, in a program whose other files have them thrown.
#define VITALWIRE_RESULTS
#include "check.hpp"
#include "vitalwire.hpp"

void case_results() {
  vitalwire::answers answers;
  CHECK(answers.add("get_user_info", R"({"uid":"u-1"})").has_value());
  CHECK(answers.add("get_user_info", "", 404).has_value());
  auto client = vitalwire::client_builder().answers(answers).build();
  if (!CHECK(client.has_value())) return;
  auto user = client->user().info();
  CHECK(user && user->uid() == "u-1");
  const auto missing = client->user().info();
  CHECK(!missing && missing.failure().code() == vitalwire::code::not_found && missing.failure().status() == 404);
  const auto verifier = vitalwire::webhook_verifier::with_keys({"key"});
  CHECK(verifier && !verifier->verify("[]", "00") && verifier->verify("[]", vitalwire::webhook::sign("[]", "key")));
  const auto parts = client->statistics().daily_range(
      vitalwire::statistics_daily_params({2025, 11, 1}, {2025, 11, 2}).types({"steps"}));
  CHECK(parts && !(*parts).collect() && (*parts).read().has_value());
  CHECK(!vitalwire::client_builder().base_url("no url").build());
}
