// Ignores results of functions that can fail. A compiler must warn about each marked line.
#define VITALWIRE_RESULTS
#include "vitalwire.hpp"

int main() {
  const auto client = vitalwire::client::from_env();
  client->user().info();                                           // ignored
  client->user().info_async().then([](const auto &) {});           // ignored
  client->nutrition_records().delete_("r-1");                      // ignored
  vitalwire::mock_responses().add("get_user_info", "{}");                 // ignored
}
