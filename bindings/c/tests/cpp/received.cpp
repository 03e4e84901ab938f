// Tests of webhooks, consent redirects, and the signature of the token exchange.
#include "check.hpp"
#include "vitalwire.hpp"

#include <vector>

static const char body[] =
    R"([{"application_user_id":"person-1","timestamp":"2025-11-20T12:00:00Z","event_type":"sleep","metrics":["heartrate","hrv_rmssd"]}])";

template <class Call>
static bool fails(vitalwire::code code, Call call) {
  try {
    call();
  } catch (const vitalwire::error &error) {
    return error.code() == code;
  }
  return false;
}

static std::string copied(vitalwire::bytes of) { return {reinterpret_cast<const char *>(of.data()), of.size()}; }

static void char_arrays() {
  using namespace std::string_literals;
  CHECK(copied("text") == "text" && copied("").empty() && copied("a\0b") == "a\0b"s && copied("\0") == "\0"s);
  static const char document[] = {'%', 'P', 'D', 'F', '\n', 0, 1, 2};
  CHECK(copied(document) == "%PDF\n\0\1\2"s);
  // Two arrays without a terminating NUL, one after the other.
  static const char keys[2][4] = {{'k', 'e', 'y', '1'}, {'k', 'e', 'y', '2'}};
  CHECK(copied(keys[0]) == "key1" && copied(keys[1]) == "key2");
  // Only one NUL at the end is excluded.
  static const char padded[] = {'a', 0, 0};
  CHECK(copied(padded) == "a\0"s);
  char buffer[] = {'a', 0, 'b', 0};
  const unsigned char binary[] = {'a', 0, 'b', 0};
  CHECK(copied(buffer) == "a\0b\0"s && copied(binary) == "a\0b\0"s);
  const char *const text = document;
  char *const changeable = buffer;
  CHECK(copied(text) == "%PDF\n" && copied(changeable) == "a");
  CHECK(copied(std::string_view(padded, 3)) == "a\0\0"s && copied({padded, 3}) == "a\0\0"s);
  const vitalwire::bytes none;
  CHECK(copied(std::string(document, 8)) == copied(document) && none.data() == nullptr && none.size() == 0);
}

void case_received() {
  char_arrays();
  const std::string key = "a-webhook-key-of-yours";
  const auto verifier = vitalwire::webhook_verifier::with_keys({"another-webhook-key", key});
  const std::string signature = vitalwire::webhook::sign(body, key);
  verifier.verify(body, signature);
  const std::vector<std::string> keys = {key};
  vitalwire::webhook_verifier::with_keys(keys).verify(body, signature);
  CHECK(fails(vitalwire::code::signature, [&] { verifier.verify("[]", signature); }));
  CHECK(fails(vitalwire::code::signature, [&] { verifier.verify(body, "00"); }));
  // Unsigned bodies: an empty signature header, and no signature header.
  CHECK(fails(vitalwire::code::signature, [&] { verifier.verify(body, ""); }));
  CHECK(fails(vitalwire::code::signature, [&] { verifier.verify(body, {}); }));
  CHECK(vitalwire::webhook::detect_kind(body) == VITALWIRE_WEBHOOK_EVENTS);
  const auto events = vitalwire::webhook::events(body);
  CHECK(events.size() == 1 && events[0].application_user_id() == "person-1" && events[0].event_type() == "sleep");
  std::vector<std::string> names;
  for (const auto event : events)
    for (const auto name : event.metrics()) names.emplace_back(name);
  CHECK(names == (std::vector<std::string>{"heartrate", "hrv_rmssd"}));
  CHECK(vitalwire::webhook::content_key(body).size() == 64);
  CHECK(vitalwire::webhook::content_key(body) == vitalwire::webhook::content_key(std::vector<char>(body, body + sizeof body - 1)));
  CHECK(fails(vitalwire::code::decode, [] { vitalwire::webhook::lab_report("{"); }));
  CHECK(fails(vitalwire::code::decode, [] { vitalwire::webhook::nutrition("{"); }));

  const std::string url = "https://app.example.org/done?user_id=u%201&provider_slug=garmin&state=s&tab=a&tab=b";
  const auto back = vitalwire::consent_redirect::parse(url, "s");
  CHECK(back.user_id == "u 1" && back.provider_slug == VITALWIRE_PROVIDER_SLUG_GARMIN && back.state == "s" && !back.failure);
  CHECK(back.extra.size() == 2 && back.extra[1].first == "tab" && back.extra[1].second == "b");
  CHECK(fails(vitalwire::code::signature, [&] { vitalwire::consent_redirect::parse(url, "another"); }));
  CHECK(vitalwire::consent_redirect::parse("?error=denied", std::nullopt).failure == "denied");
  // An empty text is not a missing one, even without data.
  for (const std::string_view empty : {std::string_view(""), std::string_view()}) {
    CHECK(fails(vitalwire::code::invalid_argument, [&] { vitalwire::consent_redirect::parse(url, empty); }));
  }

  CHECK(vitalwire::date(2025, 2, 3).text() == "2025-02-03" && vitalwire::date(-44, 3, 15).text() == "-0044-03-15");
  // printf %s user-1 | openssl dgst -sha256 -hmac an-application-key
  const char *const expected = "b6d21240a619a16353e8c662685627a2265f08c83c41770f287675104842d9b2";
  CHECK(vitalwire::sign_user_id("an-application-key", "user-1") == expected);
}
