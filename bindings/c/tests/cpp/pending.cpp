// Tests of asynchronous calls: callbacks, futures, coroutines, and an event loop.
#include "check.hpp"
#include "vitalwire.hpp"

#if defined(_WIN32)
#include <winsock2.h>
#define poll WSAPoll
#else
#include <poll.h>
#endif

#include <atomic>
#include <stdexcept>
#include <thread>

using namespace std::chrono_literals;

static const char user[] = R"({"uid":"u-1"})";
static const char days[] = R"({"from_date":"2025-11-01","to_date":"2025-11-03","statistics":[]})";
static const char record[] =
    R"({"record_id":"r-1","status":"completed","uploaded_at":"2025-11-21T12:00:00Z","modified_at":"2025-11-21T12:00:01Z","consumed_at":"2025-11-21T12:00:00Z"})";

// Returns the error that a future throws.
template <class Future>
static vitalwire::error thrown(Future future) {
  try {
    future.get();
  } catch (const vitalwire::error &error) {
    return error;
  }
  throw std::logic_error("nothing was thrown");
}

static vitalwire::client mock_client(const vitalwire::mock_responses &responses) { return vitalwire::client_builder().mock_responses(responses).build(); }

static void futures() {
  vitalwire::mock_responses responses;
  responses.add("get_user_info", user);
  responses.add("get_user_info", "", 404);
  responses.add("delete_nutrition_record", "", 204);
  responses.add("get_nutrition_record", record);
  const auto client = mock_client(responses);
  auto first = client.user().info_async().future();
  CHECK(first.wait_for(15s) == std::future_status::ready && first.get().uid() == "u-1");
  const auto error = thrown(client.user().info_async().future());
  CHECK(error.code() == vitalwire::code::not_found && error.operation() == "get_user_info");
  // A call without a response body, and a wait.
  client.nutrition_records().delete_async("r-1").future().get();
  std::atomic<std::uint32_t> polls{0};
  {
    // The call keeps the observer although the options are replaced.
    auto wait = vitalwire::wait_options().on_progress([&](const vitalwire::wait_progress &progress) { polls = progress.polls; });
    auto waited = client.nutrition_records().wait_for_async("r-1", wait).future();
    wait = {};
    CHECK(waited.get().record_id() == "r-1" && polls == 1);
  }
  // The future also throws an error that occurs before the call is started.
  CHECK(thrown(client.sleeps().get_async("\xff").future()).argument() == "sleep_id");
}

static void functions() {
  vitalwire::mock_responses responses;
  responses.add("get_user_info", user, 200, 50ms);
  responses.add("get_user_info", user, 200, 60s);
  const auto client = mock_client(responses);
  std::promise<std::string> said;
  // A move-only callback, and a call whose handle is discarded.
  client.user().info_async().then([&said, mine = std::make_unique<int>(7)](auto info) {
    said.set_value(info ? std::string(info->uid().value_or("")) + std::to_string(*mine) : "failed");
  });
  CHECK(said.get_future().get() == "u-17");
  std::promise<vitalwire::code> ended;
  const auto kept = std::make_shared<int>(0);
  const auto call = client.user().info_async().then([&ended, kept](const auto &info) { ended.set_value(info.failure().code()); });
  CHECK(!call.wait_for(10ms) && kept.use_count() == 2);
  call.cancel();
  CHECK(ended.get_future().get() == vitalwire::code::cancelled && call.wait_for(15s));
  CHECK(vitalwire::shutdown() && kept.use_count() == 1);
  bool refused = false;
  try {
    client.sleeps().get_async("\xff").then([](const auto &) { CHECK(false); });
  } catch (const vitalwire::error &error) {
    refused = error.argument() == "sleep_id";
  }
  CHECK(refused);
}

// Waits until the descriptor of a client is readable, and dispatches on this thread.
static void dispatch(const vitalwire::client &client) {
  pollfd ready{client.descriptor(), POLLIN, 0};
  CHECK(poll(&ready, 1, 15000) == 1 && client.dispatch() > 0);
}

static void loop() {
  vitalwire::mock_responses responses;
  responses.add("get_user_info", user);
  responses.add("daily_statistics", days);
  const auto client = mock_client(responses);
  // Cast, because the descriptor is unsigned on Windows. There, all bits of an invalid descriptor are set.
  CHECK(static_cast<int>(client.descriptor()) >= 0 && client.dispatch() == 0);
  const auto here = std::this_thread::get_id();
  int ended = 0;
  for (int at = 0; at < 100; ++at) {
    client.user().info_async().then([&](const auto &info) { ended += info.has_value() && std::this_thread::get_id() == here; });
  }
  while (ended < 100) dispatch(client);
  // A future becomes ready in a dispatch.
  auto future = client.user().info_async().future();
  while (future.wait_for(0s) != std::future_status::ready) dispatch(client);
  CHECK(future.get().uid() == "u-1");

  const auto range = client.statistics().daily_range(vitalwire::statistics_daily_params({2025, 11, 1}, {2025, 11, 10}).types({"steps"}),
                                                     vitalwire::range_options().part_days(3));
  const auto parts = range.read();
  std::uint32_t read = 0;
  for (bool over = false; !over;) {
    bool there = false;
    parts.next_async().then([&](auto part) {
      there = true;
      over = !CHECK(part.has_value()) || !*part;
      if (!over) CHECK((*part)->index() == read++ && (*part)->response());
    });
    while (!there) dispatch(client);
  }
  CHECK(read == 4);
  std::atomic<int> report_count{0};
  bool collected = false;
  range.collect_async([&](const auto &) { ++report_count; }).then([&](const auto &all) {
    collected = true;
    CHECK(all.has_value() && all->parts().size() == 4 && report_count == 4);
  });
  while (!collected) dispatch(client);
}

