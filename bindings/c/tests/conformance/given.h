/* A case's arguments, read as the types that calls take, and what every generated call is given. */
#ifndef GIVEN_H
#define GIVEN_H

#include "runner.h"

/* An argument that is no item of a list. */
#define ALONE SIZE_MAX

/* A call about to be made. */
struct turn {
  const struct planned *planned;
  const vitalwire_client *client;
  const vitalwire_call_options *options;
  const vitalwire_cancel *cancel;
  /* How an analysis is waited for. */
  const vitalwire_wait_options *wait;
  /* What is wrong with the case: an argument that is missing, not known or of another type. Empty where nothing is. */
  char mistake[120];
};

/* An operation: its id, its call, what it has besides (NULL where it does not), and the names of its arguments, of which the last is NULL. */
struct operation {
  const char *id;
  vitalwire_code (*call)(struct turn *turn, struct json *out, vitalwire_error **error);
  /* The call that waits. */
  vitalwire_code (*wait)(struct turn *turn, struct json *out, vitalwire_error **error);
  /* The call over a range, and its merged answer. */
  vitalwire_code (*range)(struct turn *turn, const vitalwire_range_options *options, vitalwire_range **out, vitalwire_error **error);
  void (*merged)(struct json *out, const vitalwire_range_merged *merged);
  const char *const *arguments;
};

/* Bytes, freed by the caller. */
struct bytes {
  uint8_t *data;
  size_t length;
};

/* What base64 stands for, or `zeros:` and how many; no data where it is neither. */
struct bytes bytes_read(vitalwire_str text);

/* Refuses names that the operation does not have. */
void given_names(struct turn *turn, const char *const *names);
bool given_has(const struct turn *turn, const char *name);
/* The items of a list; 0 where there is none. */
size_t given_count(const struct turn *turn, const char *name);

/* An argument, or an item of one. A mistake is noted and gives nothing. */
vitalwire_str given_text(struct turn *turn, const char *name, size_t item);
bool given_boolean(struct turn *turn, const char *name, size_t item);
int64_t given_integer(struct turn *turn, const char *name, size_t item);
double given_number(struct turn *turn, const char *name, size_t item);
vitalwire_timestamp given_timestamp(struct turn *turn, const char *name, size_t item);
vitalwire_date given_date(struct turn *turn, const char *name, size_t item);
/* Bytes that are not there are none. */
struct bytes given_bytes(struct turn *turn, const char *name, size_t item);

#endif
