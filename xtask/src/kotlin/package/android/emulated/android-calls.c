// Loads the library in its argument and calls it like uniffi's bindings. Requests the version, and passes a text that becomes a record and
// one that becomes an error. Then passes an invalid buffer, which makes the library panic. Exits with 0 if all results are as expected.

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// uniffi's contract version of the bindings in this repository.
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

static void check(int holds, const char *what) {
  if (holds) return;
  printf("unexpected: %s\n", what);
  exit(1);
}

static void *function(const char *name) {
  void *found = dlsym(library, name);
  check(found != NULL, name);
  return found;
}

static Buffer buffer(const uint8_t *data, size_t length) {
  Buffer (*alloc)(uint64_t, Status *) = function("ffi_vitalwire_uniffi_rustbuffer_alloc");
  Status status = {0};
  Buffer made = alloc(length, &status);
  check(status.code == 0 && made.data != NULL, "a buffer");
  memcpy(made.data, data, length);
  made.length = length;
  return made;
}

// An optional text: a 1, the length in big-endian order, the text.
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

static Buffer parse_redirect(Buffer url, const char *state, Status *status) {
  Buffer (*parse)(Buffer, Buffer, Status *) = function("uniffi_vitalwire_uniffi_fn_func_parse_consent_redirect");
  return parse(url, some(state), status);
}

static Buffer text(const char *text) { return buffer((const uint8_t *)text, strlen(text)); }

int main(int count, char **arguments) {
  check(count == 2, "the argument");
  library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) printf("%s\n", dlerror());
  check(library != NULL, "the library is loaded");
  uint32_t (*version)(void) = function("ffi_vitalwire_uniffi_uniffi_contract_version");
  check(version() == VERSION, "the version");

  // Repeat the calls to find effects of the panic on later ones.
  for (int turn = 0; turn < 2; turn++) {
    Status status = {0};
    Buffer value = parse_redirect(text("app://done?state=abc&x=1"), "abc", &status);
    check(status.code == 0 && holds(value, "abc"), "a record");
    value = parse_redirect(text("app://done?state=other"), "abc", &status);
    check(status.code == 1 && holds(status.error, "signature") && !holds(status.error, "other"), "an error");
    // A null pointer with a capacity: uniffi panics and returns a status.
    status = (Status){0};
    parse_redirect((Buffer){8, 8, NULL}, "abc", &status);
    check(status.code == 2 && holds(status.error, "non-zero capacity"), "a panic");
  }
  printf("version %d, a record, an error, a panic\n", VERSION);
  return 0;
}
