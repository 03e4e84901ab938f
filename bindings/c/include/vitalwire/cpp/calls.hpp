// Cancel tokens, response metadata and mock responses.

#ifndef VITALWIRE_CPP_CALLS_HPP
#define VITALWIRE_CPP_CALLS_HPP

#include <vector>

#include "results.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// A token that cancels calls from another thread. Copies share one token, which stays cancelled. Thread-safe.
class cancel_token {
 public:
  cancel_token() : of_(vitalwire_cancel_token_new(), vitalwire_cancel_token_free) {}
  /// Cancels all current and later calls with this token. Thread-safe and idempotent.
  void cancel() const noexcept { vitalwire_cancel_token_cancel(of_.get()); }
  const vitalwire_cancel_token *c() const noexcept { return of_.get(); }

 private:
  std::shared_ptr<vitalwire_cancel_token> of_;
};

/// A list item that could not be decoded and was skipped. The other items stay in the list.
struct skipped_item {
  /// Position of the item in the body, such as "stages[0]", "[1]" or "sections[0].results[2]".
  std::string json_path;
  /// Broken rule, such as "expected an object". For a nested value, its position follows: "expected a string, at status".
  std::string reason;
  /// JSON text of the item, as received. It contains health data.
  std::string json;
};

/// Metadata of a response.
struct response {
  std::uint16_t status;
  std::uint32_t attempts;
  std::chrono::milliseconds elapsed;
  std::optional<std::string> request_id;
  /// Body as received, if `keep_body` was set. It may contain health data.
  std::optional<std::string> body;
  /// The first 100 skipped list items.
  std::vector<skipped_item> skipped_items;
  /// Number of skipped list items. It may exceed the size of `skipped_items`.
  std::uint64_t skipped_count = 0;
};

namespace detail {

inline std::vector<skipped_item> skipped(const vitalwire_skipped_items *of) {
  std::vector<skipped_item> items;
  vitalwire_skipped_item item{};
  for (std::size_t index = 0; vitalwire_skipped_items_at(of, index, &item); ++index) {
    items.push_back({std::string(text(item.json_path)), std::string(text(item.reason)), std::string(text(item.json))});
  }
  return items;
}

}  // namespace detail

/// A slot that receives the metadata of the last response. Use one slot for each thread.
class response_metadata {
 public:
  response_metadata() : of_(vitalwire_response_metadata_new(), vitalwire_response_metadata_free) {}
  /// Returns the metadata of the last response; nullopt if no call has ended or the last call failed.
  std::optional<response> read() const {
    vitalwire_response of{};
    if (!vitalwire_response_metadata_read(of_.get(), &of)) return std::nullopt;
    const auto text = [](vitalwire_str view) {
      return view.data == nullptr ? std::nullopt : std::optional<std::string>(detail::text(view));
    };
    const auto elapsed = std::chrono::milliseconds(static_cast<std::int64_t>(of.elapsed_ms));
    const vitalwire_skipped_items *skipped = vitalwire_response_metadata_skipped_items(of_.get());
    return response{of.status,     of.attempts,     elapsed, text(of.request_id), text(of.body), detail::skipped(skipped),
                    vitalwire_skipped_items_total(skipped)};
  }
  const vitalwire_response_metadata *c() const noexcept { return of_.get(); }

 private:
  std::shared_ptr<vitalwire_response_metadata> of_;
};

/// Mock responses for a client, by operation. Each attempt takes the next response of its operation; the last response repeats. Copies
/// share one set.
class mock_responses {
 public:
  mock_responses() : mock_responses(vitalwire_mock_responses_new()) {}
  /// Creates a set with a synthetic response to every operation.
  static mock_responses samples() { return mock_responses(vitalwire_mock_responses_samples()); }
  /// Reads the exchanges that `vitalwire record` wrote into a folder.
  static call_result<mock_responses> from_folder(std::string_view folder) {
    vitalwire_mock_responses *out = nullptr;
    vitalwire_error *error = nullptr;
    const vitalwire_code code = vitalwire_mock_responses_from_folder(detail::to_c(folder), &out, &error);
    if (code != VITALWIRE_OK) return detail::fail<mock_responses>(error);
    return mock_responses(out);
  }
  /// Adds a response to an operation, such as "get_sleep". Status 0 simulates a connection failure.
  call_result<void> add(std::string_view operation, bytes body, std::uint16_t status = 200, std::chrono::milliseconds delay = {}) const {
    vitalwire_error *error = nullptr;
    const vitalwire_code code = vitalwire_mock_responses_add(of_.get(), detail::to_c(operation), status, body.data(), body.size(),
                                                      detail::to_c(delay), &error);
    return detail::check(code, error);
  }
  /// Returns the requests so far, as a JSON list.
  std::string requests() const { return detail::json(vitalwire_mock_responses_requests(of_.get())); }
  const vitalwire_mock_responses *c() const noexcept { return of_.get(); }

 private:
  explicit mock_responses(vitalwire_mock_responses *of) : of_(of, vitalwire_mock_responses_free) {}

  std::shared_ptr<vitalwire_mock_responses> of_;
};

}  // namespace VITALWIRE_ERRORS
}  // namespace vitalwire

#endif
