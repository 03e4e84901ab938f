// Uses of objects that were moved from, and objects of classes without a simple constructor.

#ifndef MOVED_HPP
#define MOVED_HPP

#include <cstdio>
#include <stdexcept>
#include <utility>

#include "check.hpp"
#include "vitalwire.hpp"

using made_range_call = decltype(std::declval<vitalwire::client &>().statistics().daily_range(std::declval<vitalwire::statistics_daily_params>()));

vitalwire::client make_client();
vitalwire::error make_error();
vitalwire::list<vitalwire::entry<double>, vitalwire_metrics, vitalwire_metrics_count, vitalwire_metrics_at> make_list();
vitalwire::owned<vitalwire::user_info> make_owned();
vitalwire::pending<vitalwire::owned<vitalwire::user_info>> make_pending();
vitalwire::range_part<vitalwire::daily_statistics, vitalwire_range_part_statistics_daily> make_range_part();
made_range_call make_range_call();
vitalwire::owned<made_range_call::merged> make_merged_range();
made_range_call::parts make_range_parts();
vitalwire::result<std::string> make_result();
vitalwire::started make_started();
vitalwire::table make_table();
vitalwire::webhook_verifier make_webhook_verifier();

// Moves an object of each class. Generated from the headers.
void move_each();

// Queries may fail with an error of the library.
template <class Query>
void use(Query query) {
  try {
    query();
  } catch (const vitalwire::error &) {
  }
}

inline void release(ArrowArrayStream stream) { stream.release(&stream); }
inline void release(std::pair<ArrowArray, ArrowSchema> exported) {
  exported.first.release(&exported.first);
  exported.second.release(&exported.second);
}

// Reads the items of a list.
template <class T>
auto items(const T &of, int) -> decltype(of.begin(), void()) {
  for (const auto &item : of) (void)item;
}
template <class T>
void items(const T &, long) {}

template <class T, class Use>
void moved(const char *name, Use uses, T first) {
  std::printf("%s\n", name);
  T second = std::move(first);
  uses(first);
  uses(second);
  if constexpr (std::is_copy_constructible_v<T>) {
    T copy = first;
    uses(copy);
  }
  if constexpr (std::is_move_assignable_v<T>) {
    first = std::move(second);
    uses(second);
    second = std::move(first);
    uses(first);
    // To itself.
    T &same = second;
    second = std::move(same);
    uses(second);
  }
}

#endif
