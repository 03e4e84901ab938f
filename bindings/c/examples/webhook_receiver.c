/* A CGI program that receives webhooks: the body on standard input, its length and signature in the environment. For each body, it keeps
   a file in the folder "received". Only the web server may have access to this folder. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "vitalwire.h"

enum { MAX_BODY_BYTES = 32 << 20 };
static uint8_t body[MAX_BODY_BYTES];
static size_t length;

/* Logs an error and returns its status. */
static int status_of(vitalwire_code code, vitalwire_error *error) {
  if (error != NULL) fprintf(stderr, "%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
  vitalwire_error_free(error);
  switch (code) {
    case VITALWIRE_OK: return 200; /* the service resends the body until it receives 200 */
    case VITALWIRE_ERROR_SIGNATURE: return 401;
    case VITALWIRE_ERROR_DECODE: return 400;
    default: return 500;
  }
}

/* Reads the body. */
static int read_body(void) {
  const char *text = getenv("CONTENT_LENGTH");
  if (text == NULL || *text == '\0' || text[strspn(text, "0123456789")] != '\0') return 400;
  if (strlen(text) > 8 || strtoul(text, NULL, 10) > MAX_BODY_BYTES) return 413;
  length = strtoul(text, NULL, 10);
  return fread(body, 1, length, stdin) == length ? 200 : 400;
}

static int verify(void) {
  const vitalwire_str key = vitalwire_str_from(getenv("VITALWIRE_WEBHOOK_KEY"));
  const vitalwire_str signature = vitalwire_str_from(getenv("HTTP_X_BODY_SIGNATURE"));
  vitalwire_webhook_verifier *verifier = NULL;
  vitalwire_error *error = NULL;
  vitalwire_webhook_verifier_builder *builder = vitalwire_webhook_verifier_builder_new();
  vitalwire_webhook_verifier_builder_add_key(builder, (const uint8_t *)key.data, key.length);
  vitalwire_code code = vitalwire_webhook_verifier_builder_build(builder, &verifier, &error);
  if (code == VITALWIRE_OK) code = vitalwire_webhook_verify(verifier, body, length, signature, &error);
  vitalwire_webhook_verifier_free(verifier);
  vitalwire_webhook_verifier_builder_free(builder);
  return status_of(code, error);
}

/* Logs what has changed. Store the body here and process it later, because the service waits only 30 seconds. */
static int process(void) {
  vitalwire_error *error = NULL;
  vitalwire_code code = VITALWIRE_ERROR_DECODE;
  const vitalwire_webhook_kind kind = vitalwire_webhook_detect_kind(body, length);
  if (kind == VITALWIRE_WEBHOOK_EVENTS) {
    vitalwire_webhook_event_list *events = NULL;
    code = vitalwire_webhook_events(body, length, &events, &error);
    for (size_t i = 0; i < vitalwire_webhook_event_list_count(events); i++)
      fprintf(stderr, "event: %.*s\n", VITALWIRE_STR(vitalwire_webhook_event_event_type(vitalwire_webhook_event_list_at(events, i))));
    vitalwire_webhook_event_list_free(events);
  } else if (kind == VITALWIRE_WEBHOOK_LAB_REPORT) {
    vitalwire_lab_report_webhook *report = NULL;
    code = vitalwire_webhook_lab_report(body, length, &report, &error);
    if (code == VITALWIRE_OK) fprintf(stderr, "lab report: %.*s\n", VITALWIRE_STR(vitalwire_lab_report_webhook_status(report)));
    vitalwire_lab_report_webhook_free(report);
  } else if (kind == VITALWIRE_WEBHOOK_NUTRITION) {
    vitalwire_nutrition_webhook *meal = NULL;
    code = vitalwire_webhook_nutrition(body, length, &meal, &error);
    if (code == VITALWIRE_OK) fprintf(stderr, "meal: %.*s\n", VITALWIRE_STR(vitalwire_nutrition_webhook_status(meal)));
    vitalwire_nutrition_webhook_free(meal);
  } else {
    fputs("the kind of the body is unknown\n", stderr);
  }
  return status_of(code, error);
}

/* Processes a body that may be received several times. Its file is locked while the body is processed, and not empty afterwards. */
static int process_once(void) {
  char path[80];
  vitalwire_content_key key; /* equal for a resent body; never log it */
  struct stat state;
  if (!vitalwire_webhook_content_key(body, length, &key)) return 500;
  snprintf(path, sizeof path, "received/%s", key.text);
  const int file = open(path, O_RDWR | O_CREAT, 0600);
  if (file < 0) return perror("received"), 500;
  int status = flock(file, LOCK_EX | LOCK_NB) != 0 ? 503 : fstat(file, &state) != 0 ? 500 : 200;
  if (status == 200 && state.st_size == 0) {
    status = process();
    if (status == 200 && write(file, "1", 1) != 1) status = 500;
  }
  close(file); /* releases the lock, as the end of the program does */
  return status;
}

int main(void) {
  int status = read_body();
  if (status == 200) status = verify();
  if (status == 200) status = process_once();
  printf("Status: %d\r\nContent-Type: text/plain\r\n\r\n", status);
  return 0;
}
