/* Answers from memory, attempts seen by a function, and the signature of the exchange. */
#include "smoke.h"

#include <string.h>

struct seen {
  vitalwire_client *client;
  int attempts;
  uint16_t status[4];
  vitalwire_code code[4];
  int64_t next_delay_ms[4];
  vitalwire_code inner;
};

static void see(void *user_data, const vitalwire_attempt *attempt) {
  struct seen *seen = user_data;
  CHECK(vitalwire_str_equals(attempt->operation, "get_user_info"));
  CHECK(vitalwire_str_equals(attempt->path_template, "/v3/userinfo"));
  CHECK(attempt->attempt == (uint32_t)seen->attempts + 1);
  if (seen->attempts < 4) {
    seen->status[seen->attempts] = attempt->status;
    seen->code[seen->attempts] = attempt->code;
    seen->next_delay_ms[seen->attempts] = attempt->next_delay_ms;
  }
  seen->attempts++;
  /* A call from here is refused, and harms nothing. */
  vitalwire_user_info *user = NULL;
  seen->inner = vitalwire_client_user_info(seen->client, NULL, NULL, NULL, &user, NULL);
}

static vitalwire_code add(vitalwire_answers *answers, uint16_t status, const char *body) {
  return vitalwire_answers_add(answers, vitalwire_str_from("get_user_info"), status, (const uint8_t *)body,
                               body == NULL ? 0 : strlen(body), 0, NULL);
}

static void signatures(void) {
  /* printf %s user-1 | openssl dgst -sha256 -hmac an-application-key */
  const char *expected = "b6d21240a619a16353e8c662685627a2265f08c83c41770f287675104842d9b2";
  const char *key = "an-application-key";
  vitalwire_json *signature = NULL;
  CHECK(vitalwire_sign_user_id((const uint8_t *)key, strlen(key), vitalwire_str_from("user-1"), &signature, NULL) == VITALWIRE_OK);
  CHECK(vitalwire_str_equals(vitalwire_json_text(signature), expected));
  vitalwire_json_free(signature);
  CHECK(vitalwire_sign_user_id(NULL, 0, vitalwire_str_from("user-1"), &signature, NULL) == VITALWIRE_ERROR_INVALID_ARGUMENT);
  CHECK(vitalwire_sign_user_id((const uint8_t *)key, 0, vitalwire_str_from("user-1"), &signature, NULL) ==
        VITALWIRE_ERROR_INVALID_ARGUMENT);
}

void case_answers(void) {
  struct seen seen;
  memset(&seen, 0, sizeof seen);
  vitalwire_answers *answers = vitalwire_answers_new();
  CHECK(add(answers, 503, NULL) == VITALWIRE_OK);
  CHECK(add(answers, 200, "{\"uid\":\"u-1\"}") == VITALWIRE_OK);
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_answers(builder, answers);
  vitalwire_client_builder_set_on_attempt(builder, see, &seen);
  vitalwire_client_builder_set_retry_delay_scale(builder, 0);
  vitalwire_error *error = NULL;
  CHECK_OK(vitalwire_client_builder_build(builder, &seen.client, &error), &error);
  vitalwire_client_builder_free(builder);

  vitalwire_user_info *user = NULL;
  CHECK_OK(vitalwire_client_user_info(seen.client, NULL, NULL, NULL, &user, &error), &error);
  CHECK(vitalwire_str_equals(vitalwire_user_info_uid(user), "u-1"));
  vitalwire_user_info_free(user);
  CHECK(seen.attempts == 2 && seen.status[0] == 503 && seen.status[1] == 200);
  CHECK(seen.code[0] == VITALWIRE_ERROR_SERVICE && seen.code[1] == VITALWIRE_OK);
  CHECK(seen.next_delay_ms[0] == 0 && seen.next_delay_ms[1] == -1);
  CHECK(seen.inner == VITALWIRE_ERROR_CONFIGURATION);
  vitalwire_json *requested = vitalwire_answers_requested(answers);
  /* A list of two, without a NUL at its end. */
  CHECK(vitalwire_json_text(requested).length > 2 * strlen("{\"path\":\"/v3/userinfo\"}"));
  vitalwire_json_free(requested);
  vitalwire_answers_free(answers);
  vitalwire_client_free(seen.client);
  signatures();
}
