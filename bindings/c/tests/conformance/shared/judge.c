/* A client of the judge: HTTP over plain sockets, one request per connection. */
#define _POSIX_C_SOURCE 200809L

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "program.h"

/* Parses the URL of the judge, whose host is numeric: `http://127.0.0.1:8080/judge`. */
static int reach(const char **folder) {
  const char *url = getenv("VITALWIRE_JUDGE");
  char host[64];
  int port = 0;
  int read = 0;
  if (url == NULL || sscanf(url, "http://%63[0-9.]:%d%n", host, &port, &read) != 2) give_up("VITALWIRE_JUDGE is no address");
  *folder = url + read;
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons((uint16_t)port);
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connection < 0 || inet_pton(AF_INET, host, &address.sin_addr) != 1 ||
      connect(connection, (struct sockaddr *)&address, sizeof address) != 0)
    give_up("the judge cannot be reached");
  return connection;
}

static void send_all(int connection, const char *bytes, size_t length) {
  while (length > 0) {
    const ssize_t sent = send(connection, bytes, length, MSG_NOSIGNAL);
    if (sent <= 0) give_up("the judge stopped reading");
    bytes += sent;
    length -= (size_t)sent;
  }
}

/* Receives the whole response, NUL-terminated. The judge closes the connection after the response. */
static struct json receive_all(int connection) {
  struct json response = {0};
  char part[16384];
  ssize_t got;
  while ((got = recv(connection, part, sizeof part, 0)) > 0) json_raw(&response, part, (size_t)got);
  if (got < 0) give_up("the connection to the judge failed");
  json_raw(&response, "", 1);
  return response;
}

static struct json ask(const char *method, const char *path, const char *body, size_t length) {
  const char *folder = NULL;
  const int connection = reach(&folder);
  char head[512];
  const int size = snprintf(head, sizeof head, "%s %s/%s HTTP/1.1\r\nhost: judge\r\nconnection: close\r\ncontent-length: %zu\r\n\r\n",
                            method, folder, path, length);
  if (size < 0 || (size_t)size >= sizeof head) give_up("a path is too long");
  send_all(connection, head, (size_t)size);
  send_all(connection, body, length);
  /* Ends the request, so that the judge closes the connection after its response. */
  shutdown(connection, SHUT_WR);
  struct json response = receive_all(connection);
  close(connection);
  if (strncmp(response.text, "HTTP/1.1 2", 10) != 0) give_up("the judge rejected a request");
  return response;
}

char *judge_get(const char *path, size_t *length) {
  struct json response = ask("GET", path, NULL, 0);
  const char *end = strstr(response.text, "\r\n\r\n");
  if (end == NULL) give_up("the judge's response must have headers that end");
  *length = response.length - 1 - (size_t)(end + 4 - response.text);
  memmove(response.text, end + 4, *length + 1);
  return response.text;
}

void judge_post(const char *path, const struct json *body) {
  struct json response = ask("POST", path, body->text, body->length);
  json_free(&response);
}
