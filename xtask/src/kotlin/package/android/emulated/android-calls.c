// Loads the library that its argument names and calls it as uniffi's bindings do: the version, a text that becomes a record, one that becomes
// an error, and a buffer that cannot be, of which the library panics. Ends with 0 where all of that is as it should be.

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the bindings in this repository were made for.
#define VERSION 30

typedef struct {
  uint64_t capacity, length;
  uint8_t *data;
} Buffer;

typedef struct {
  int8_t code;
  Buffer error;
} Status;

static void *library;

static void must(int holds, const char *what) {
  if (holds) return;
  printf("not as it should be: %s\n", what);
  exit(1);
}

static void *function(const char *name) {
  void *found = dlsym(library, name);
  must(found != NULL, name);
  return found;
}

static Buffer buffer(const uint8_t *data, size_t length) {
  Buffer (*alloc)(uint64_t, Status *) = function("ffi_vitalwire_uniffi_rustbuffer_alloc");
  Status status = {0};
  Buffer made = alloc(length, &status);
  must(status.code == 0 && made.data != NULL, "a buffer");
  memcpy(made.data, data, length);
  made.length = length;
  return made;
}

// A text that may be absent: a one, the length with its highest byte first, the text.
static Buffer some(const char *text) {
  uint8_t bytes[64] = {1, 0, 0, 0, (uint8_t)strlen(text)};
  memcpy(bytes + 5, text, strlen(text));
  return buffer(bytes, 5 + strlen(text));
}

static int holds(Buffer buffer, const char *text) {
  size_t length = strlen(text);
  for (uint64_t at = 0; at + length <= buffer.length; at++) {
    if (memcmp(buffer.data + at, text, length) == 0) return 1;
  }
  return 0;
}

static Buffer parsed(Buffer url, const char *state, Status *status) {
  Buffer (*parse)(Buffer, Buffer, Status *) = function("uniffi_vitalwire_uniffi_fn_func_parse_return");
  return parse(url, some(state), status);
}

static Buffer text(const char *text) { return buffer((const uint8_t *)text, strlen(text)); }

int main(int count, char **arguments) {
  must(count == 2, "the argument");
  library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) printf("%s\n", dlerror());
  must(library != NULL, "the library is loaded");
  uint32_t (*version)(void) = function("ffi_vitalwire_uniffi_uniffi_contract_version");
  must(version() == VERSION, "the version");

  // Twice: what was left of a panic would show.
  for (int turn = 0; turn < 2; turn++) {
    Status status = {0};
    Buffer value = parsed(text("app://done?state=abc&x=1"), "abc", &status);
    must(status.code == 0 && holds(value, "abc"), "a record");
    value = parsed(text("app://done?state=other"), "abc", &status);
    must(status.code == 1 && holds(status.error, "signature") && !holds(status.error, "other"), "an error");
    // Bytes that are nowhere: uniffi panics, and what called it has a status.
    status = (Status){0};
    parsed((Buffer){8, 8, NULL}, "abc", &status);
    must(status.code == 2 && holds(status.error, "non-zero capacity"), "a panic");
  }
  printf("version %d, a record, an error, a panic\n", VERSION);
  return 0;
}
