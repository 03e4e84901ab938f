// Calls over long ranges, in parts: collected into one answer, or read one by one.

#ifndef VITALWIRE_CPP_RANGES_HPP
#define VITALWIRE_CPP_RANGES_HPP

#include <functional>

#include "pending.hpp"
#include "range_options.hpp"
#include "tables.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// How far a range is. Parts of an earlier run are not counted.
struct range_progress {
  std::uint32_t done;
  std::uint32_t total;
  std::uint64_t items;
};

/// Called after each part of a range, on the thread that collects it. An exception from it ends the program.
using range_observer = std::function<void(const range_progress &)>;

namespace detail {

/// Both ends of something in C, if they are there.
template <class T, class Read, class Of>
std::optional<std::pair<T, T>> ends_if(Read read, const Of *of) noexcept {
  typename crossing<T>::c_type first{}, last{};
  if (!read(of, &first, &last)) return std::nullopt;
  return std::pair<T, T>(crossing<T>::from(first), crossing<T>::from(last));
}

}  // namespace detail

/// The answer to one part of a range, or its failure, as part of something else.
template <class View, auto Answer>
class range_part {
 public:
  using c_type = vitalwire_range_part;

  explicit range_part(const vitalwire_range_part *of) noexcept : of_(of) {}

  std::uint32_t index() const noexcept { return vitalwire_range_part_index(of_); }
  /// First and last day, of a range of days.
  std::optional<std::pair<vitalwire::date, vitalwire::date>> dates() const noexcept {
    return detail::ends_if<vitalwire::date>(vitalwire_range_part_dates, of_);
  }
  /// Start and end, of a range of instants.
  std::optional<std::pair<vitalwire::timestamp, vitalwire::timestamp>> instants() const noexcept {
    return detail::ends_if<vitalwire::timestamp>(vitalwire_range_part_instants, of_);
  }
  /// Items that another part had before.
  std::size_t duplicates() const noexcept { return vitalwire_range_part_duplicates(of_); }
  /// Why it failed, where failures are collected.
  std::optional<vitalwire::error_view> failure() const noexcept {
    const vitalwire_error *const error = vitalwire_range_part_failure(of_);
    return error == nullptr ? std::nullopt : std::optional<vitalwire::error_view>(error);
  }
  /// The answer; none where it failed.
  std::optional<View> answer() const noexcept {
    const auto *const of = Answer(of_);
    return of == nullptr ? std::nullopt : std::optional<View>(of);
  }

 protected:
  const vitalwire_range_part *of_;
};

/// The place of one part's items in a merged answer.
struct range_place {
  std::uint32_t index;
  std::size_t start;
  std::size_t end;
  std::optional<std::pair<vitalwire::date, vitalwire::date>> dates;
  std::optional<std::pair<vitalwire::timestamp, vitalwire::timestamp>> instants;
};

/// The answers to the parts of a range as one, and the parts that failed.
template <class View, auto PartAnswer, auto Answer>
class range_merged {
 public:
  using c_type = vitalwire_range_merged;
  using failures_list = vitalwire::list<vitalwire::range_part<View, PartAnswer>, vitalwire_range_merged, vitalwire_range_merged_failures_count,
                                        vitalwire_range_merged_failures_at>;

  explicit range_merged(const vitalwire_range_merged *of) noexcept : of_(of) {}

  View answer() const noexcept { return View(Answer(of_)); }
  failures_list failures() const noexcept { return failures_list(of_); }
  std::size_t places_count() const noexcept { return vitalwire_range_merged_parts_count(of_); }
  range_place place(std::size_t index) const noexcept {
    const vitalwire_range_place *const at = vitalwire_range_merged_parts_at(of_, index);
    return {vitalwire_range_place_index(at), vitalwire_range_place_start(at), vitalwire_range_place_end(at),
            detail::ends_if<vitalwire::date>(vitalwire_range_place_dates, at),
            detail::ends_if<vitalwire::timestamp>(vitalwire_range_place_instants, at)};
  }
  std::size_t duplicates() const noexcept { return vitalwire_range_merged_duplicates(of_); }
  /// Of what has failed, to be stored; none where nothing has.
  std::optional<std::string> resume_token() const { return detail::json_if(vitalwire_range_merged_resume_token(of_)); }
  /// With what a later run has brought.
  vitalwire::call_result<owned<range_merged>> join(const range_merged &later) const {
    vitalwire_range_merged *out = nullptr;
    vitalwire_error *error = nullptr;
    const vitalwire_code code = vitalwire_range_merged_join(of_, later.of_, &out, &error);
    return detail::gave<range_merged>(code, out, error, vitalwire_range_merged_free);
  }

