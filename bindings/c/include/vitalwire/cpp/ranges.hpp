// Ranges that are requested in parts and either merged or read part by part.

#ifndef VITALWIRE_CPP_RANGES_HPP
#define VITALWIRE_CPP_RANGES_HPP

#include <functional>

#include "calls.hpp"
#include "pending.hpp"
#include "range_options.hpp"
#include "tables.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// Progress of a range. Parts of an earlier run are not counted.
struct range_progress {
  std::uint32_t done;
  std::uint32_t total;
  std::uint64_t items;
};

/// Called after each part of a range. If the callback throws, the program terminates.
using range_observer = std::function<void(const range_progress &)>;

namespace detail {

/// Returns the bounds that a C function writes; nullopt if there are none.
template <class T, class Read, class Of>
std::optional<std::pair<T, T>> ends_if(Read read, const Of *of) noexcept {
  typename c_conversion<T>::c_type first{}, last{};
  if (!read(of, &first, &last)) return std::nullopt;
  return std::pair<T, T>(c_conversion<T>::from(first), c_conversion<T>::from(last));
}

}  // namespace detail

/// A view of one part of a range: its response or its error.
template <class View, auto Response>
class range_part {
 public:
  using c_type = vitalwire_range_part;

  explicit range_part(const vitalwire_range_part *of) noexcept : of_(of) {}

  std::uint32_t index() const noexcept { return vitalwire_range_part_index(of_); }
  /// First and last day of the part, in a range of dates.
  std::optional<std::pair<vitalwire::date, vitalwire::date>> dates() const noexcept {
    return detail::ends_if<vitalwire::date>(vitalwire_range_part_dates, of_);
  }
  /// First instant of the part and the first one after it, in a range of instants.
  std::optional<std::pair<vitalwire::timestamp, vitalwire::timestamp>> instants() const noexcept {
    return detail::ends_if<vitalwire::timestamp>(vitalwire_range_part_instants, of_);
  }
  /// Number of items that were left out because the previous part contains them too.
  std::size_t duplicates() const noexcept { return vitalwire_range_part_duplicates(of_); }
  /// Error of the part, if failures are collected.
  std::optional<vitalwire::error_view> failure() const noexcept {
    const vitalwire_error *const error = vitalwire_range_part_failure(of_);
    return error == nullptr ? std::nullopt : std::optional<vitalwire::error_view>(error);
  }
  /// Response to the part; empty if the part failed.
  std::optional<View> response() const noexcept {
    const auto *const of = Response(of_);
    return of == nullptr ? std::nullopt : std::optional<View>(of);
  }

 protected:
  const vitalwire_range_part *of_;
};

/// Indexes of one part's items in the merged list.
class merged_part {
 public:
  using c_type = vitalwire_merged_part;

  explicit merged_part(const vitalwire_merged_part *of) noexcept : of_(of) {}

  std::uint32_t index() const noexcept { return vitalwire_merged_part_index(of_); }
  /// Index of the part's first item in the merged list.
  std::size_t start() const noexcept { return vitalwire_merged_part_start(of_); }
  /// Index after the part's last item in the merged list.
  std::size_t end() const noexcept { return vitalwire_merged_part_end(of_); }
  /// First and last day of the part, in a range of dates.
  std::optional<std::pair<vitalwire::date, vitalwire::date>> dates() const noexcept {
    return detail::ends_if<vitalwire::date>(vitalwire_merged_part_dates, of_);
  }
  /// First instant of the part and the first one after it, in a range of instants.
  std::optional<std::pair<vitalwire::timestamp, vitalwire::timestamp>> instants() const noexcept {
    return detail::ends_if<vitalwire::timestamp>(vitalwire_merged_part_instants, of_);
  }

 private:
  const vitalwire_merged_part *of_;
};

/// The merged responses to the parts of a range, and the parts that failed.
template <class View, auto PartResponse, auto Response>
class merged_range {
 public:
  using c_type = vitalwire_merged_range;
  using parts_list = vitalwire::list<vitalwire::merged_part, vitalwire_merged_range, vitalwire_merged_range_parts_count,
                                     vitalwire_merged_range_parts_at>;
  using failures_list = vitalwire::list<vitalwire::range_part<View, PartResponse>, vitalwire_merged_range,
                                        vitalwire_merged_range_failures_count, vitalwire_merged_range_failures_at>;

  explicit merged_range(const vitalwire_merged_range *of) noexcept : of_(of) {}

