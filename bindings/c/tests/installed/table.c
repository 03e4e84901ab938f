/* Reads the steps of three days as an Arrow table. */
#include <stdio.h>
#include <vitalwire.h>

int main(void) {
  vitalwire_client *client = NULL;
  vitalwire_table *table = NULL;
  vitalwire_error *error = NULL;
  struct ArrowArrayStream stream;
  struct ArrowArray rows = {.length = 0};
  const vitalwire_date first = {2025, 11, 18}, last = {2025, 11, 20};
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(first, last);
  vitalwire_statistics_daily_params_add_types(params, vitalwire_str_from("steps"));
  vitalwire_code code = vitalwire_client_from_env(&client, &error);
  if (code == VITALWIRE_OK)
    code = vitalwire_client_statistics_daily_table(
        client, params, vitalwire_str_from(VITALWIRE_TABLE_DAILY_STATISTICS), NULL, NULL, &table, &error);
  if (code == VITALWIRE_OK) code = vitalwire_table_stream(table, &stream, &error);
  if (code == VITALWIRE_OK) {
    if (stream.get_next(&stream, &rows) == 0 && rows.release != NULL) rows.release(&rows);
    stream.release(&stream);
  }
  printf("%d rows %.*s\n", (int)vitalwire_table_rows_count(table), VITALWIRE_STR(vitalwire_error_message(error)));
  const int ended = code == VITALWIRE_OK && vitalwire_table_rows_count(table) > 0 ? 0 : 1;
  vitalwire_error_free(error);
  vitalwire_table_free(table);
  vitalwire_client_free(client);
  vitalwire_statistics_daily_params_free(params);
  return ended;
}
