// Answers as tables, which programs that know Arrow take without a copy.

#ifndef VITALWIRE_CPP_TABLES_HPP
#define VITALWIRE_CPP_TABLES_HPP

#include <map>
#include <string>

#include "results.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// Rows of one kind, as columns. A value that is missing is null, never 0. Texts of a temporary table do not compile.
class table {
 public:
  explicit table(vitalwire_table *of) noexcept : of_(of, vitalwire_table_free) {}

  /// One of VITALWIRE_TABLE_*.
  std::string_view name() const & noexcept { return detail::text(vitalwire_table_name(of_.get())); }
  std::string_view name() const && = delete;
  std::size_t rows() const noexcept { return vitalwire_table_rows_count(of_.get()); }
  /// Number of values that were left out: of an unexpected type, times that no column can represent, or list items that could not be decoded.
  std::uint64_t skipped_count() const noexcept { return vitalwire_table_skipped_count(of_.get()); }
  /// Number of values that were left out, by column; by the field of the response, if a whole object or list was of another type or an
  /// item of the list could not be decoded. The field is `response` if the response itself is the list.
  std::map<std::string, std::uint64_t> skipped_by_column() const {
    std::map<std::string, std::uint64_t> counts;
    vitalwire_skipped_values values{};
    for (std::size_t index = 0; vitalwire_table_skipped_at(of_.get(), index, &values); ++index) {
      counts[std::string(detail::text(values.column))] += values.count;
    }
    return counts;
  }
  /// Of a range that collects failures: what is missing; none where nothing is.
  std::optional<std::string_view> resume_token() const & noexcept { return detail::text_if(vitalwire_table_resume_token(of_.get())); }
  std::optional<std::string_view> resume_token() const && = delete;
  /// As a stream of one batch, which whoever reads it releases. It keeps the table's memory.
  call_result<ArrowArrayStream> stream() const {
    ArrowArrayStream out{};
    vitalwire_error *error = nullptr;
    if (vitalwire_table_stream(of_.get(), &out, &error) != VITALWIRE_OK) return detail::failed<ArrowArrayStream>(error);
    return out;
  }
  /// As one array of structs and its schema, both to be released. They keep the table's memory.
  call_result<std::pair<ArrowArray, ArrowSchema>> array() const {
    std::pair<ArrowArray, ArrowSchema> out{};
    vitalwire_error *error = nullptr;
    const vitalwire_code code = vitalwire_table_array(of_.get(), &out.first, &out.second, &error);
    if (code != VITALWIRE_OK) return detail::failed<std::pair<ArrowArray, ArrowSchema>>(error);
    return out;
  }

 private:
  std::unique_ptr<vitalwire_table, void (*)(vitalwire_table *)> of_;
};

namespace detail {

/// The name of a table; none where it is empty.
inline vitalwire_str named(std::string_view name) noexcept { return given(name.empty() ? std::string_view() : name); }

template <auto Finish>
result<table> finish_table(const vitalwire_call *call) {
  vitalwire_table *out = nullptr;
  vitalwire_error *error = nullptr;
  if (Finish(call, &out, &error) != VITALWIRE_OK) return vitalwire::error(error);
  return table(out);
}

}  // namespace detail

}  // namespace VITALWIRE_ERRORS
}  // namespace vitalwire

#endif