  View response() const noexcept { return View(Response(of_)); }
  /// Parts that were read, in order.
  parts_list parts() const noexcept { return parts_list(of_); }
  /// Parts that failed; empty unless failures are collected.
  failures_list failures() const noexcept { return failures_list(of_); }
  std::size_t duplicates() const noexcept { return vitalwire_merged_range_duplicates(of_); }
  /// The first 100 skipped list items, in the order of the parts.
  std::vector<skipped_item> skipped_items() const { return detail::skipped(vitalwire_merged_range_skipped_items(of_)); }
  /// Number of skipped list items.
  std::uint64_t skipped_count() const noexcept {
    return vitalwire_skipped_items_total(vitalwire_merged_range_skipped_items(of_));
  }
  /// Resume token for the missing parts; nullopt if no part is missing.
  std::optional<std::string> resume_token() const { return detail::json_if(vitalwire_merged_range_resume_token(of_)); }
  /// Merges this range with a later run of the same call.
  vitalwire::call_result<owned<merged_range>> merge(const merged_range &later) const {
    vitalwire_merged_range *out = nullptr;
    vitalwire_error *error = nullptr;
    const vitalwire_code code = vitalwire_merged_range_merge(of_, later.of_, &out, &error);
    return detail::take_result<merged_range>(code, out, error, vitalwire_merged_range_free);
  }

 protected:
  const vitalwire_merged_range *of_;
};

namespace detail {

/// An optional value that owns its memory. A temporary has no `->`, because views of the value would dangle.
template <class T>
class owning_optional : public std::optional<T> {
 public:
  using std::optional<T>::optional;

  T *operator->() & noexcept { return std::optional<T>::operator->(); }
  const T *operator->() const & noexcept { return std::optional<T>::operator->(); }
  const T *operator->() const && = delete;
};

}  // namespace detail

/// The parts of a range. Only one thread at a time can read them.
template <class View, auto PartResponse>
class range_parts {
 public:
  using part = owned<range_part<View, PartResponse>>;
  using optional_part = detail::owning_optional<part>;

  explicit range_parts(vitalwire_range_parts *of) : of_(of, vitalwire_range_parts_free) {}
  range_parts(range_parts &&) noexcept = default;
  range_parts &operator=(range_parts &&) noexcept = default;

  /// Reads the next part; empty after the last one.
  vitalwire::call_result<optional_part> next() const {
    vitalwire_range_part *out = nullptr;
    vitalwire_error *error = nullptr;
    if (vitalwire_range_parts_next(of_.get(), &out, &error) != VITALWIRE_OK) return detail::fail<optional_part>(error);
    if (out == nullptr) return optional_part();
    return optional_part(part(out, vitalwire_range_part_free));
  }
  /// Reads the next part without blocking. The pending call keeps the range alive.
  pending<optional_part> next_async() const {
    const auto start = [parts = of_](auto... then) { return vitalwire_range_parts_next_start(parts.get(), then...); };
    const auto finish = [](const vitalwire_call *call) -> result<optional_part> {
      vitalwire_range_part *out = nullptr;
      vitalwire_error *error = nullptr;
      if (vitalwire_range_parts_next_finish(call, &out, &error) != VITALWIRE_OK) return vitalwire::error(error);
      if (out == nullptr) return optional_part();
      return optional_part(part(out, vitalwire_range_part_free));
    };
    return {start, finish};
  }
  range_progress progress() const noexcept {
    vitalwire_range_progress of{};
    return vitalwire_range_parts_progress(of_.get(), &of) ? range_progress{of.done, of.total, of.items} : range_progress{0, 0, 0};
  }
  /// Resume token for parts that failed or were not returned; nullopt if no part is missing.
  std::optional<std::string> resume_token() const { return detail::json_if(vitalwire_range_parts_resume_token(of_.get())); }
  /// Ends the range. Thread-safe.
  void close() const noexcept { vitalwire_range_parts_close(of_.get()); }

 private:
  std::shared_ptr<vitalwire_range_parts> of_;
};

/// A call over a range. Nothing is requested until the range is read. Each reading requests the range again. Asynchronous calls keep the
/// range alive.
template <class View, auto PartResponse, auto Response>
class range_call {
 public:
  using merged = merged_range<View, PartResponse, Response>;
  using parts = range_parts<View, PartResponse>;

  explicit range_call(vitalwire_range_call *of) : of_(of, vitalwire_range_call_free) {}

