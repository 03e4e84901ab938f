/* Uses a libuv loop, which polls the client's descriptor along with everything else. */
#define _GNU_SOURCE
#include <stdio.h>
#include <uv.h>
#include "vitalwire.h"

static uv_poll_t ready;

static void on_ready(uv_poll_t *poll, int status, int events) {
  if (status == 0 && (events & UV_READABLE) != 0) vitalwire_client_dispatch(poll->data);
}

static void on_user(void *user_data, vitalwire_call *call) {
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  if (vitalwire_client_user_info_finish(call, &user, &error) == VITALWIRE_OK)
    printf("%s %.*s\n", (const char *)user_data, VITALWIRE_STR(vitalwire_user_info_application_user_id(user)));
  else
    fprintf(stderr, "%.*s\n", VITALWIRE_STR(vitalwire_error_message(error)));
  vitalwire_error_free(error);
  vitalwire_user_info_free(user);
  vitalwire_call_free(call);
  uv_poll_stop(&ready); /* ends the loop, which has no other handle */
}

int main(void) {
  vitalwire_client *client = NULL;
  vitalwire_call *call = NULL;
  vitalwire_descriptor descriptor;
  if (vitalwire_client_from_env(&client, NULL) != VITALWIRE_OK) return 1;
  if (vitalwire_client_descriptor(client, &descriptor, NULL) != VITALWIRE_OK) return 1;
  uv_poll_init_socket(uv_default_loop(), &ready, descriptor);
  ready.data = client;
  uv_poll_start(&ready, UV_READABLE, on_ready);
  if (vitalwire_client_user_info_start(client, NULL, NULL, on_user, "hello,", NULL, &call, NULL) != VITALWIRE_OK) return 1;
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  uv_close((uv_handle_t *)&ready, NULL);
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  vitalwire_client_free(client);
  return 0;
}
