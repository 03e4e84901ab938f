// Syncs: changes of a user's records since the last sync.

#ifndef VITALWIRE_CPP_SYNC_HPP
#define VITALWIRE_CPP_SYNC_HPP

#include <vector>

#include "options.hpp"
#include "ranges.hpp"
#include "records/lab_report_webhook.hpp"
#include "records/nutrition_webhook.hpp"
#include "records/webhook_event.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// Type of a change.
using change_type = vitalwire_change_type;
/// A range of days, both inclusive.
using day_range = std::pair<vitalwire::date, vitalwire::date>;

namespace detail {

inline vitalwire::bytes bytes(vitalwire_bytes of) noexcept { return {of.data, of.length}; }

/// Returns the handle of a view.
template <class View>
struct view_handle : View {
  static const typename View::c_type *of(const View &view) noexcept { return view.*(&view_handle::of_); }
};

}  // namespace detail

/// Parameters of a sync. Add at least one kind. Setters that are not called keep their defaults.
class sync_params {
 public:
  /// `user`: Your own id of the user.
  /// `secret`: Key of the digests in states: at least 16 random bytes that you store apart from the states.
  sync_params(std::string_view user, vitalwire::bytes secret)
      : of_(vitalwire_sync_params_new(detail::to_c(user), secret.data(), secret.size())) {}

  /// Adds a kind of records, one of VITALWIRE_RECORD_KIND_*.
  sync_params &add_kind(std::string_view kind) {
    vitalwire_sync_params_add_kind(of_.get(), detail::to_c(kind));
    return *this;
  }
  /// Adds kinds of records.
  sync_params &kinds(std::initializer_list<std::string_view> items) {
    for (const std::string_view item : items) add_kind(item);
    return *this;
  }
  /// Sets the state of the last sync. An empty state makes this a first sync.
  sync_params &state(vitalwire::bytes state) {
    vitalwire_sync_params_set_state(of_.get(), state.size() == 0 ? nullptr : state.data(), state.size());
    return *this;
  }
  /// Sets the first day of the copy. Defaults to that of the last sync, and to 365 days ago for the first one.
  sync_params &from(const date &day) {
    vitalwire_sync_params_set_from(of_.get(), detail::to_c(day));
    return *this;
  }
  /// Sets the number of days up to the last requested day that are requested again. Must be from 1 to 3,660. Defaults to 7.
  sync_params &look_back(std::uint32_t days) {
    vitalwire_sync_params_set_look_back(of_.get(), days);
    return *this;
  }
  /// Sets whether to request the user's information first. Defaults to true.
  sync_params &check_account(bool yes) {
    vitalwire_sync_params_set_check_account(of_.get(), yes);
    return *this;
  }
  /// Sets the id of the user at the service. The token of another user is rejected.
  sync_params &expect_account(std::string_view id) {
    vitalwire_sync_params_set_expect_account(of_.get(), detail::to_c(id));
    return *this;
  }
  /// Sets the name of the service in states, for a service whose base URL changes. Defaults to the base URL.
  sync_params &service_name(std::string_view name) {
    vitalwire_sync_params_set_service_name(of_.get(), detail::to_c(name));
    return *this;
  }
  /// Adds days of a kind whose records may have changed.
  sync_params &add_event(std::string_view kind, const date &first, const date &last) {
    vitalwire_sync_params_add_event(of_.get(), detail::to_c(kind), detail::to_c(first), detail::to_c(last));
    return *this;
  }
  /// Adds the days of a webhook. If the sync returns no part, add the webhook to the next one, too.
  sync_params &add_event(
      const webhook_event &event) {
    vitalwire_sync_params_add_webhook_event(of_.get(), detail::view_handle<webhook_event>::of(event));
    return *this;
  }
  sync_params &add_event(
      const nutrition_webhook &webhook) {
    vitalwire_sync_params_add_nutrition_webhook(of_.get(), detail::view_handle<nutrition_webhook>::of(webhook));
    return *this;
  }
  sync_params &add_event(
      const lab_report_webhook &webhook) {
    vitalwire_sync_params_add_lab_report_webhook(of_.get(), detail::view_handle<lab_report_webhook>::of(webhook));
    return *this;
  }
  const vitalwire_sync_params *c() const noexcept { return of_.get(); }

 private:
  detail::value_handle<vitalwire_sync_params, vitalwire_sync_params_clone, vitalwire_sync_params_free> of_;
};

/// A view of a change of a record. Apply changes in their order. Insert or replace added and changed records by kind and id.
class sync_change {
 public:
  using c_type = vitalwire_sync_change;

  explicit sync_change(const vitalwire_sync_change *of) noexcept : of_(of) {}