  /// Reads every part and merges the responses.
  vitalwire::call_result<owned<merged>> collect(const range_observer &observer = {}) const {
    vitalwire_merged_range *out = nullptr;
    vitalwire_error *error = nullptr;
    void *const user_data = const_cast<range_observer *>(&observer);
    const vitalwire_code code = vitalwire_range_call_collect(of_.get(), observer ? &notify : nullptr, user_data, nullptr, &out, &error);
    return detail::take_result<merged>(code, out, error, vitalwire_merged_range_free);
  }
  /// Calls `collect` without blocking. The observer is called on a library thread, until the call ends.
  pending<owned<merged>> collect_async(range_observer observer = {}) const {
    auto start = [range = of_, observer = std::move(observer)](auto... then) {
      return vitalwire_range_call_collect_start(range.get(), observer ? &notify : nullptr, kept(observer), end, then...);
    };
    return {std::move(start), detail::finish<merged, vitalwire_range_call_collect_finish, vitalwire_merged_range_free>};
  }
  /// Reads every part into one table. `name` is one of VITALWIRE_TABLE_*. Defaults to the first table of the response.
  vitalwire::call_result<vitalwire::table> table(std::string_view name = {}, const range_observer &observer = {}) const {
    vitalwire_table *out = nullptr;
    vitalwire_error *error = nullptr;
    void *const user_data = const_cast<range_observer *>(&observer);
    const vitalwire_code code =
        vitalwire_range_call_table(of_.get(), detail::table_name(name), observer ? &notify : nullptr, user_data, nullptr, &out, &error);
    if (code != VITALWIRE_OK) return detail::fail<vitalwire::table>(error);
    return vitalwire::table(out);
  }
  /// Calls `table` without blocking. The observer is called on a library thread, until the call ends.
  pending<vitalwire::table> table_async(std::string_view name = {}, range_observer observer = {}) const {
    auto start = [range = of_, name = std::string(name), observer = std::move(observer)](auto... then) {
      vitalwire_range_observer callback = observer ? &notify : nullptr;
      return vitalwire_range_call_table_start(range.get(), detail::table_name(name), callback, kept(observer), end, then...);
    };
    return {std::move(start), detail::finish_table<vitalwire_range_call_table_finish>};
  }
  /// Returns the parts that were read before `collect` failed; nullopt if no part was read, or if the error comes from another operation.
  /// The view is valid as long as the error.
  std::optional<merged> partial_result(const error_view &error) const noexcept {
    const vitalwire_merged_range *const of = vitalwire_error_partial_result(error.c());
    return Response(of) == nullptr ? std::nullopt : std::optional<merged>(of);
  }
  void partial_result(const error_view &&error) const = delete;
  /// Returns the rows that were read before `table` failed; nullopt if no part was read.
  std::optional<vitalwire::table> partial_table(const error_view &error) const {
    vitalwire_table *const of = vitalwire_error_partial_table(error.c());
    return of == nullptr ? std::nullopt : std::optional<vitalwire::table>(of);
  }
  /// Begins to read the range part by part.
  vitalwire::call_result<parts> read() const {
    vitalwire_range_parts *out = nullptr;
    vitalwire_error *error = nullptr;
    if (vitalwire_range_call_read(of_.get(), &out, &error) != VITALWIRE_OK) return detail::fail<parts>(error);
    return parts(out);
  }

 private:
  static void notify(void *user_data, const vitalwire_range_progress *of) noexcept {
    (*static_cast<const range_observer *>(user_data))(range_progress{of->done, of->total, of->items});
  }
  static range_observer *kept(const range_observer &observer) { return observer ? new range_observer(observer) : nullptr; }
  static void end(void *user_data) noexcept { delete static_cast<range_observer *>(user_data); }

  std::shared_ptr<vitalwire_range_call> of_;
};

namespace detail {

/// A part that owns its memory. Reading views of a temporary does not compile, because they would dangle.
template <class View, auto Response>
class owning_view<vitalwire::range_part<View, Response>> : public vitalwire::range_part<View, Response> {
 public:
  using base = vitalwire::range_part<View, Response>;
  using base::base;

  auto failure() const & noexcept { return base::failure(); }
  void failure() const && = delete;
  auto response() const & noexcept { return base::response(); }
  void response() const && = delete;
};

/// A merged range that owns its memory. Reading views of a temporary does not compile, because they would dangle.
template <class View, auto PartResponse, auto Response>
class owning_view<vitalwire::merged_range<View, PartResponse, Response>> : public vitalwire::merged_range<View, PartResponse, Response> {
 public:
  using base = vitalwire::merged_range<View, PartResponse, Response>;
  using base::base;

  auto response() const & noexcept { return base::response(); }
  void response() const && = delete;
  auto parts() const & noexcept { return base::parts(); }
  void parts() const && = delete;
  auto failures() const & noexcept { return base::failures(); }
  void failures() const && = delete;
};

}  // namespace detail

/// The contents of a resume token: operation, range and number of missing parts.
struct resume_token {
  std::string operation;
  std::uint32_t parts_left;
  std::optional<std::pair<vitalwire::date, vitalwire::date>> dates;
  std::optional<std::pair<vitalwire::timestamp, vitalwire::timestamp>> instants;

  static vitalwire::call_result<resume_token> parse(std::string_view text) {
    vitalwire_resume_token *out = nullptr;
    vitalwire_error *error = nullptr;
    if (vitalwire_resume_token_parse(detail::to_c(text), &out, &error) != VITALWIRE_OK) return detail::fail<resume_token>(error);
    const std::unique_ptr<vitalwire_resume_token, void (*)(vitalwire_resume_token *)> kept(out, vitalwire_resume_token_free);
    return resume_token{std::string(detail::text(vitalwire_resume_token_operation(out))), vitalwire_resume_token_parts_left(out),
                        detail::ends_if<vitalwire::date>(vitalwire_resume_token_dates, out),
                        detail::ends_if<vitalwire::timestamp>(vitalwire_resume_token_instants, out)};
  }
};

}  // namespace VITALWIRE_ERRORS
}  // namespace vitalwire

#endif
