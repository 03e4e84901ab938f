/* Uploads to a server that closes connections while it receives the body. SIGPIPE has its default action, which ends the program. */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "smoke.h"

enum { BODY = 4000000, ROUNDS = 4, THREADS = 2 };

static uint8_t *body;

/* Accepts connections until the socket is shut down. Resets every second connection. */
static void *close_connections(void *server) {
  const struct linger reset = {1, 0};
  for (int count = 0;; count++) {
    const int connection = accept(*(int *)server, NULL, NULL);
    if (connection < 0) return NULL;
    char sink[4096];
    CHECK(recv(connection, sink, sizeof sink, 0) >= 0);
    if (count % 2) setsockopt(connection, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(connection);
  }
}

static vitalwire_lab_reports_upload_params *upload_params(void) {
  return vitalwire_lab_reports_upload_params_new(body, BODY, str("report.pdf"));
}

static void *upload(void *client) {
  for (int round = 0; round < ROUNDS; round++) {
    vitalwire_lab_reports_upload_params *params = upload_params();
    vitalwire_lab_report_response *response = NULL;
    vitalwire_error *error = NULL;
    CHECK(vitalwire_client_lab_reports_upload(client, params, NULL, NULL, &response, &error) == VITALWIRE_ERROR_TRANSPORT);
    CHECK(vitalwire_error_may_have_taken_effect(error));
    vitalwire_error_free(error);
    vitalwire_lab_reports_upload_params_free(params);
  }
  return NULL;
}

static void start_uploads(vitalwire_client *client) {
  vitalwire_call *calls[ROUNDS];
  for (int i = 0; i < ROUNDS; i++) {
    vitalwire_lab_reports_upload_params *params = upload_params();
    vitalwire_error *error = NULL;
    CHECK_OK(vitalwire_client_lab_reports_upload_start(client, params, NULL, NULL, NULL, NULL, NULL, &calls[i], &error), &error);
    vitalwire_lab_reports_upload_params_free(params);
  }
  for (int i = 0; i < ROUNDS; i++) {
    vitalwire_lab_report_response *response = NULL;
    vitalwire_error *error = NULL;
    CHECK(vitalwire_call_wait(calls[i], UINT64_MAX));
    CHECK(vitalwire_client_lab_reports_upload_finish(calls[i], &response, &error) == VITALWIRE_ERROR_TRANSPORT);
    vitalwire_error_free(error);
    vitalwire_call_free(calls[i]);
  }
}

void case_signals(void) {
  char url[64];
  int server = black_hole(url, sizeof url);
  CHECK(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
  pthread_t closing;
  CHECK(pthread_create(&closing, NULL, close_connections, &server) == 0);
  body = malloc(BODY);
  memset(body, 'x', BODY);
  memcpy(body, "%PDF-1.4\n", 9);

  vitalwire_error *error = NULL;
  vitalwire_client *client = NULL;
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_base_url(builder, str(url));
  vitalwire_client_builder_set_token(builder, str("token"));
  vitalwire_client_builder_set_max_retries(builder, 0);
  vitalwire_client_builder_set_no_proxy(builder);
  CHECK_OK(vitalwire_client_builder_build(builder, &client, &error), &error);
  vitalwire_client_builder_free(builder);

  /* The calling thread drives a single call; threads of the library drive several and started ones. */
  upload(client);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, upload, client) == 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  start_uploads(client);

  /* The library leaves the action, the mask and the pending signals of the program as they were. */
  struct sigaction action;
  sigset_t mask, pending;
  CHECK(sigaction(SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_DFL);
  CHECK(pthread_sigmask(SIG_BLOCK, NULL, &mask) == 0 && sigismember(&mask, SIGPIPE) == 0);
  CHECK(sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 0);

  vitalwire_client_free(client);
  free(body);
  shutdown(server, SHUT_RDWR);
  pthread_join(closing, NULL);
  close(server);
}
