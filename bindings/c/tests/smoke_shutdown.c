/* Started calls after the client is closed, the process forks, or the threads of the library end. */
#define _POSIX_C_SOURCE 200809L

#include "smoke.h"

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static vitalwire_call *user_info(vitalwire_client *client, vitalwire_completion completion, void *data) {
  vitalwire_call *call = NULL;
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_user_info_start(client, NULL, NULL, completion, data, NULL, &call, &error), &error);
  return call;
}

/* Waits for a call and frees it. Returns its code. */
static vitalwire_code finish(vitalwire_call *call) {
  vitalwire_user_info *user = NULL;
  CHECK(vitalwire_call_wait(call, 15000));
  const vitalwire_code code = vitalwire_client_user_info_finish(call, &user, NULL);
  vitalwire_user_info_free(user);
  vitalwire_call_free(call);
  return code;
}

void case_started_close(void) {
  /* Calls in flight complete. */
  vitalwire_mock_responses *responses = vitalwire_mock_responses_samples();
  add_response(responses, "get_user_info", "{}", 100);
  vitalwire_client *client = client_with(responses);
  vitalwire_call *call = user_info(client, NULL, NULL);
  vitalwire_client_close(client, false);
  const vitalwire_code code = finish(call);
  CHECK(code != VITALWIRE_ERROR_CLOSED && code != VITALWIRE_ERROR_CANCELLED);
  /* Later calls start and fail because the client is closed. */
  CHECK(finish(user_info(client, NULL, NULL)) == VITALWIRE_ERROR_CLOSED);
  vitalwire_client_free(client);

  /* With abort_calls, calls in flight are aborted. */
  int server;
  client = silent_client(&server);
  call = user_info(client, NULL, NULL);
  const int connection = requested(server);
  vitalwire_client_close(client, true);
  CHECK(finish(call) == VITALWIRE_ERROR_CLOSED && closed(connection));
  /* A client may be freed before its calls. */
  vitalwire_client_free(client);
  client = sandbox();
  call = user_info(client, NULL, NULL);
  vitalwire_client_free(client);
  CHECK(finish(call) == VITALWIRE_OK);
  close(server);
}

static void count(void *data, vitalwire_call *call) {
  vitalwire_user_info *user = NULL;
  *(int *)data += vitalwire_client_user_info_finish(call, &user, NULL) == VITALWIRE_OK;
  vitalwire_user_info_free(user);
  vitalwire_call_free(call);
}

/* Returns whether an event loop completes a call. */
static bool completes_in_loop(vitalwire_client *client) {
  vitalwire_descriptor descriptor;
  int right = 0;
  if (vitalwire_client_descriptor(client, &descriptor, NULL) != VITALWIRE_OK) return false;
  user_info(client, count, &right);
  struct pollfd ready = {descriptor, POLLIN, 0};
  return poll(&ready, 1, 15000) == 1 && vitalwire_client_dispatch(client) == 1 && right == 1;
}

void case_started_fork(void) {
  vitalwire_client *client = sandbox();
  CHECK(completes_in_loop(client));
  int server;
  vitalwire_client *hanging = silent_client(&server);
  vitalwire_call *call = user_info(hanging, NULL, NULL);
  const int connection = requested(server);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    /* The child cannot use the parent's call. */
    vitalwire_user_info *user = NULL;
    const bool gone = vitalwire_call_wait(call, UINT64_MAX) &&
                      vitalwire_client_user_info_finish(call, &user, NULL) == VITALWIRE_ERROR_INTERNAL && user == NULL;
    vitalwire_call_cancel(call);
    vitalwire_call_free(call);
    const bool both = completes_in_loop(client) && finish(user_info(client, NULL, NULL)) == VITALWIRE_OK;
    const bool ended = vitalwire_shutdown(NULL) == VITALWIRE_OK;
    vitalwire_client_free(client);
    _exit(gone && both && ended ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  /* The call continues in the parent. */
  CHECK(!vitalwire_call_wait(call, 0) && completes_in_loop(client));
  vitalwire_call_cancel(call);
  CHECK(finish(call) == VITALWIRE_ERROR_CANCELLED);
  close(connection);
  close(server);
  vitalwire_client_free(hanging);
  vitalwire_client_free(client);
}

/* Returns the number of threads of this process. */
static int threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (tasks == NULL) return -1;
  int count = 0;
  for (const struct dirent *task = readdir(tasks); task != NULL; task = readdir(tasks)) count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}

static void count_cancelled(void *data, vitalwire_call *call) {
  vitalwire_user_info *user = NULL;
  *(int *)data += vitalwire_client_user_info_finish(call, &user, NULL) == VITALWIRE_ERROR_CANCELLED;
  vitalwire_call_free(call);
}

struct blocked {
  vitalwire_client *client;
  vitalwire_cancel_token *cancel;
  vitalwire_code code;
};

static void *block(void *data) {
  struct blocked *blocked = data;
  vitalwire_user_info *user = NULL;
  blocked->code = vitalwire_client_user_info(blocked->client, NULL, blocked->cancel, &user, NULL);
  return NULL;
}

void case_shutdown(void) {
  vitalwire_error *error = NULL;
  /* A shutdown succeeds before the first call, also twice. */
  CHECK_OK(vitalwire_shutdown(&error), &error);
  CHECK_OK(vitalwire_shutdown(&error), &error);
  vitalwire_client *client = sandbox();
  CHECK(is_person(client) && finish(user_info(client, NULL, NULL)) == VITALWIRE_OK);
  int server, others[2];
  vitalwire_client *hanging = silent_client(&others[0]), *looping = silent_client(&others[1]);

  /* A shutdown is rejected while a thread waits for a call. */
  struct blocked blocked = {silent_client(&server), vitalwire_cancel_token_new(), VITALWIRE_OK};
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, block, &blocked) == 0);
  const int connection = requested(server);
  CHECK(vitalwire_shutdown(&error) == VITALWIRE_ERROR_CONFIGURATION);
  vitalwire_error_free(error);
  error = NULL;
  vitalwire_cancel_token_cancel(blocked.cancel);
  CHECK(pthread_join(thread, NULL) == 0 && blocked.code == VITALWIRE_ERROR_CANCELLED && closed(connection));
  vitalwire_cancel_token_free(blocked.cancel);
  vitalwire_client_free(blocked.client);

  /* Started calls are cancelled and completed. With an event loop, vitalwire_client_dispatch completes them. */
  int by_library = 0, by_loop = 0;
  vitalwire_descriptor descriptor;
  CHECK_OK(vitalwire_client_descriptor(looping, &descriptor, &error), &error);
  for (int i = 0; i < 10; i++) {
    user_info(hanging, count_cancelled, &by_library);
    user_info(looping, count_cancelled, &by_loop);
  }
  CHECK_OK(vitalwire_shutdown(&error), &error);
  CHECK(by_library == 10 && by_loop == 0);
  CHECK(vitalwire_client_dispatch(looping) == 10 && by_loop == 10);
#ifdef __linux__
  CHECK(threads() == 1);
#endif
  /* The next call starts new threads. */
  CHECK(is_person(client) && finish(user_info(client, NULL, NULL)) == VITALWIRE_OK && completes_in_loop(client));
  vitalwire_client_free(client);
  vitalwire_client_free(hanging);
  vitalwire_client_free(looping);
  CHECK_OK(vitalwire_shutdown(&error), &error);
#ifdef __linux__
  CHECK(threads() == 1);
#endif
  close(server);
  close(others[0]);
  close(others[1]);
}
