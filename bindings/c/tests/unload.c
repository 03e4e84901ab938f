/* Loads the library by name like a plug-in, makes calls, ends its threads and unloads it, three times. No thread may be left. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vitalwire.h"

#define CHECK(condition)                                               \
  do {                                                                 \
    if (!(condition)) {                                                \
      fprintf(stderr, "unload.c:%d: not true: " #condition "\n", __LINE__); \
      exit(1);                                                         \
    }                                                                  \
  } while (0)

static void *library;

/* Converts the result of dlsym, which is a pointer to an object, to a function. */
static void find(const char *name, void *function) {
  void *found = dlsym(library, name);
  CHECK(found != NULL);
  memcpy(function, &found, sizeof found);
}

static int threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  CHECK(tasks != NULL);
  int count = 0;
  for (const struct dirent *task = readdir(tasks); task != NULL; task = readdir(tasks)) count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}

static void *use(void *path) {
  library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  CHECK(library != NULL);
  vitalwire_code (*from_env)(vitalwire_client **, vitalwire_error **);
  vitalwire_code (*start)(const vitalwire_client *, const vitalwire_call_options *, const vitalwire_cancel_token *, vitalwire_completion,
                          void *, vitalwire_destructor, vitalwire_call **, vitalwire_error **);
  vitalwire_code (*finish)(const vitalwire_call *, vitalwire_user_info **, vitalwire_error **);
  vitalwire_code (*blocking)(const vitalwire_client *, const vitalwire_call_options *, const vitalwire_cancel_token *, vitalwire_user_info **,
                             vitalwire_error **);
  bool (*wait)(const vitalwire_call *, uint64_t);
  void (*free_user)(vitalwire_user_info *);
  void (*free_call)(vitalwire_call *);
  void (*free_client)(vitalwire_client *);
  vitalwire_code (*shutdown)(vitalwire_error **);
  find("vitalwire_client_from_env", &from_env);
  find("vitalwire_client_user_info_start", &start);
  find("vitalwire_client_user_info_finish", &finish);
  find("vitalwire_client_user_info", &blocking);
  find("vitalwire_call_wait", &wait);
  find("vitalwire_user_info_free", &free_user);
  find("vitalwire_call_free", &free_call);
  find("vitalwire_client_free", &free_client);
  find("vitalwire_shutdown", &shutdown);
  vitalwire_client *client = NULL;
  CHECK(from_env(&client, NULL) == VITALWIRE_OK);
  vitalwire_user_info *user = NULL;
  CHECK(blocking(client, NULL, NULL, &user, NULL) == VITALWIRE_OK);
  free_user(user);
  vitalwire_call *calls[20];
  const size_t count = sizeof calls / sizeof *calls;
  for (size_t i = 0; i < count; i++) CHECK(start(client, NULL, NULL, NULL, NULL, NULL, &calls[i], NULL) == VITALWIRE_OK);
  for (size_t i = 0; i < count; i++) {
    /* The last calls are freed before they end. */
    if (i < count / 2) {
      CHECK(wait(calls[i], 15000) && finish(calls[i], &user, NULL) == VITALWIRE_OK);
      free_user(user);
    }
    free_call(calls[i]);
  }
  CHECK(threads() > 2);
  CHECK(shutdown(NULL) == VITALWIRE_OK);
  free_client(client);
  CHECK(threads() == 2);
  return path;
}

int main(int count, char **arguments) {
  CHECK(count == 2);
  for (int round = 0; round < 3; round++) {
    /* Each round runs on its own thread, because the C library unloads a library only after the threads that called it have ended. */
    pthread_t thread;
    void *result = NULL;
    CHECK(pthread_create(&thread, NULL, use, arguments[1]) == 0 && pthread_join(thread, &result) == 0 && result == arguments[1]);
    CHECK(threads() == 1 && dlclose(library) == 0);
    CHECK(dlopen(arguments[1], RTLD_NOW | RTLD_NOLOAD) == NULL);
  }
  return 0;
}
