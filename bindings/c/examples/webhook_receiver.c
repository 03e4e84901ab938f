/* A CGI program that receives webhooks: the body on standard input, its signature in the environment. */
#include <stdio.h>
#include <stdlib.h>
#include "vitalwire.h"

static int status_of(vitalwire_code code) {
  switch (code) {
    case VITALWIRE_OK: return 200; /* the service resends the body until it receives 200 */
    case VITALWIRE_ERROR_SIGNATURE: return 401;
    case VITALWIRE_ERROR_DECODE: return 400;
    default: return 500;
  }
}

int main(void) {
  static uint8_t body[1 << 20];
  const size_t length = fread(body, 1, sizeof body, stdin);
  const vitalwire_str key = vitalwire_str_from(getenv("VITALWIRE_WEBHOOK_KEY"));
  const vitalwire_str signature = vitalwire_str_from(getenv("HTTP_X_BODY_SIGNATURE"));
  vitalwire_webhook_verifier *verifier = NULL;
  vitalwire_webhook_event_list *events = NULL;
  vitalwire_content_key content;
  vitalwire_error *error = NULL;
  vitalwire_webhook_verifier_builder *builder = vitalwire_webhook_verifier_builder_new();
  vitalwire_webhook_verifier_builder_add_key(builder, (const uint8_t *)key.data, key.length);
  vitalwire_code code = vitalwire_webhook_verifier_builder_build(builder, &verifier, &error);
  if (code == VITALWIRE_OK) code = vitalwire_webhook_verify(verifier, body, length, signature, &error);
  if (code == VITALWIRE_OK) code = vitalwire_webhook_events(body, length, &events, &error);
  for (size_t i = 0; i < vitalwire_webhook_event_list_count(events); i++) {
    const vitalwire_webhook_event *event = vitalwire_webhook_event_list_at(events, i);
    if (vitalwire_webhook_content_key(body, length, &content)) /* equal for a resent body */
      fprintf(stderr, "%s: %.*s\n", content.text, VITALWIRE_STR(vitalwire_webhook_event_event_type(event)));
  }
  printf("Status: %d\r\nContent-Type: text/plain\r\n\r\n%.*s", status_of(code), VITALWIRE_STR(vitalwire_error_message(error)));
  vitalwire_error_free(error);
  vitalwire_webhook_event_list_free(events);
  vitalwire_webhook_verifier_free(verifier);
  vitalwire_webhook_verifier_builder_free(builder);
  return 0;
}
