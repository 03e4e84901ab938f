/* Tests of cancellation from another thread, closing, forking, and one client in many threads. */
#define _POSIX_C_SOURCE 200809L

#include "smoke.h"

#include <pthread.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* The token that cancels a call, and the server that receives it. */
struct call {
  vitalwire_cancel_token *cancel;
  int server, connection;
};

/* Cancels a call after the server has received its request. */
static void *cancel_waiting(void *data) {
  struct call *call = data;
  call->connection = requested(call->server);
  vitalwire_cancel_token_cancel(call->cancel);
  return NULL;
}

void case_cancel(void) {
  int server;
  vitalwire_client *client = silent_client(&server);
  vitalwire_error *error = NULL;

  vitalwire_cancel_token *cancel = vitalwire_cancel_token_new();
  struct call call = {cancel, server, -1};
  pthread_t thread;
  const double start = now();
  CHECK(pthread_create(&thread, NULL, cancel_waiting, &call) == 0);
  vitalwire_user_info *user = NULL;
  vitalwire_code code = vitalwire_client_user_info(client, NULL, cancel, &user, &error);
  const double took = now() - start;
  CHECK(code == VITALWIRE_ERROR_CANCELLED && user == NULL && vitalwire_error_code(error) == code);
  /* The call ends soon after the cancellation, long before its timeout of 30 s. */
  CHECK(took < 15);
  /* A GET request cannot have taken effect. */
  CHECK(vitalwire_error_attempts(error) == 1 && vitalwire_str_equals(vitalwire_error_operation(error), "get_user_info"));
  CHECK(!vitalwire_error_may_have_taken_effect(error));
  vitalwire_error_free(error);
  error = NULL;
  pthread_join(thread, NULL);
  CHECK(closed(call.connection));

  /* The service may have received the upload. */
  vitalwire_cancel_token *other = vitalwire_cancel_token_new();
  call = (struct call){other, server, -1};
  CHECK(pthread_create(&thread, NULL, cancel_waiting, &call) == 0);
  vitalwire_nutrition_records_upload_params *picture = vitalwire_nutrition_records_upload_params_new();
  vitalwire_nutrition_records_upload_params_set_body_url(picture, str("https://pictures.example/1.jpeg"));
  vitalwire_nutrition_upload_response *meal = NULL;
  CHECK(vitalwire_client_nutrition_records_upload(client, picture, NULL, other, &meal, &error) == VITALWIRE_ERROR_CANCELLED);
  CHECK(vitalwire_error_may_have_taken_effect(error) && !vitalwire_error_is_transient(error) && vitalwire_error_attempts(error) == 1);
  vitalwire_nutrition_records_upload_params_free(picture);
  vitalwire_error_free(error);
  error = NULL;
  pthread_join(thread, NULL);
  CHECK(closed(call.connection));
  vitalwire_cancel_token_free(other);

  /* A token stays cancelled: the next call sends nothing. */
  code = vitalwire_client_user_info(client, NULL, cancel, &user, NULL);
  CHECK(code == VITALWIRE_ERROR_CANCELLED);
  vitalwire_cancel_token_free(cancel);

  /* The timeout of the call expires. */
  vitalwire_call_options *options = vitalwire_call_options_new();
  vitalwire_call_options_set_timeout_ms(options, 200);
  code = vitalwire_client_user_info(client, options, NULL, &user, &error);
  CHECK(code == VITALWIRE_ERROR_TIMEOUT && vitalwire_error_is_transient(error) && !vitalwire_error_status(error, NULL));
  vitalwire_error_free(error);
  vitalwire_call_options_free(options);
  vitalwire_client_free(client);
  close(server);
}

bool is_person(vitalwire_client *client) {
  vitalwire_call_options *options = vitalwire_call_options_new();
  vitalwire_call_options_set_timeout_ms(options, 5000);
  vitalwire_user_info *user = NULL;
  const vitalwire_code code = vitalwire_client_user_info(client, options, NULL, &user, NULL);
  const bool is_it = code == VITALWIRE_OK && vitalwire_str_equals(vitalwire_user_info_application_user_id(user), "person-1");
  vitalwire_user_info_free(user);
  vitalwire_call_options_free(options);
  return is_it;
}

/* A forked child does not have the threads and connections of its parent. */
void case_fork(void) {
  vitalwire_client *client = sandbox();
  CHECK(is_person(client));
  for (int round = 0; round < 3; round++) {
    const pid_t child = fork();
    if (child == 0) {
      /* Limits the time, because a call that waits for threads of the parent never ends. */
      alarm(20);
      const bool both = is_person(client) && is_person(client);
      vitalwire_client_free(client);
      _exit(both ? 0 : 1);
    }
    CHECK(child > 0 && is_person(client));
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(is_person(client));
  }
  vitalwire_client_free(client);
}

void case_close(void) {
  vitalwire_client *client = sandbox();
  CHECK(is_person(client));
  vitalwire_client_close(client, false);
  vitalwire_client_close(client, true);
  vitalwire_client_close(NULL, true);
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  CHECK(vitalwire_client_user_info(client, NULL, NULL, &user, &error) == VITALWIRE_ERROR_CLOSED && user == NULL);
  CHECK(vitalwire_error_attempts(error) == 0 && vitalwire_str_equals(vitalwire_error_operation(error), "get_user_info"));
  vitalwire_error_free(error);
  vitalwire_client_free(client);
}

static void *call_often(void *client) {
  size_t right = 0;
  for (int i = 0; i < 5; i++) {
    vitalwire_user_info *user = NULL;
    if (vitalwire_client_user_info(client, NULL, NULL, &user, NULL) == VITALWIRE_OK) {
      right += vitalwire_str_equals(vitalwire_user_info_application_user_id(user), "person-1");
    }
    vitalwire_user_info_free(user);
  }
  return right == 5 ? client : NULL;
}

void case_threads(void) {
  vitalwire_client *client = sandbox();
  pthread_t threads[4];
  const size_t count = sizeof threads / sizeof *threads;
  for (size_t i = 0; i < count; i++) CHECK(pthread_create(&threads[i], NULL, call_often, client) == 0);
  for (size_t i = 0; i < count; i++) {
    void *result = NULL;
    CHECK(pthread_join(threads[i], &result) == 0 && result == client);
  }
  vitalwire_client_free(client);
}