 protected:
  const vitalwire_range_merged *of_;
};

/// The parts of a range, which one thread at a time reads.
template <class View, auto PartAnswer>
class range_parts {
 public:
  using part = owned<range_part<View, PartAnswer>>;

  explicit range_parts(vitalwire_range_parts *of) : of_(of, vitalwire_range_parts_free) {}
  range_parts(range_parts &&) noexcept = default;
  range_parts &operator=(range_parts &&) noexcept = default;

  /// The next part; none after the last one.
  vitalwire::call_result<std::optional<part>> next() const {
    vitalwire_range_part *out = nullptr;
    vitalwire_error *error = nullptr;
    if (vitalwire_range_parts_next(of_.get(), &out, &error) != VITALWIRE_OK) return detail::failed<std::optional<part>>(error);
    if (out == nullptr) return std::optional<part>();
    return std::optional<part>(part(out, vitalwire_range_part_free));
  }
  /// Starts `next` without blocking. The pending call keeps the range alive.
  pending<std::optional<part>> next_async() const {
    const auto start = [parts = of_](auto... then) { return vitalwire_range_parts_next_start(parts.get(), then...); };
    const auto finish = [](const vitalwire_call *call) -> result<std::optional<part>> {
      vitalwire_range_part *out = nullptr;
      vitalwire_error *error = nullptr;
      if (vitalwire_range_parts_next_finish(call, &out, &error) != VITALWIRE_OK) return vitalwire::error(error);
      if (out == nullptr) return std::optional<part>();
      return std::optional<part>(part(out, vitalwire_range_part_free));
    };
    return {start, finish};
  }
  range_progress progress() const noexcept {
    vitalwire_range_progress of{};
    return vitalwire_range_parts_progress(of_.get(), &of) ? range_progress{of.done, of.total, of.items} : range_progress{0, 0, 0};
  }
  /// Of what was not handed out or has failed; none where nothing is left.
  std::optional<std::string> resume_token() const { return detail::json_if(vitalwire_range_parts_resume_token(of_.get())); }
  /// Ends the range, from any thread.
  void close() const noexcept { vitalwire_range_parts_close(of_.get()); }

 private:
  std::shared_ptr<vitalwire_range_parts> of_;
};

/// A call over a range, of which nothing is requested before it is read. Each reading requests anew. A call without
/// blocking keeps the range.
template <class View, auto PartAnswer, auto Answer>
class range {
 public:
  using merged = range_merged<View, PartAnswer, Answer>;
  using parts = range_parts<View, PartAnswer>;

  explicit range(vitalwire_range *of) : of_(of, vitalwire_range_free) {}

