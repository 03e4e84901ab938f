#include <duckdb.h>
#include <iostream>
#include "vitalwire.hpp"

// Reads the steps of three days in DuckDB through the Arrow C data interface.
int main() try {
  const auto client = vitalwire::client::from_env();
  const auto days = vitalwire::statistics_daily_params({2025, 11, 18}, {2025, 11, 20}).types({"steps"});
  ArrowArrayStream stream = client.statistics().daily_table(days).stream();
  duckdb_database database;
  duckdb_connection connection;
  duckdb_result rows;
  if (duckdb_open(nullptr, &database) == DuckDBError || duckdb_connect(database, &connection) == DuckDBError) return 1;
  // A stream can be read only once, so store it in a table.
  if (duckdb_arrow_scan(connection, "response", reinterpret_cast<duckdb_arrow_stream>(&stream)) == DuckDBError) return 1;
  if (duckdb_query(connection, "create table days as select * from response", nullptr) == DuckDBError) return 1;
  if (duckdb_query(connection, "select date::text, steps::int from days order by date", &rows) == DuckDBError) return 1;
  for (idx_t row = 0; row < duckdb_row_count(&rows); ++row) {
    char *const date = duckdb_value_varchar(&rows, 0, row);
    std::cout << date << ' ' << duckdb_value_int32(&rows, 1, row) << " steps\n";
    duckdb_free(date);
  }
  duckdb_destroy_result(&rows);
  duckdb_disconnect(&connection);
  duckdb_close(&database);
} catch (const vitalwire::error &error) {
  return std::cerr << error.what() << '\n', 1;
}
