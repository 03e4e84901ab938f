/* Keeps a copy of a user's days and sleeps in the file copy.tsv. Run it as often as you like, one run at a time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "vitalwire.h"

enum { LINE_SIZE = 1 << 20 };

/* The copy: its state, and a line for each record, of kind, id, day and rows, separated by tabs. */
static struct {
  uint8_t state[1 << 20];
  size_t length;
  char *lines[10000];
  size_t count;
} copy;

/* Removes records of a kind with this text in column 1, the id, or in column 2, the day. */
static void remove_records(vitalwire_str kind, int column, vitalwire_str text) {
  size_t left = 0;
  for (size_t i = 0; i < copy.count; i++) {
    const char *field = copy.lines[i];
    const bool of_kind = strncmp(field, kind.data, kind.length) == 0 && field[kind.length] == '\t';
    for (int at = 0; at < column && field != NULL; at++) field = strchr(field, '\t') == NULL ? NULL : strchr(field, '\t') + 1;
    if (of_kind && field != NULL && strncmp(field, text.data, text.length) == 0 && field[text.length] == '\t') free(copy.lines[i]);
    else copy.lines[left++] = copy.lines[i];
  }
  copy.count = left;
}

/* Adds a line, which free() frees later. */
static bool add_line(char *line) {
  if (line == NULL || copy.count == sizeof copy.lines / sizeof *copy.lines) return free(line), false;
  copy.lines[copy.count++] = line;
  return true;
}

static bool apply(const vitalwire_sync_change *change) {
  const vitalwire_str kind = vitalwire_sync_change_kind(change), id = vitalwire_sync_change_id(change);
  char day[16] = "";
  vitalwire_date date;
  if (vitalwire_sync_change_day(change, &date)) snprintf(day, sizeof day, "%04d-%02d-%02d", date.year, date.month, date.day);
  const vitalwire_change_type type = vitalwire_sync_change_type(change);
  if (type == VITALWIRE_CHANGE_DAY_REMOVED) return remove_records(kind, 2, vitalwire_str_from(day)), true; /* those that still exist follow */
  remove_records(kind, 1, id);
  if (type == VITALWIRE_CHANGE_REMOVED) return true;
  vitalwire_json *json = vitalwire_sync_change_json_rows(change);
  const vitalwire_str rows = vitalwire_json_text(json);
  const size_t size = kind.length + id.length + strlen(day) + rows.length + 4;
  char *line = size < LINE_SIZE ? malloc(size) : NULL;
  if (line != NULL) snprintf(line, size, "%.*s\t%.*s\t%s\t%.*s", VITALWIRE_STR(kind), VITALWIRE_STR(id), day, VITALWIRE_STR(rows));
  vitalwire_json_free(json);
  return add_line(line);
}

/* Reads copy.tsv: the length of the state and the number of records, the state, and the records. Returns false if the file is damaged. */
static bool read_copy(void) {
  FILE *file = fopen("copy.tsv", "rb");
  if (file == NULL) return true; /* the first run */
  static char line[LINE_SIZE];
  unsigned long long length = 0, count = 0;
  bool read = fgets(line, sizeof line, file) != NULL && sscanf(line, "%llu %llu", &length, &count) == 2 && length <= sizeof copy.state &&
              fread(copy.state, 1, copy.length = length, file) == length && fgetc(file) == '\n';
  while (read && fgets(line, sizeof line, file) != NULL) {
    char *end = strchr(line, '\n');
    read = end != NULL;
    if (!read) break;
    *end = '\0';
    char *kept = malloc((size_t)(end - line) + 1);
    read = add_line(kept == NULL ? NULL : strcpy(kept, line));
  }
  return fclose(file) == 0 && read && copy.count == count;
}

/* Writes copy.new and renames it, so that changes and state are stored together. read_copy detects a file that a power failure cut. */
static bool write_copy(void) {
  FILE *file = fopen("copy.new", "wb");
  if (file == NULL) return false;
  fprintf(file, "%zu %zu\n", copy.length, copy.count);
  fwrite(copy.state, 1, copy.length, file);
  fputc('\n', file);
  for (size_t i = 0; i < copy.count; i++) fprintf(file, "%s\n", copy.lines[i]);
  const bool written = fflush(file) == 0 && !ferror(file);
  return fclose(file) == 0 && written && rename("copy.new", "copy.tsv") == 0;
}

/* Called with each part. Returns false to end the sync, which leaves the stored state as it is. */
static bool store(void *user_data, const vitalwire_sync_part *part) {
  bool *stored = user_data;
  const vitalwire_bytes state = vitalwire_sync_part_state(part);
  *stored = state.length <= sizeof copy.state;
  for (size_t i = 0; *stored && i < vitalwire_sync_part_changes_count(part); i++) *stored = apply(vitalwire_sync_part_changes_at(part, i));
  if (!*stored) return false;
  memcpy(copy.state, state.data, copy.length = state.length);
  vitalwire_sync_progress progress = {0, 0};
  vitalwire_sync_part_progress(part, &progress);
  if (!(*stored = write_copy())) return false;
  printf("%llu of %llu days, %zu changes\n", (unsigned long long)progress.done_days, (unsigned long long)progress.total_days,
         vitalwire_sync_part_changes_count(part));
  return true;
}

int main(void) {
  vitalwire_client *client = NULL;
  vitalwire_sync_call *sync = NULL;
  vitalwire_error *error = NULL;
  const vitalwire_date first = {2025, 11, 1};
  const char *secret = getenv("SYNC_SECRET"); /* at least 16 random bytes, outside of the copy */
  umask(077); /* only this user can read the copy */
  bool stored = true;
  if (secret == NULL) return fputs("set SYNC_SECRET\n", stderr), 1;
  if (!read_copy()) return fputs("copy.tsv is damaged\n", stderr), 1;
  vitalwire_sync_params *params = vitalwire_sync_params_new(vitalwire_str_from("user-7"), (const uint8_t *)secret, strlen(secret));
  vitalwire_sync_params_add_kind(params, vitalwire_str_from(VITALWIRE_RECORD_KIND_DAILY));
  vitalwire_sync_params_add_kind(params, vitalwire_str_from(VITALWIRE_RECORD_KIND_SLEEPS));
  vitalwire_sync_params_set_from(params, first);
  vitalwire_sync_params_set_state(params, copy.length > 0 ? copy.state : NULL, copy.length);
  vitalwire_code code = vitalwire_client_from_env(&client, &error);
  if (code == VITALWIRE_OK) code = vitalwire_client_sync(client, params, NULL, NULL, &sync, &error);
  if (code == VITALWIRE_OK) code = vitalwire_sync_call_each(sync, store, &stored, NULL, &error);
  if (error != NULL) fprintf(stderr, "%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
  if (!stored) fputs("the copy cannot be written\n", stderr);
  vitalwire_error_free(error);
  vitalwire_sync_call_free(sync);
  vitalwire_client_free(client);
  vitalwire_sync_params_free(params);
  while (copy.count > 0) free(copy.lines[--copy.count]);
  return code == VITALWIRE_OK && stored ? 0 : 1;
}