  /// All parts as one answer.
  vitalwire::call_result<owned<merged>> collect(const range_observer &observer = {}) const {
    vitalwire_range_merged *out = nullptr;
    vitalwire_error *error = nullptr;
    void *const user_data = const_cast<range_observer *>(&observer);
    const vitalwire_code code = vitalwire_range_collect(of_.get(), observer ? &tell : nullptr, user_data, nullptr, &out, &error);
    return detail::gave<merged>(code, out, error, vitalwire_range_merged_free);
  }
  /// As `collect`, without blocking; the observer is called on a thread of the library, until the call ends.
  pending<owned<merged>> collect_async(range_observer observer = {}) const {
    auto start = [range = of_, observer = std::move(observer)](auto... then) {
      return vitalwire_range_collect_start(range.get(), observer ? &tell : nullptr, kept(observer), end, then...);
    };
    return {std::move(start), detail::finish<merged, vitalwire_range_collect_finish, vitalwire_range_merged_free>};
  }
  /// All parts as one table: one of VITALWIRE_TABLE_*, the answer's first by default.
  vitalwire::call_result<vitalwire::table> table(std::string_view name = {}, const range_observer &observer = {}) const {
    vitalwire_table *out = nullptr;
    vitalwire_error *error = nullptr;
    void *const user_data = const_cast<range_observer *>(&observer);
    const vitalwire_code code =
        vitalwire_range_table(of_.get(), detail::named(name), observer ? &tell : nullptr, user_data, nullptr, &out, &error);
    if (code != VITALWIRE_OK) return detail::failed<vitalwire::table>(error);
    return vitalwire::table(out);
  }
  /// As `table`, without blocking; the observer is called on a thread of the library, until the call ends.
  pending<vitalwire::table> table_async(std::string_view name = {}, range_observer observer = {}) const {
    auto start = [range = of_, name = std::string(name), observer = std::move(observer)](auto... then) {
      return vitalwire_range_table_start(range.get(), detail::named(name), observer ? &tell : nullptr, kept(observer), end, then...);
    };
    return {std::move(start), detail::finish_table<vitalwire_range_table_finish>};
  }
  /// Part by part.
  vitalwire::call_result<parts> read() const {
    vitalwire_range_parts *out = nullptr;
    vitalwire_error *error = nullptr;
    if (vitalwire_range_read(of_.get(), &out, &error) != VITALWIRE_OK) return detail::failed<parts>(error);
    return parts(out);
  }

 private:
  static void tell(void *user_data, const vitalwire_range_progress *of) noexcept {
    (*static_cast<const range_observer *>(user_data))(range_progress{of->done, of->total, of->items});
  }
  static range_observer *kept(const range_observer &observer) { return observer ? new range_observer(observer) : nullptr; }
  static void end(void *user_data) noexcept { delete static_cast<range_observer *>(user_data); }

  std::shared_ptr<vitalwire_range> of_;
};

namespace detail {

/// A part that owns its memory: views of a temporary would dangle, so they do not compile.
template <class View, auto Answer>
class lasting<vitalwire::range_part<View, Answer>> : public vitalwire::range_part<View, Answer> {
 public:
  using base = vitalwire::range_part<View, Answer>;
  using base::base;

  auto failure() const & noexcept { return base::failure(); }
  void failure() const && = delete;
  auto answer() const & noexcept { return base::answer(); }
  void answer() const && = delete;
};

/// A merged answer that owns its memory, likewise.
template <class View, auto PartAnswer, auto Answer>
class lasting<vitalwire::range_merged<View, PartAnswer, Answer>> : public vitalwire::range_merged<View, PartAnswer, Answer> {
 public:
  using base = vitalwire::range_merged<View, PartAnswer, Answer>;
  using base::base;

  auto answer() const & noexcept { return base::answer(); }
  void answer() const && = delete;
  auto failures() const & noexcept { return base::failures(); }
  void failures() const && = delete;
};

}  // namespace detail

/// What a resume token says of itself.
struct resume_token {
  std::string operation;
  std::uint32_t parts_left;
  std::optional<std::pair<vitalwire::date, vitalwire::date>> dates;
  std::optional<std::pair<vitalwire::timestamp, vitalwire::timestamp>> instants;

  static vitalwire::call_result<resume_token> parse(std::string_view text) {
    vitalwire_resume_token *out = nullptr;
    vitalwire_error *error = nullptr;
    if (vitalwire_resume_token_parse(detail::given(text), &out, &error) != VITALWIRE_OK) return detail::failed<resume_token>(error);
    const std::unique_ptr<vitalwire_resume_token, void (*)(vitalwire_resume_token *)> kept(out, vitalwire_resume_token_free);
    return resume_token{std::string(detail::text(vitalwire_resume_token_operation(out))), vitalwire_resume_token_parts_left(out),
                        detail::ends_if<vitalwire::date>(vitalwire_resume_token_dates, out),
                        detail::ends_if<vitalwire::timestamp>(vitalwire_resume_token_instants, out)};
  }
};

}  // namespace VITALWIRE_ERRORS
}  // namespace vitalwire

#endif
