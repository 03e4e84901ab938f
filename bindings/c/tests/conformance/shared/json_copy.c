/* Copies JSON texts of the library, such as unknown fields, in canonical form. */
#include "json.h"

#include <stdlib.h>
#include <string.h>

#include "program.h"

/* The rest of the text. Other text than valid JSON without spaces ends the program. */
struct source {
  const char *at;
  const char *end;
  /* Names of the fields to copy, terminated by NULL. NULL means all. */
  const char *const *names;
};

static char next(const struct source *source) {
  if (source->at >= source->end) give_up("a JSON text of the library breaks off");
  return *source->at;
}

static void expect(struct source *source, char wanted) {
  if (next(source) != wanted) give_up("a JSON text of the library is none");
  source->at++;
}

/* Copies a text with its escapes. */
static void copy_text(struct source *source, struct json *out) {
  const char *start = source->at;
  expect(source, '"');
  while (next(source) != '"') {
    if (next(source) == '\\') source->at++;
    source->at++;
  }
  source->at++;
  json_separate(out);
  json_raw(out, start, (size_t)(source->at - start));
}

/* Copies a number, true, false or null. Integers keep their digits. */
static void copy_word(struct source *source, struct json *out) {
  char word[400];
  size_t length = 0;
  while (source->at < source->end && strchr(",]}", *source->at) == NULL && length < sizeof word - 1) word[length++] = *source->at++;
  word[length] = '\0';
  const bool number = word[0] == '-' || (word[0] >= '0' && word[0] <= '9');
  if (number && strpbrk(word, ".eE") != NULL) {
    json_number(out, strtod(word, NULL));
    return;
  }
  json_separate(out);
  json_raw(out, word, length);
}

static void copy(struct source *source, struct json *out);

static bool is_chosen(vitalwire_str name, const char *const *names) {
  if (names == NULL) return true;
  while (*names != NULL && !vitalwire_str_equals(name, *names)) names++;
  return *names != NULL;
}

static void copy_members(struct source *source, struct json *out) {
  expect(source, '{');
  while (next(source) != '}') {
    if (*source->at == ',') source->at++;
    const size_t length = out->length;
    const char *name = source->at + 1;
    copy_text(source, out);
    const bool chosen = is_chosen((vitalwire_str){name, (size_t)(source->at - name) - 1}, source->names);
    expect(source, ':');
    json_raw(out, ":", 1);
    copy(source, out);
    if (!chosen) out->length = length;
  }
  source->at++;
}

static void copy(struct source *source, struct json *out) {
  switch (next(source)) {
    case '"':
      copy_text(source, out);
      break;
    case '{':
      json_open(out, '{');
      copy_members(source, out);
      json_close(out, '}');
      break;
    case '[':
      json_open(out, '[');
      source->at++;
      while (next(source) != ']') {
        if (*source->at == ',') source->at++;
        copy(source, out);
      }
      source->at++;
      json_close(out, ']');
      break;
    default:
      copy_word(source, out);
  }
}

void json_copy_rows(struct json *out, vitalwire_str value, const char *const *columns) {
  struct source source = {value.data, value.data + value.length, columns};
  copy(&source, out);
}

void json_copy(struct json *out, vitalwire_str value) { json_copy_rows(out, value, NULL); }

void json_extra(struct json *out, vitalwire_str value) {
  if (value.data == NULL) return;
  struct source source = {value.data, value.data + value.length, NULL};
  expect(&source, '{');
  while (next(&source) != '}') {
    if (*source.at == ',') source.at++;
    copy_text(&source, out);
    expect(&source, ':');
    json_raw(out, ":", 1);
    json_open(out, '{');
    json_name(out, "extra");
    copy(&source, out);
    json_close(out, '}');
  }
}
