/* Links two Rust libraries into one program. Both panic, allocate and start threads; their symbols must not conflict. */
#include <stdint.h>
#include <stdio.h>
#include <vitalwire.h>

uint64_t other_library_sum(uint64_t up_to);

int main(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_samples();
  vitalwire_json *requested = vitalwire_mock_responses_requests(responses);
  const bool empty = vitalwire_str_equals(vitalwire_json_text(requested), "[]");
  vitalwire_json_free(requested);
  vitalwire_mock_responses_free(responses);
  printf("%d %u\n", empty, (unsigned)other_library_sum(4));
  return empty && other_library_sum(4) == 10 ? 0 : 1;
}