  /// Kind of the record, one of VITALWIRE_RECORD_KIND_*.
  std::string_view kind() const noexcept { return detail::text(vitalwire_sync_change_kind(of_)); }
  change_type type() const noexcept { return vitalwire_sync_change_type(of_); }
  /// Id of the record; nullopt for VITALWIRE_CHANGE_DAY_REMOVED.
  std::optional<std::string_view> id() const noexcept { return detail::text_if(vitalwire_sync_change_id(of_)); }
  /// Day of the record. Store it with the record. nullopt if it is not certain.
  std::optional<vitalwire::date> day() const noexcept { return detail::value_if<vitalwire::date>(vitalwire_sync_change_day, of_); }
  /// Content key before the change; nullopt for a new record, and if the key is unknown.
  std::optional<std::string_view> before() const noexcept { return detail::text_if(vitalwire_sync_change_before(of_)); }
  /// Content key after the change; nullopt for a removed record.
  std::optional<std::string_view> after() const noexcept { return detail::text_if(vitalwire_sync_change_after(of_)); }
  /// Rows of the record as a JSON list of objects, by column. Empty for a removed record.
  std::string json_rows() const { return detail::json(vitalwire_sync_change_json_rows(of_)); }
  /// Indexes of the rows of the record in the table of its kind.
  vitalwire::list<std::size_t, vitalwire_sync_change, vitalwire_sync_change_rows_count, vitalwire_sync_change_rows_at> rows() const noexcept {
    return vitalwire::list<std::size_t, vitalwire_sync_change, vitalwire_sync_change_rows_count, vitalwire_sync_change_rows_at>(of_);
  }

 private:
  const vitalwire_sync_change *of_;
};

/// Progress of a sync, in days. Kinds that do not share requests count separately.
struct sync_progress {
  std::uint64_t done_days;
  std::uint64_t total_days;
};

/// A view of the changes of a span of days, and the state after them. Apply the changes and store `state` in one transaction. Without
/// transactions, store `state_before`, apply the changes, then store `state`.
class sync_part {
 public:
  using c_type = vitalwire_sync_part;
  using kinds_list =
      vitalwire::list<std::string_view, vitalwire_sync_part, vitalwire_sync_part_kinds_count, vitalwire_sync_part_kinds_at>;
  using changes_list =
      vitalwire::list<sync_change, vitalwire_sync_part, vitalwire_sync_part_changes_count, vitalwire_sync_part_changes_at>;

  explicit sync_part(const vitalwire_sync_part *of) noexcept : of_(of) {}

  /// First and last day that was read.
  day_range dates() const noexcept { return detail::ends_if<vitalwire::date>(vitalwire_sync_part_dates, of_).value_or(day_range()); }
  /// Kinds that were read.
  kinds_list kinds() const noexcept { return kinds_list(of_); }
  /// Changes, in the order in which they must be applied.
  changes_list changes() const noexcept { return changes_list(of_); }
  /// State to store after the changes. The next sync needs nothing else.
  vitalwire::bytes state() const noexcept { return detail::bytes(vitalwire_sync_part_state(of_)); }
  /// State to store before the changes, if changes and state are not stored in one transaction.
  vitalwire::bytes state_before() const noexcept { return detail::bytes(vitalwire_sync_part_state_before(of_)); }
  /// Number of the state after the changes. Every later state of a copy has a higher number.
  std::uint64_t generation() const noexcept { return vitalwire_sync_part_generation(of_); }
  sync_progress progress() const noexcept {
    vitalwire_sync_progress of{};
    vitalwire_sync_part_progress(of_, &of);
    return {of.done_days, of.total_days};
  }
  bool has_more() const noexcept { return vitalwire_sync_part_has_more(of_); }
  /// Number of items and values that are left out: they cannot be decoded, or are listed sleeps that are not found. No record is removed
  /// because of them.
  std::uint64_t left_out() const noexcept { return vitalwire_sync_part_left_out(of_); }
  /// Rows of all records of a kind that were read, including unchanged records.
  vitalwire::call_result<vitalwire::table> table(std::string_view kind) const {
    vitalwire_table *out = nullptr;
    vitalwire_error *error = nullptr;
    const vitalwire_code code = vitalwire_sync_part_table(of_, detail::to_c(kind), &out, &error);
    if (code != VITALWIRE_OK) return detail::fail<vitalwire::table>(error);
    return vitalwire::table(out);
  }

 protected:
  const vitalwire_sync_part *of_;
};

namespace detail {

/// A part that owns its memory. Reading views of a temporary does not compile, because they would dangle.
template <>
class owning_view<vitalwire::sync_part> : public vitalwire::sync_part {
 public:
  using vitalwire::sync_part::sync_part;