// Returns whether a future throws broken_promise.
template <class Future>
static bool is_broken(Future future) {
  if (future.wait_for(15s) != std::future_status::ready) return false;
  try {
    future.get();
  } catch (const std::future_error &error) {
    return error.code() == std::future_errc::broken_promise;
  }
  return false;
}

// Destroys a client before its calls were dispatched: one call that has ended, and two in flight. Their callbacks are destroyed.
static void undispatched() {
  vitalwire::mock_responses responses;
  responses.add("get_user_info", user);
  responses.add("get_user_info", user, 200, 200ms);
  const auto kept = std::make_shared<int>(0);
  auto client = std::make_unique<vitalwire::client>(mock_client(responses));
  pollfd ready{client->descriptor(), POLLIN, 0};
  auto first = client->user().info_async().future();
  CHECK(poll(&ready, 1, 15000) == 1);
  auto second = client->user().info_async().future();
  const auto call = client->user().info_async().then([kept](const auto &) { CHECK(false); });
  CHECK(first.wait_for(0s) == std::future_status::timeout && kept.use_count() == 2);
  client.reset();
  CHECK(is_broken(std::move(first)) && is_broken(std::move(second)) && call.wait_for(15s));
  // `wait_for` may return before the library has destroyed the callback.
  for (int left = 1500; left > 0 && kept.use_count() > 1; --left) std::this_thread::sleep_for(10ms);
  CHECK(kept.use_count() == 1);
  CHECK(vitalwire::shutdown());
}

// Returns the number of rows of a table, read from its Arrow stream, and releases the stream.
static std::int64_t rows(const vitalwire::table &table) {
  ArrowArrayStream stream = table.stream();
  ArrowArray array{};
  CHECK(stream.get_next(&stream, &array) == 0 && array.release != nullptr);
  const std::int64_t count = array.length;
  array.release(&array);
  stream.release(&stream);
  auto [whole, schema] = table.array();
  CHECK(whole.length == count && std::string(schema.format) == "+s");
  whole.release(&whole);
  schema.release(&schema);
  return count;
}

static void tables() {
  const auto client = vitalwire::client::from_env();
  const auto november = vitalwire::statistics_daily_params({2025, 11, 18}, {2025, 11, 20}).types({"steps"});
  const auto table = client.statistics().daily_table(november);
  CHECK(table.name() == VITALWIRE_TABLE_DAILY_STATISTICS && table.rows() == 3 && !table.resume_token() && rows(table) == 3);
  CHECK(rows(client.statistics().daily_table_async(november, VITALWIRE_TABLE_DAILY_STATISTICS).future().get()) == 3);
  CHECK(rows(client.statistics().daily_range(november, vitalwire::range_options().part_days(1)).table()) == 3);
  CHECK(thrown(client.statistics().daily_table_async(november, "no_table").future()).argument() == "table");
  const auto range = client.statistics().daily_range(november, vitalwire::range_options().part_days(1));
  std::atomic<std::uint32_t> report_count{0};
  CHECK(rows(range.table_async({}, [&](const auto &progress) { report_count = progress.done; }).future().get()) == 3 && report_count == 3);
  CHECK(rows(range.table_async(VITALWIRE_TABLE_DAILY_STATISTICS).future().get()) == 3);
  CHECK(thrown(range.table_async("no_table").future()).argument() == "table");
  CHECK(table.skipped_count() == 0 && table.skipped_by_column().empty());
}

