// Tests of errors that are returned instead of thrown. Compiled into a program whose other files use exceptions, and without exceptions.
#ifdef __cpp_exceptions
#define VITALWIRE_RESULTS
#endif
#include "check.hpp"
#include "vitalwire.hpp"

#include <atomic>
#include <thread>

using namespace std::chrono_literals;

static const char person[] = R"({"uid":"u-1"})";
static const char days[] = R"({"from_date":"2025-11-01","to_date":"2025-11-03","statistics":[]})";
static const char record[] =
    R"({"record_id":"r-1","status":"completed","uploaded_at":"2025-11-21T12:00:00Z","modified_at":"2025-11-21T12:00:01Z","consumed_at":"2025-11-21T12:00:00Z"})";

// Creates a client with mock responses. The second response to get_user_info is an error.
static vitalwire::result<vitalwire::client> mock_client() {
  vitalwire::mock_responses responses;
  CHECK(responses.add("get_user_info", person) && responses.add("get_user_info", "", 404) && responses.add("delete_nutrition_record", "", 204));
  CHECK(responses.add("get_nutrition_record", record) && responses.add("daily_statistics", days));
  return vitalwire::client_builder().mock_responses(responses).build();
}

static void futures() {
  const auto client = mock_client();
  if (!CHECK(client.has_value())) return;
  auto info = client->user().info_async().future().get();
  CHECK(info && (*info).uid() == "u-1");
  const auto missing = client->user().info_async().future().get();
  CHECK(!missing && missing.failure().code() == vitalwire::code::not_found);
  CHECK(client->nutrition_records().delete_async("r-1").future().get().has_value());
  // The first use consumes the call.
  auto call = client->nutrition_records().get_async("r-1");
  const auto once = std::move(call).future().get(), twice = std::move(call).future().get();
  CHECK(once && !twice && twice.failure().code() == vitalwire::code::invalid_argument && !std::move(call).then([](const auto &) {}));
  const auto refused = client->sleeps().get_async("\xff").future().get();
  CHECK(!refused && refused.failure().argument() == "sleep_id");
  std::atomic<std::uint32_t> polls{0};
  auto options = vitalwire::wait_options().on_progress([&](const vitalwire::wait_progress &progress) { polls = progress.polls; });
  const auto waited = client->nutrition_records().wait_for_async("r-1", options).future().get();
  CHECK(waited && (*waited).record_id() == "r-1" && polls == 1);
}

static void functions() {
  const auto client = mock_client();
  if (!CHECK(client.has_value())) return;
  std::promise<bool> said;
  const auto call = client->user().info_async().then([&](const auto &info) { said.set_value(info && info->uid() == "u-1"); });
  CHECK(call.has_value() && said.get_future().get() && call->wait_for(15s));
  const auto refused = client->sleeps().get_async("\xff").then([](const auto &) { CHECK(false); });
  CHECK(!refused && refused.failure().argument() == "sleep_id");
  CHECK(vitalwire::shutdown());
}

// Tests ranges and tables, blocking and asynchronous.
static void ranges() {
  const auto client = mock_client();
  if (!CHECK(client.has_value())) return;
  const auto params = vitalwire::statistics_daily_params({2025, 11, 1}, {2025, 11, 10}).types({"steps"});
  const auto range = client->statistics().daily_range(params, vitalwire::range_options().part_days(3));
  if (!CHECK(range.has_value())) return;
  const auto whole = range->collect_async().future().get();
  CHECK(whole && (*whole).parts().size() == 4);
  const auto parts = range->read();
  CHECK(parts && parts->next() && parts->next_async().future().get());
  const auto merged = whole->merge(*whole);
  CHECK(merged && !vitalwire::resume_token::parse("no token"));
  const auto table = client->statistics().daily_table(params);
  CHECK(table && table->rows() == 0);
  auto stream = table->stream();
  auto array = table->array();
  if (CHECK(stream && array)) {
    stream->release(&*stream);
    array->first.release(&array->first);
    array->second.release(&array->second);
  }
  CHECK(range->table() && range->table_async().future().get() && client->statistics().daily_table_async(params).future().get());
  const auto refused = range->table_async("no_table").future().get();
  CHECK(!refused && refused.failure().argument() == "table" && !range->table("no_table"));
}

// Tests token providers and observers.
static void providers() {
  vitalwire::mock_responses responses;
  CHECK(responses.add("get_user_info", person).has_value());
  std::atomic<int> asked{0}, seen{0};
  const auto client = vitalwire::client_builder()
                          .mock_responses(responses)
                          .token_provider([&](vitalwire::refresh_reason) {
                            ++asked;
                            return vitalwire::token("a-token", 60s);
                          })
                          .on_attempt([&](const vitalwire::attempt &attempt) { seen += attempt.status == 200; })
                          .build();
  CHECK(client && client->user().info() && asked == 1 && seen == 1);
  CHECK(!vitalwire::mock_responses::from_folder("no-such-folder") && !vitalwire::lab_reports_upload_params::from_file("no-such-file"));
}

#ifdef __cpp_impl_coroutine
struct fire {
  struct promise_type {
    fire get_return_object() noexcept { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { CHECK(false); }
  };
};

static fire two(const vitalwire::client &client, std::promise<bool> &said) {
  const auto info = co_await client.user().info_async();
  const auto missing = co_await client.user().info_async();
  const auto removed = co_await client.nutrition_records().delete_async("r-1");
  const auto refused = co_await client.sleeps().get_async("\xff");
  said.set_value(info && info->uid() == "u-1" && !missing && missing.failure().status() == 404 && removed && !refused);
}

static void coroutines() {
  const auto client = mock_client();
  if (!CHECK(client.has_value())) return;
  std::promise<bool> said;
  two(*client, said);
  CHECK(said.get_future().get());
  CHECK(vitalwire::shutdown());
}
#endif

void case_results() {
  vitalwire::mock_responses responses;
  CHECK(responses.add("get_user_info", R"({"uid":"u-1"})").has_value());
  CHECK(responses.add("get_user_info", "", 404).has_value());
  auto client = vitalwire::client_builder().mock_responses(responses).build();
  if (!CHECK(client.has_value())) return;
  auto user = client->user().info();
  CHECK(user && user->uid() == "u-1");
  const auto missing = client->user().info();
  CHECK(!missing && missing.failure().code() == vitalwire::code::not_found && missing.failure().status() == 404);
  const auto verifier = vitalwire::webhook_verifier::with_keys({"a-webhook-key-of-yours"});
  CHECK(verifier && !verifier->verify("[]", "00") && verifier->verify("[]", vitalwire::webhook::sign("[]", "a-webhook-key-of-yours")));
  const auto parts = client->statistics().daily_range(
      vitalwire::statistics_daily_params({2025, 11, 1}, {2025, 11, 2}).types({"steps"}));
  CHECK(parts && !(*parts).collect() && (*parts).read().has_value());
  CHECK(!vitalwire::client_builder().base_url("no url").build());
  futures();
  functions();
  ranges();
  providers();
#ifdef __cpp_impl_coroutine
  coroutines();
#endif
}