  auto kinds() const & noexcept { return vitalwire::sync_part::kinds(); }
  void kinds() const && = delete;
  auto changes() const & noexcept { return vitalwire::sync_part::changes(); }
  void changes() const && = delete;
  auto state() const & noexcept { return vitalwire::sync_part::state(); }
  void state() const && = delete;
  auto state_before() const & noexcept { return vitalwire::sync_part::state_before(); }
  void state_before() const && = delete;
};

}  // namespace detail

/// The parts of a sync. Days that remain from an interrupted sync come first, then the newest days. Only one thread at a time can read them.
/// The state of the last part stays valid if the sync ends early.
class sync_parts {
 public:
  using part = owned<sync_part>;
  using optional_part = detail::owning_optional<part>;

  explicit sync_parts(vitalwire_sync_parts *of) : of_(of, vitalwire_sync_parts_free) {}
  sync_parts(sync_parts &&) noexcept = default;
  sync_parts &operator=(sync_parts &&) noexcept = default;

  /// Reads the next part; empty after the last one. A part that fails is left out, and its days stay due. After the last part, the last
  /// error is returned once.
  vitalwire::call_result<optional_part> next() const {
    vitalwire_sync_part *out = nullptr;
    vitalwire_error *error = nullptr;
    if (vitalwire_sync_parts_next(of_.get(), &out, &error) != VITALWIRE_OK) return detail::fail<optional_part>(error);
    return optional(out);
  }
  /// Reads the next part without blocking. The pending call keeps the sync alive.
  pending<optional_part> next_async() const {
    const auto start = [parts = of_](auto... then) { return vitalwire_sync_parts_next_start(parts.get(), then...); };
    const auto finish = [](const vitalwire_call *call) -> result<optional_part> {
      vitalwire_sync_part *out = nullptr;
      vitalwire_error *error = nullptr;
      if (vitalwire_sync_parts_next_finish(call, &out, &error) != VITALWIRE_OK) return vitalwire::error(error);
      return optional(out);
    };
    return {start, finish};
  }
  /// Ends the sync. Thread-safe.
  void close() const noexcept { vitalwire_sync_parts_close(of_.get()); }

#ifndef VITALWIRE_RESULTS
  /// An input iterator over the parts. It throws the error of `next`. A part is valid until the iterator is incremented.
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = part;
    using difference_type = std::ptrdiff_t;
    using pointer = const part *;
    using reference = const part &;

    iterator() noexcept = default;
    explicit iterator(const sync_parts &parts) : parts_(&parts) {
      if (parts.of_) ++*this;
    }
    reference operator*() const noexcept { return **part_; }
    pointer operator->() const noexcept { return &**part_; }
    iterator &operator++() {
      part_ = std::make_shared<optional_part>(parts_->next());
      if (!*part_) part_ = nullptr;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator &one, const iterator &other) noexcept { return one.part_ == other.part_; }
    friend bool operator!=(const iterator &one, const iterator &other) noexcept { return !(one == other); }

   private:
    const sync_parts *parts_ = nullptr;
    std::shared_ptr<optional_part> part_;
  };

  /// Reads the first part that is left.
  iterator begin() const { return iterator(*this); }
  iterator end() const noexcept { return iterator(); }
#endif

 private:
  static optional_part optional(vitalwire_sync_part *out) {
    return out == nullptr ? optional_part() : optional_part(part(out, vitalwire_sync_part_free));
  }

  std::shared_ptr<vitalwire_sync_parts> of_;
};

/// A view of days of kinds that share requests.
class planned_days {
 public:
  using c_type = vitalwire_planned_days;

  explicit planned_days(const vitalwire_planned_days *of) noexcept : of_(of) {}

  vitalwire::list<std::string_view, vitalwire_planned_days, vitalwire_planned_days_kinds_count, vitalwire_planned_days_kinds_at> kinds()
      const noexcept {
    return decltype(kinds())(of_);
  }
  /// Days that are due.
  std::vector<day_range> ranges() const {
    std::vector<day_range> ranges;
    vitalwire_date first{}, last{};
    for (std::size_t index = 0; vitalwire_planned_days_ranges_at(of_, index, &first, &last); ++index) {
      ranges.emplace_back(detail::c_conversion<date>::from(first), detail::c_conversion<date>::from(last));
    }
    return ranges;
  }
  /// Estimated number of requests. One sleep per day is assumed.
  std::uint64_t requests() const noexcept { return vitalwire_planned_days_requests(of_); }

 private:
  const vitalwire_planned_days *of_;
};

/// A view of the days and requests of a sync.
class sync_plan {
 public:
  using c_type = vitalwire_sync_plan;
  using days_list = vitalwire::list<planned_days, vitalwire_sync_plan, vitalwire_sync_plan_days_count, vitalwire_sync_plan_days_at>;

