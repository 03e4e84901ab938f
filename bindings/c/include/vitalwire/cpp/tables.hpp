// Tables, exported with the Arrow C data interface.

#ifndef VITALWIRE_CPP_TABLES_HPP
#define VITALWIRE_CPP_TABLES_HPP

#include <map>
#include <string>

#include "results.hpp"

namespace vitalwire {
inline namespace VITALWIRE_ERRORS {

/// A response as a table. A missing value is null, never 0. Reading texts of a temporary does not compile, because they would dangle.
class table {
 public:
  explicit table(vitalwire_table *of) noexcept : of_(of, vitalwire_table_free) {}

  /// Name of the table, one of VITALWIRE_TABLE_*.
  std::string_view name() const & noexcept { return detail::text(vitalwire_table_name(of_.get())); }
  std::string_view name() const && = delete;
  std::size_t rows() const noexcept { return vitalwire_table_rows_count(of_.get()); }
  /// Number of skipped values. A value is skipped if it has an unexpected type, is a time outside the range of the column, or is a list
  /// item that cannot be decoded.
  std::uint64_t skipped_count() const noexcept { return vitalwire_table_skipped_count(of_.get()); }
  /// Number of skipped values by column. Objects and lists of another type, and list items that cannot be decoded, are counted by response
  /// field, or as `response` if the response itself is the list.
  std::map<std::string, std::uint64_t> skipped_by_column() const {
    std::map<std::string, std::uint64_t> counts;
    vitalwire_skipped_values values{};
    for (std::size_t index = 0; vitalwire_table_skipped_at(of_.get(), index, &values); ++index) {
      counts[std::string(detail::text(values.column))] += values.count;
    }
    return counts;
  }
  /// Resume token for the missing parts of a range that collects failures; nullopt if no part is missing.
  std::optional<std::string_view> resume_token() const & noexcept { return detail::text_if(vitalwire_table_resume_token(of_.get())); }
  std::optional<std::string_view> resume_token() const && = delete;
  /// Exports the table as a stream of one batch, which shares the memory of the table. The reader must release the stream.
  call_result<ArrowArrayStream> stream() const {
    ArrowArrayStream out{};
    vitalwire_error *error = nullptr;
    if (vitalwire_table_stream(of_.get(), &out, &error) != VITALWIRE_OK) return detail::fail<ArrowArrayStream>(error);
    return out;
  }
  /// Exports the table as an array of structs and its schema, which share the memory of the table. The caller must release both.
  call_result<std::pair<ArrowArray, ArrowSchema>> array() const {
    std::pair<ArrowArray, ArrowSchema> out{};
    vitalwire_error *error = nullptr;
    const vitalwire_code code = vitalwire_table_array(of_.get(), &out.first, &out.second, &error);
    if (code != VITALWIRE_OK) return detail::fail<std::pair<ArrowArray, ArrowSchema>>(error);
    return out;
  }

 private:
  std::unique_ptr<vitalwire_table, void (*)(vitalwire_table *)> of_;
};

namespace detail {

/// Converts the name of a table. An empty name becomes a text without `data`, which selects the first table.
inline vitalwire_str table_name(std::string_view name) noexcept { return to_c(name.empty() ? std::string_view() : name); }

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
