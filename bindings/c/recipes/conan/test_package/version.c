#include <stdio.h>
#include "vitalwire.h"

int main(void) {
  printf("%.*s\n", VITALWIRE_STR(vitalwire_version()));
  return VITALWIRE_VERSION_MATCHES() ? 0 : 1;
}
