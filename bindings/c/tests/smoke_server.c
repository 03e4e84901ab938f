/* A server that never responds, and a clock. */
#define _POSIX_C_SOURCE 200809L

#include "smoke.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int black_hole(char *url, size_t size) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(server >= 0 && bind(server, (struct sockaddr *)&address, length) == 0 && listen(server, 8) == 0);
  CHECK(getsockname(server, (struct sockaddr *)&address, &length) == 0);
  snprintf(url, size, "http://127.0.0.1:%d", (int)ntohs(address.sin_port));
  return server;
}

bool closed(int connection) {
  const struct timeval patience = {15, 0};
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  char sink[4096];
  ssize_t got = 1;
  while (got > 0) got = recv(connection, sink, sizeof sink, 0);
  close(connection);
  return got == 0;
}

vitalwire_client *silent_client(int *server) {
  char url[64];
  *server = black_hole(url, sizeof url);
  vitalwire_error *error = NULL;
  vitalwire_client *client = NULL;
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_base_url(builder, str(url));
  vitalwire_client_builder_set_token(builder, str("token"));
  CHECK_OK(vitalwire_client_builder_build(builder, &client, &error), &error);
  vitalwire_client_builder_free(builder);
  return client;
}

int requested(int server) {
  const int connection = accept(server, NULL, NULL);
  char first;
  CHECK(recv(connection, &first, 1, 0) == 1);
  return connection;
}
