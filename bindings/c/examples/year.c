/* Writes the daily statistics of 2025 to 2025.csv. After a failure, run it again: it continues where it stopped. */
#include <stdio.h>
#include "vitalwire.h"

static const char *const names[] = {"steps", "heartrate_resting"};
enum { NAMES = sizeof names / sizeof *names };

/* Returns the resume token of an earlier run, or an empty text. */
static vitalwire_str saved_token(void) {
  static char text[1 << 16];
  FILE *file = fopen("2025.resume", "rb");
  const size_t length = file == NULL ? 0 : fread(text, 1, sizeof text, file);
  if (file != NULL) fclose(file);
  return (vitalwire_str){length > 0 ? text : NULL, length};
}

/* Saves the resume token of the remaining parts, or removes the file if no part remains. */
static void save_token(vitalwire_json *token) {
  const vitalwire_str text = vitalwire_json_text(token);
  FILE *file = token == NULL ? NULL : fopen("2025.resume", "wb");
  if (token == NULL) remove("2025.resume");
  if (file != NULL && fwrite(text.data, 1, text.length, file) != text.length) perror("2025.resume");
  if (file != NULL) fclose(file);
  vitalwire_json_free(token);
}

static void write_days(FILE *file, const vitalwire_daily_statistics *days) {
  for (size_t i = 0; i < vitalwire_daily_statistics_statistics_count(days); i++) {
    const vitalwire_daily_bucket *bucket = vitalwire_daily_statistics_statistics_at(days, i);
    vitalwire_date date;
    if (!vitalwire_daily_bucket_date(bucket, &date)) continue;
    fprintf(file, "%04d-%02d-%02d", date.year, date.month, date.day);
    for (int name = 0; name < NAMES; name++) {
      double value;
      const vitalwire_statistics_values *values = vitalwire_daily_bucket_values(bucket);
      if (vitalwire_statistics_values_get(values, vitalwire_str_from(names[name]), &value)) fprintf(file, ",%.15g", value);
      else fputc(',', file); /* a missing value is not 0 */
    }
    fputc('\n', file);
  }
}

int main(void) {
  vitalwire_client *client = NULL;
  vitalwire_range_call *year = NULL;
  vitalwire_range_parts *parts = NULL;
  vitalwire_range_part *part = NULL;
  vitalwire_error *error = NULL;
  const vitalwire_date first = {2025, 1, 1}, last = {2025, 12, 31};
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(first, last);
  for (int name = 0; name < NAMES; name++) vitalwire_statistics_daily_params_add_types(params, vitalwire_str_from(names[name]));
  const vitalwire_str token = saved_token();
  vitalwire_range_options *options = vitalwire_range_options_new();
  vitalwire_range_options_set_part_days(options, 30);
  if (token.data != NULL) vitalwire_range_options_set_resume_token(options, token);
  FILE *file = fopen("2025.csv", token.data != NULL ? "a" : "w");
  if (file == NULL) return perror("2025.csv"), 1;
  vitalwire_code code = vitalwire_client_from_env(&client, &error);
  if (code == VITALWIRE_OK) code = vitalwire_client_statistics_daily_range(client, params, options, NULL, NULL, &year, &error);
  if (code == VITALWIRE_OK) code = vitalwire_range_call_read(year, &parts, &error);
  while (code == VITALWIRE_OK) {
    vitalwire_range_progress progress;
    fflush(file); /* write the rows before the token that excludes them */
    save_token(vitalwire_range_parts_resume_token(parts));
    code = vitalwire_range_parts_next(parts, &part, &error);
    if (code != VITALWIRE_OK || part == NULL) break;
    write_days(file, vitalwire_range_part_statistics_daily(part));
    if (vitalwire_range_parts_progress(parts, &progress))
      printf("part %u of %u, %u days\n", (unsigned)progress.done, (unsigned)progress.total, (unsigned)progress.items);
    vitalwire_range_part_free(part);
  }
  fclose(file);
  if (error != NULL) fprintf(stderr, "%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
  vitalwire_error_free(error);
  vitalwire_range_parts_free(parts);
  vitalwire_range_call_free(year);
  vitalwire_client_free(client);
  vitalwire_range_options_free(options);
  vitalwire_statistics_daily_params_free(params);
  return code == VITALWIRE_OK ? 0 : 1;
}
