// Uses that must not compile: each marked line is an error for the given reason. Without REJECTED, only the correct uses are compiled.
#include "vitalwire.hpp"

#ifdef REJECTED
void consume_twice(vitalwire::client &client) {
  auto call = client.user().info_async();
  call.then([](const auto &) {});  // rejected: discards qualifiers|rvalue
  call.future();                   // rejected: discards qualifiers|rvalue
  auto copy = call;                // rejected: deleted
}

void keep_views(vitalwire::client &client, const vitalwire::statistics_daily_params &params) {
  for (const auto stage : client.sleeps().get("id").stages()) stage.duration();               // rejected: deleted
  const auto days = client.statistics().daily(params).statistics();                           // rejected: deleted
  const auto samples = client.sleeps().get("id").samples();                                   // rejected: deleted
  const auto record = client.nutrition_records().list()[0];                                   // rejected: deleted
  const auto first = client.nutrition_records().list().begin();                               // rejected: deleted
  const auto last = client.nutrition_records().list().end();                                  // rejected: deleted
  const auto event = vitalwire::webhook::events("[]")[0];                                     // rejected: deleted
  const auto merged = client.statistics().daily_range(params).collect().response();           // rejected: deleted
  const auto failures = client.statistics().daily_range(params).collect().failures();         // rejected: deleted
  const auto parts = client.statistics().daily_range(params).collect().parts();               // rejected: deleted
  const auto part = (*client.statistics().daily_range(params).read().next()).response();      // rejected: deleted
  const auto failure = (*client.statistics().daily_range(params).read().next()).failure();    // rejected: deleted
  const auto next = client.statistics().daily_range(params).read().next()->response();          // rejected: deleted
  const auto later = client.statistics().daily_range(params).read().next_async().future().get()->response();  // rejected: deleted
  const auto name = client.statistics().daily_table(params).name();                           // rejected: deleted
  const auto token = client.statistics().daily_table(params).resume_token();                  // rejected: deleted
  const auto problem = vitalwire::error(nullptr).problem();                                   // rejected: deleted
  const auto report = vitalwire::error(nullptr).last_lab_report();                            // rejected: deleted
}

void keep_parts(vitalwire::client &client, const vitalwire::sync_params &params) {
  const auto changes = client.sync(params).read().next()->changes();     // rejected: deleted
  const auto state = (*client.sync(params).read().next()).state();       // rejected: deleted
  const auto days = client.sync(params).plan().days();                   // rejected: deleted
}
#endif

// Correct uses: views of a variable, and values and texts of a temporary.
void read(vitalwire::client &client, const vitalwire::statistics_daily_params &params) {
  client.user().info_async().then([](const auto &) {});
  auto call = client.user().info_async();
  std::move(call).then([](const auto &) {});
  const auto night = client.sleeps().get("id");
  for (const auto stage : night.stages()) stage.stage();
  for (const auto &record : client.nutrition_records().list()) record.ingredients();
  const auto records = client.nutrition_records().list();
  if (!records.empty()) records[0].record_id();
  if (client.nutrition_records().list().size() == 0) return;
  client.sleeps().get("id").duration();
  if (client.user().info().uid() == "id") return;
  client.sleeps().get("id").to_json();
  const auto merged = client.statistics().daily_range(params).collect();
  if (merged.response().statistics().empty() || client.statistics().daily_table(params).rows() == 0) return;
  const auto parts = client.statistics().daily_range(params).read();
  while (const auto part = parts.next()) part->response();
  if (auto part = parts.next(); part.has_value() && (*part).response()) return;
  if (vitalwire::error(nullptr).message().empty()) return;
}