  explicit sync_plan(const vitalwire_sync_plan *of) noexcept : of_(of) {}

  /// Days of each group of kinds that share requests.
  days_list days() const noexcept { return days_list(of_); }
  /// Estimated number of requests, without retries. Includes the request for the user's information.
  std::uint64_t requests() const noexcept { return vitalwire_sync_plan_requests(of_); }

 protected:
  const vitalwire_sync_plan *of_;
};

namespace detail {

/// A plan that owns its memory. Reading views of a temporary does not compile, because they would dangle.
template <>
class owning_view<vitalwire::sync_plan> : public vitalwire::sync_plan {
 public:
  using vitalwire::sync_plan::sync_plan;

  auto days() const & noexcept { return vitalwire::sync_plan::days(); }
  void days() const && = delete;
};

}  // namespace detail

/// A sync of one user, made by `client::sync`. Nothing is requested until its parts are read. Each reading starts from the same state.
class sync_call {
 public:
  explicit sync_call(vitalwire_sync_call *of) : of_(of, vitalwire_sync_call_free) {}

  /// Begins to read the sync part by part.
  vitalwire::call_result<sync_parts> read() const {
    vitalwire_sync_parts *out = nullptr;
    vitalwire_error *error = nullptr;
    if (vitalwire_sync_call_read(of_.get(), &out, &error) != VITALWIRE_OK) return detail::fail<sync_parts>(error);
    return sync_parts(out);
  }
  /// Runs the sync and calls `function` with each part, on this thread. If `function` returns a bool, false ends the sync.
  template <class Function>
  vitalwire::call_result<void> each(Function function) const {
    vitalwire_sync_parts *out = nullptr;
    vitalwire_error *error = nullptr;
    if (vitalwire_sync_call_read(of_.get(), &out, &error) != VITALWIRE_OK) return detail::fail<void>(error);
    const std::unique_ptr<vitalwire_sync_parts, void (*)(vitalwire_sync_parts *)> parts(out, vitalwire_sync_parts_free);
    for (;;) {
      vitalwire_sync_part *read = nullptr;
      if (vitalwire_sync_parts_next(parts.get(), &read, &error) != VITALWIRE_OK) return detail::fail<void>(error);
      if (read == nullptr) return vitalwire::call_result<void>();
      const owned<sync_part> part(read, vitalwire_sync_part_free);
      if constexpr (std::is_void_v<std::invoke_result_t<Function &, const owned<sync_part> &>>) {
        function(part);
      } else if (!function(part)) {
        return vitalwire::call_result<void>();
      }
    }
  }
  /// Returns the days and the number of requests, by the clock of this machine, without a request.
  vitalwire::call_result<owned<sync_plan>> plan() const {
    vitalwire_sync_plan *out = nullptr;
    vitalwire_error *error = nullptr;
    const vitalwire_code code = vitalwire_sync_call_plan(of_.get(), &out, &error);
    return detail::take_result<sync_plan>(code, out, error, vitalwire_sync_plan_free);
  }
  /// Returns the state with the events, without a request. Store it. The next sync reads the days.
  vitalwire::call_result<std::string> record_events() const {
    vitalwire_sync_state *out = nullptr;
    vitalwire_error *error = nullptr;
    if (vitalwire_sync_call_record_events(of_.get(), &out, &error) != VITALWIRE_OK) return detail::fail<std::string>(error);
    const std::unique_ptr<vitalwire_sync_state, void (*)(vitalwire_sync_state *)> kept(out, vitalwire_sync_state_free);
    const vitalwire::bytes state = detail::bytes(vitalwire_sync_state_bytes(out));
    return std::string(state.data(), state.data() + state.size());
  }
  /// Returns the number of a state. If two syncs start from the same state, only one of them may store its states.
  static vitalwire::call_result<std::uint64_t> generation(vitalwire::bytes state) {
    std::uint64_t out = 0;
    vitalwire_error *error = nullptr;
    const vitalwire_code code = vitalwire_sync_state_generation(state.data(), state.size(), &out, &error);
    if (code != VITALWIRE_OK) return detail::fail<std::uint64_t>(error);
    return out;
  }

 private:
  std::shared_ptr<vitalwire_sync_call> of_;
};

namespace detail {

inline vitalwire::call_result<sync_call> sync(const vitalwire_client *client, const sync_params &params, const call_options &options) {
  vitalwire_sync_call *out = nullptr;
  vitalwire_error *error = nullptr;
  const vitalwire_code code = vitalwire_client_sync(client, params.c(), options.c(), options.c_cancel(), &out, &error);
  if (code != VITALWIRE_OK) return fail<sync_call>(error);
  return sync_call(out);
}

}  // namespace detail

}  // namespace VITALWIRE_ERRORS
}  // namespace vitalwire

#endif
