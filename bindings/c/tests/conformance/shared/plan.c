/* Parser of the plan's lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

/* Unescapes backslashes in place. */
static size_t unescape(char *text, size_t length) {
  size_t to = 0;
  for (size_t from = 0; from < length; from++) {
    char byte = text[from];
    if (byte == '\\' && from + 1 < length) {
      byte = text[++from];
      if (byte == 't') byte = '\t';
      if (byte == 'n') byte = '\n';
      if (byte == 'r') byte = '\r';
    }
    text[to++] = byte;
  }
  return to;
}

/* Parses the line of a leaf. */
static struct leaf leaf(char *line, char *end) {
  char *type = memchr(line, '\t', (size_t)(end - line));
  if (type == NULL || end - type < 3 || type[2] != '\t') give_up("a line of the plan is none");
  *type = '\0';
  struct leaf leaf = {line, type[1], {type + 3, (size_t)(end - type - 3)}};
  if (leaf.type == 's') {
    leaf.value.length = unescape(type + 3, leaf.value.length);
    type[3 + leaf.value.length] = '\0';
  }
  return leaf;
}

size_t plan_read(char *text, size_t length, struct planned **cases) {
  size_t lines = 0;
  for (size_t i = 0; i < length; i++) lines += text[i] == '\n';
  struct leaf *leaves = memory(NULL, (lines + 1) * sizeof *leaves);
  *cases = memory(NULL, (lines + 1) * sizeof **cases);
  size_t count = 0;
  for (char *line = text, *end; (end = memchr(line, '\n', (size_t)(text + length - line))) != NULL; line = end + 1) {
    *end = '\0';
    if (strncmp(line, "case\t", 5) == 0) {
      (*cases)[count++] = (struct planned){line + 5, leaves, 0};
    } else if (count > 0) {
      *leaves++ = leaf(line, end);
      (*cases)[count - 1].count++;
    } else {
      give_up("the plan begins without a case");
    }
  }
  return count;
}

const struct leaf *plan_at(const struct planned *planned, const char *place) {
  for (size_t i = 0; i < planned->count; i++) {
    if (strcmp(planned->leaves[i].place, place) == 0) return &planned->leaves[i];
  }
  return NULL;
}

bool plan_has(const struct planned *planned, const char *place) {
  const size_t length = strlen(place);
  for (size_t i = 0; i < planned->count; i++) {
    const char *other = planned->leaves[i].place;
    if (strncmp(other, place, length) == 0 && (other[length] == '/' || other[length] == '\0')) return true;
  }
  return false;
}

bool plan_text(const struct planned *planned, const char *place, vitalwire_str *value) {
  const struct leaf *leaf = plan_at(planned, place);
  if (leaf == NULL || leaf->type != 's') return false;
  *value = leaf->value;
  return true;
}

bool plan_number(const struct planned *planned, const char *place, uint64_t *value) {
  const struct leaf *leaf = plan_at(planned, place);
  if (leaf == NULL || leaf->type != 'n') return false;
  *value = strtoull(leaf->value.data, NULL, 10);
  return true;
}

bool plan_boolean(const struct planned *planned, const char *place, bool *value) {
  const struct leaf *leaf = plan_at(planned, place);
  if (leaf == NULL || leaf->type != 'b') return false;
  *value = vitalwire_str_equals(leaf->value, "true");
  return true;
}

bool plan_under(const struct planned *planned, const char *start, struct planned *call) {
  static const char operation[] = "/call/operation";
  const size_t length = strlen(start);
  size_t count = 0;
  size_t size = 0;
  for (size_t i = 0; i < planned->count; i++) {
    const char *place = planned->leaves[i].place;
    if (strncmp(place, start, length) != 0 || place[length] != '/') continue;
    count++;
    size += sizeof operation + strlen(place + length);
  }
  *call = (struct planned){planned->id, NULL, 0};
  if (count == 0) return false;
  struct leaf *leaves = memory(NULL, count * sizeof *leaves);
  /* One allocation, to which the first leaf points, has the pointers of all leaves. */
  char *places = memory(NULL, size);
  for (size_t i = 0; i < planned->count; i++) {
    const struct leaf *leaf = &planned->leaves[i];
    if (strncmp(leaf->place, start, length) != 0 || leaf->place[length] != '/') continue;
    leaves[call->count++] = (struct leaf){places, leaf->type, leaf->value};
    places += sprintf(places, "%s%s", operation, leaf->place + length) + 1;
  }
  call->leaves = leaves;
  return true;
}

bool plan_item(const struct planned *planned, const char *list, size_t at, struct planned *call) {
  char start[60];
  snprintf(start, sizeof start, "%s/%zu", list, at);
  return plan_under(planned, start, call);
}

void plan_call_free(struct planned *call) {
  if (call->count > 0) free((void *)(uintptr_t)call->leaves[0].place);
  free((void *)(uintptr_t)call->leaves);
}
