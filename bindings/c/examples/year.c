/* Writes the daily statistics of 2025 to CSV files, one for each part. After a failure, run it again: it continues where it stopped. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
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

/* Closes 2025.new and renames it. A file of the new name is therefore always complete. */
static bool finish(FILE *file, const char *name) {
  bool written = file != NULL && fflush(file) == 0 && !ferror(file);
  if (file != NULL && fclose(file) != 0) written = false;
  if (written && rename("2025.new", name) == 0) return true;
  perror(name);
  return false;
}

/* Saves the resume token of the remaining parts, or removes the file if no part remains. */
static bool save_token(vitalwire_json *token) {
  if (token == NULL) return remove("2025.resume") == 0;
  const vitalwire_str text = vitalwire_json_text(token);
  FILE *file = fopen("2025.new", "wb");
  if (file != NULL) fwrite(text.data, 1, text.length, file);
  vitalwire_json_free(token);
  return finish(file, "2025.resume");
}

static void write_day(FILE *file, const vitalwire_daily_bucket *day) {
  vitalwire_date date;
  if (!vitalwire_daily_bucket_date(day, &date)) return;
  fprintf(file, "%04d-%02d-%02d", date.year, date.month, date.day);
  for (int name = 0; name < NAMES; name++) {
    double value;
    const vitalwire_statistics_values *values = vitalwire_daily_bucket_values(day);
    if (vitalwire_statistics_values_get(values, vitalwire_str_from(names[name]), &value)) fprintf(file, ",%.15g", value);
    else fputc(',', file); /* a missing value is not 0 */
  }
  fputc('\n', file);
}

/* Writes a part to a file that is named after the first day of the part. */
static bool write_part(const vitalwire_range_part *part) {
  char name[48];
  vitalwire_date first = {0, 0, 0};
  vitalwire_range_part_dates(part, &first, NULL);
  snprintf(name, sizeof name, "%04d-%02d-%02d.csv", first.year, first.month, first.day);
  const vitalwire_daily_statistics *days = vitalwire_range_part_statistics_daily(part);
  FILE *file = fopen("2025.new", "w");
  if (file != NULL) fputs("date,steps,heartrate_resting\n", file);
  for (size_t i = 0; file != NULL && i < vitalwire_daily_statistics_statistics_count(days); i++)
    write_day(file, vitalwire_daily_statistics_statistics_at(days, i));
  return finish(file, name);
}

int main(void) {
  vitalwire_client *client = NULL;
  vitalwire_user_info *user = NULL;
  vitalwire_range_call *year = NULL;
  vitalwire_range_parts *parts = NULL;
  vitalwire_range_part *part = NULL;
  vitalwire_error *error = NULL;
  const vitalwire_date first = {2025, 1, 1}, last = {2025, 12, 31};
  umask(077); /* only this user can read the files */
  const vitalwire_str token = saved_token();
  if (token.data == NULL && access("2025-01-01.csv", F_OK) == 0) return fputs("2025-01-01.csv exists already\n", stderr), 1;
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(first, last);
  for (int name = 0; name < NAMES; name++) vitalwire_statistics_daily_params_add_types(params, vitalwire_str_from(names[name]));
  vitalwire_range_options *options = vitalwire_range_options_new();
  vitalwire_range_options_set_part_days(options, 30);
  if (token.data != NULL) vitalwire_range_options_set_resume_token(options, token);
  vitalwire_code code = vitalwire_client_from_env(&client, &error);
  if (code == VITALWIRE_OK) code = vitalwire_client_user_info(client, NULL, NULL, &user, &error);
  const vitalwire_str user_id = vitalwire_user_info_application_user_id(user);
  bool saved = user_id.data != NULL;
  if (code == VITALWIRE_OK && !saved) fputs("the user has no id\n", stderr);
  vitalwire_range_options_set_resume_key(options, user_id); /* a resume token of another user is rejected */
  if (code == VITALWIRE_OK) code = vitalwire_client_statistics_daily_range(client, params, options, NULL, NULL, &year, &error);
  if (code == VITALWIRE_OK) code = vitalwire_range_call_read(year, &parts, &error);
  while (code == VITALWIRE_OK && saved) {
    vitalwire_range_progress progress;
    saved = save_token(vitalwire_range_parts_resume_token(parts)); /* after the rows that it excludes */
    if (saved) code = vitalwire_range_parts_next(parts, &part, &error);
    if (!saved || code != VITALWIRE_OK || part == NULL) break;
    saved = write_part(part);
    if (saved && vitalwire_range_parts_progress(parts, &progress))
      printf("part %u of %u, %u days\n", (unsigned)progress.done, (unsigned)progress.total, (unsigned)progress.items);
    vitalwire_range_part_free(part);
  }
  if (error != NULL) fprintf(stderr, "%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
  vitalwire_error_free(error);
  vitalwire_range_parts_free(parts);
  vitalwire_range_call_free(year);
  vitalwire_user_info_free(user);
  vitalwire_client_free(client);
  vitalwire_range_options_free(options);
  vitalwire_statistics_daily_params_free(params);
  return code == VITALWIRE_OK && saved ? 0 : 1;
}
