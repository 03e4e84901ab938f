/* Calls in a process that has no free file descriptors. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "smoke.h"

/* Limits the process to this number of further descriptors. Returns the previous limit. */
static struct rlimit exhaust(int left) {
  struct rlimit former, none;
  CHECK(getrlimit(RLIMIT_NOFILE, &former) == 0);
  none = former;
  const int next = dup(STDERR_FILENO);
  CHECK(next >= 0 && close(next) == 0);
  none.rlim_cur = (rlim_t)(next + left);
  CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
  return former;
}

static void check_exhausted(vitalwire_code code, vitalwire_error **error) {
  CHECK(code == VITALWIRE_ERROR_TRANSPORT && contains(vitalwire_error_message(*error), "no file descriptors are left"));
  vitalwire_error_free(*error);
  *error = NULL;
}

/* Creates a client that reads a file or folder of certificates; NULL for the bundle that the environment names. */
static void check_certificates(const char *path) {
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  if (path == NULL) {
    vitalwire_client_builder_set_ca_environment(builder, true);
  } else {
    vitalwire_client_builder_add_ca_file(builder, str(path));
  }
  check_exhausted(vitalwire_client_builder_build(builder, &client, &error), &error);
  CHECK(client == NULL && error == NULL);
  vitalwire_client_builder_free(builder);
}

void case_descriptors(void) {
  vitalwire_client *client = sandbox();
  vitalwire_user_info *user = NULL;
  vitalwire_error *error = NULL;
  vitalwire_descriptor descriptor;
  static const char path[] = "descriptors.pem", folder[] = "descriptors", inner[] = "descriptors/inner.pem";
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL && fputs("text", file) >= 0 && fclose(file) == 0);
  CHECK(mkdir(folder, 0700) == 0);
  file = fopen(inner, "wb");
  CHECK(file != NULL && fputs("text", file) >= 0 && fclose(file) == 0);
  CHECK(setenv("REQUESTS_CA_BUNDLE", path, 1) == 0);
  /* The folder can be opened, but not the file in it. */
  const struct rlimit former = exhaust(1);
  check_certificates(folder);
  CHECK(setrlimit(RLIMIT_NOFILE, &former) == 0);
  exhaust(0);
  check_certificates(path);
  check_certificates(folder);
  check_certificates(NULL);
  CHECK(unsetenv("REQUESTS_CA_BUNDLE") == 0);
  check_exhausted(vitalwire_client_user_info(client, NULL, NULL, &user, &error), &error);
  check_exhausted(vitalwire_client_descriptor(client, &descriptor, &error), &error);
  /* Creating a client that reads certificates, and reading a file to upload. */
  vitalwire_client *other = NULL;
  CHECK(setenv("VITALWIRE_CA_FILE", path, 1) == 0);
  check_exhausted(vitalwire_client_from_env(&other, &error), &error);
  CHECK(unsetenv("VITALWIRE_CA_FILE") == 0);
  vitalwire_lab_reports_upload_params *upload = NULL;
  check_exhausted(vitalwire_lab_reports_upload_params_from_file(str(path), (vitalwire_str){NULL, 0}, &upload, &error), &error);
  vitalwire_mock_responses *responses = NULL;
  check_exhausted(vitalwire_mock_responses_from_folder(str("."), &responses, &error), &error);
  CHECK(other == NULL && upload == NULL && responses == NULL);
  CHECK(setrlimit(RLIMIT_NOFILE, &former) == 0);
  CHECK(is_person(client));
  CHECK_OK(vitalwire_client_descriptor(client, &descriptor, &error), &error);
  vitalwire_client_free(client);
  CHECK(remove(path) == 0 && remove(inner) == 0 && rmdir(folder) == 0);
}