// The response has a day that is null, and steps that are text: one skipped item and one skipped value.
static void skipped() {
  vitalwire::mock_responses responses;
  responses.add("daily_statistics", R"({"from_date":"2025-11-18","to_date":"2025-11-20","statistics":[
    {"date":"2025-11-18","values":{"steps":100}},null,{"date":"2025-11-20","values":{"steps":"canary"}}]})");
  responses.add("daily_statistics", R"({"from_date":"2025-11-21","to_date":"2025-11-21","statistics":[null]})");
  const auto client = mock_client(responses);
  const auto table = client.statistics().daily_table(vitalwire::statistics_daily_params({2025, 11, 18}, {2025, 11, 20}).types({"steps"}));
  const std::map<std::string, std::uint64_t> counts{{"statistics", 1}, {"steps", 1}};
  CHECK(table.rows() == 2 && table.skipped_count() == 2 && table.skipped_by_column() == counts);
  // The last mock response is repeated, so each of the three parts skips one item.
  const auto range = client.statistics().daily_range(vitalwire::statistics_daily_params({2025, 11, 21}, {2025, 11, 23}).types({"steps"}),
                                                     vitalwire::range_options().part_days(1));
  const std::map<std::string, std::uint64_t> items{{"statistics", 3}};
  CHECK(range.table().skipped_by_column() == items);
}

// Waits until the library has released its copies of an object.
static bool is_alone(const std::shared_ptr<int> &kept) {
  for (int left = 1500; left > 0 && kept.use_count() > 1; --left) std::this_thread::sleep_for(10ms);
  return kept.use_count() == 1;
}

// Calls of temporary ranges: the calls keep the ranges alive, and their observers are destroyed afterwards.
static void temporaries() {
  vitalwire::mock_responses responses;
  responses.add("daily_statistics", days);
  const auto client = mock_client(responses);
  const auto range = [&] {
    return client.statistics().daily_range(vitalwire::statistics_daily_params({2025, 11, 1}, {2025, 11, 10}).types({"steps"}),
                                           vitalwire::range_options().part_days(3));
  };
  const auto kept = std::make_shared<int>(0);
  std::atomic<int> report_count{0};
  {
    auto collecting = range().collect_async([&report_count, kept](const auto &) { ++report_count; });
    auto table = range().table_async({}, [&report_count, kept](const auto &) { ++report_count; });
    auto reading = range().read().next_async();
    const auto all = std::move(collecting).future().get();
    CHECK(all.parts().size() == 4 && report_count == 4);
    CHECK(std::move(table).future().get().rows() == 0 && report_count == 8);
    const auto part = std::move(reading).future().get();
    CHECK(part && part->index() == 0 && part->response());
    // A call that is never started.
    const auto unused = range().collect_async([kept](const auto &) {});
  }
  CHECK(is_alone(kept));
  // The observer of a rejected call is destroyed, too.
  CHECK(thrown(range().table_async("no_table", [kept](const auto &) {}).future()).argument() == "table");
  CHECK(is_alone(kept));
}

// A consumed call is rejected without a second request, and its callback is destroyed.
static void consumed() {
  vitalwire::mock_responses responses;
  responses.add("get_user_info", user);
  const auto client = mock_client(responses);
  auto call = client.user().info_async();
  CHECK(std::move(call).future().get().uid() == "u-1");
  const auto kept = std::make_shared<int>(0);
  bool refused = false;
  try {
    std::move(call).then([kept](const auto &) { CHECK(false); });
  } catch (const vitalwire::error &error) {
    refused = error.code() == vitalwire::code::invalid_argument && error.argument() == "call";
  }
  CHECK(refused && kept.use_count() == 1);
  CHECK(thrown(std::move(call).future()).code() == vitalwire::code::invalid_argument);
  const std::string requested = responses.requests();
  CHECK(requested.find("get_user_info") != std::string::npos && requested.find("get_user_info") == requested.rfind("get_user_info"));
}

#ifdef __cpp_impl_coroutine
// The return type of a coroutine that nobody awaits. The coroutine reports its end through a promise.
struct fire {
  struct promise_type {
    fire get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { CHECK(false); }
  };
};

static fire three(const vitalwire::client &client, std::promise<std::string> &said) {
  const auto info = co_await client.user().info_async();
  co_await client.nutrition_records().delete_async("r-1");
  std::string text(info.uid().value_or(""));
  try {
    co_await client.user().info_async();
  } catch (const vitalwire::error &error) {
    text += error.code() == vitalwire::code::not_found ? " not found" : " ?";
  }
  try {
    co_await client.sleeps().get_async("\xff");
  } catch (const vitalwire::error &error) {
    text += " " + std::string(error.argument().value_or("?"));
  }
  said.set_value(text);
}

static void coroutines() {
  for (const bool looping : {false, true}) {
    vitalwire::mock_responses responses;
    responses.add("get_user_info", user);
    responses.add("get_user_info", "", 404);
    responses.add("delete_nutrition_record", "", 204);
    const auto client = mock_client(responses);
    std::promise<std::string> said;
    auto future = said.get_future();
    if (looping) client.dispatch();
    three(client, said);
    while (looping && future.wait_for(0s) != std::future_status::ready) dispatch(client);
    CHECK(future.get() == "u-1 not found sleep_id");
    CHECK(vitalwire::shutdown());
  }
}
#endif

void case_pending() {
  futures();
  functions();
  loop();
  undispatched();
  temporaries();
  consumed();
  tables();
  skipped();
#ifdef __cpp_impl_coroutine
  coroutines();
#endif
}
