/* Tests of uploads of files, with mock responses. */
#include "smoke.h"

#include <string.h>

static void write_file(const char *path, const void *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  if (!CHECK(file != NULL)) return;
  CHECK(fwrite(bytes, 1, length, file) == length);
  fclose(file);
}

/* Returns whether the last request had this text in its body. */
static bool was_sent(const vitalwire_mock_responses *responses, const char *text) {
  vitalwire_json *requested = vitalwire_mock_responses_requests(responses);
  const bool found = contains(vitalwire_json_text(requested), text);
  vitalwire_json_free(requested);
  return found;
}

/* Returns whether a request had this JSON string in its body. Quotes are escaped there. */
static bool was_sent_quoted(const vitalwire_mock_responses *responses, const char *text) {
  char quoted[500];
  snprintf(quoted, sizeof quoted, "\\\"%s\\\"", text);
  return was_sent(responses, quoted);
}

static void pictures(vitalwire_client *client, const vitalwire_mock_responses *responses) {
  static const char path[] = "smoke-picture.png", other[] = "smoke-picture.gif";
  write_file(path, picture, sizeof picture);
  write_file(other, "GIF89a", 6);
  vitalwire_error *error = NULL;
  vitalwire_nutrition_records_upload_params *upload = vitalwire_nutrition_records_upload_params_new();
  CHECK_OK(vitalwire_nutrition_records_upload_params_read_file(upload, str(path), true, &error), &error);
  /* Rejected uploads send nothing. */
  CHECK(vitalwire_nutrition_records_upload_params_read_file(upload, str(other), true, NULL) == VITALWIRE_ERROR_INVALID_ARGUMENT);
  CHECK_REFUSED(vitalwire_nutrition_records_upload_params_read_file(upload, str("no-such-file.png"), false, &error), &error, "path");
  CHECK_REFUSED(vitalwire_nutrition_records_upload_params_read_file(upload, str(NULL), false, &error), &error, "path");
  CHECK_REFUSED(vitalwire_nutrition_records_upload_params_read_file(NULL, str(path), false, &error), &error, "params");
  vitalwire_nutrition_upload_response *response = NULL;
  CHECK_OK(vitalwire_client_nutrition_records_upload(client, upload, NULL, NULL, &response, &error), &error);
  CHECK(was_sent(responses, "iVBORw0KGgo"));
  vitalwire_nutrition_upload_response_free(response);
  vitalwire_nutrition_records_upload_params_free(upload);
  remove(path);
  remove(other);
}

/* Adds a comment chunk to the PNG, before its image data. Returns the new length. */
static size_t add_comment(uint8_t *png) {
  /* The chunk follows the header, which has 33 bytes. It contains a keyword, a NUL and the text. */
  static const uint8_t comment[] = {0, 0, 0, 14, 't', 'E', 'X', 't', 'C', 'o', 'm', 'm', 'e', 'n', 't', 0, 'c', 'a', 'n', 'a', 'r', 'y', 0x05, 0xc4, 0x5c, 0xad};
  memcpy(png, picture, 33);
  memcpy(png + 33, comment, sizeof comment);
  memcpy(png + 33 + sizeof comment, picture + 33, sizeof picture - 33);
  return sizeof picture + sizeof comment;
}

/* Writes bytes as base64, NUL-terminated. */
static void base64(char *text, const uint8_t *bytes, size_t length) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t at = 0; at < length; at += 3) {
    uint32_t three = 0;
    for (size_t i = 0; i < 3; i++) three = three << 8 | (at + i < length ? bytes[at + i] : 0);
    for (size_t i = 0; i < 4; i++) *text++ = at + i > length ? '=' : letters[three >> (18 - 6 * i) & 63];
  }
  *text = '\0';
}

/* Metadata of a picture is sent unless it is removed with either of the two functions. */
static void metadata(void) {
  static const char path[] = "smoke-comment.png";
  uint8_t png[200];
  const size_t length = add_comment(png);
  char with[400], without[400];
  base64(with, png, length);
  base64(without, picture, sizeof picture);
  write_file(path, png, length);
  for (int removes = 0; removes < 2; removes++) {
    for (int from_file = 0; from_file < 2; from_file++) {
      /* Makes one request. */
      vitalwire_mock_responses *responses = vitalwire_mock_responses_samples();
      vitalwire_client_builder *builder = vitalwire_client_builder_new();
      vitalwire_client_builder_set_mock_responses(builder, responses);
      vitalwire_client *client = NULL;
      vitalwire_error *error = NULL;
      CHECK_OK(vitalwire_client_builder_build(builder, &client, &error), &error);
      vitalwire_client_builder_free(builder);
      vitalwire_nutrition_records_upload_params *upload = vitalwire_nutrition_records_upload_params_new();
      if (from_file != 0) {
        CHECK_OK(vitalwire_nutrition_records_upload_params_read_file(upload, str(path), removes != 0, &error), &error);
      } else {
        vitalwire_nutrition_records_upload_params_set_body(upload, png, length);
        if (removes != 0) vitalwire_nutrition_records_upload_params_remove_metadata(upload);
      }
      vitalwire_nutrition_upload_response *response = NULL;
      CHECK_OK(vitalwire_client_nutrition_records_upload(client, upload, NULL, NULL, &response, &error), &error);
      CHECK(was_sent_quoted(responses, removes != 0 ? without : with));
      vitalwire_nutrition_upload_response_free(response);
      vitalwire_nutrition_records_upload_params_free(upload);
      vitalwire_client_free(client);
      vitalwire_mock_responses_free(responses);
    }
  }
  remove(path);
}

static void documents(vitalwire_client *client, const vitalwire_mock_responses *responses) {
  static const char path[] = "smoke-report.pdf";
  const vitalwire_str none = {NULL, 0};
  write_file(path, "%PDF-1.7 smoke", 14);
  vitalwire_error *error = NULL;
  vitalwire_lab_reports_upload_params *upload = NULL;
  CHECK_REFUSED(vitalwire_lab_reports_upload_params_from_file(none, none, &upload, &error), &error, "path");
  CHECK_REFUSED(vitalwire_lab_reports_upload_params_from_file(str(path), str("\xff"), &upload, &error), &error, "filename");
  CHECK_REFUSED(vitalwire_lab_reports_upload_params_from_file(str(path), none, NULL, &error), &error, "out");
  CHECK(upload == NULL);
  const char *const names[] = {NULL, "another.pdf"};
  for (size_t i = 0; i < 2; i++) {
    vitalwire_lab_report_response *response = NULL;
    CHECK_OK(vitalwire_lab_reports_upload_params_from_file(str(path), str(names[i]), &upload, &error), &error);
    CHECK_OK(vitalwire_client_lab_reports_upload(client, upload, NULL, NULL, &response, &error), &error);
    CHECK(was_sent(responses, names[i] == NULL ? path : names[i]) && was_sent(responses, "JVBERi0xLjcg"));
    vitalwire_lab_report_response_free(response);
    vitalwire_lab_reports_upload_params_free(upload);
  }
  remove(path);
}

void case_files(void) {
  vitalwire_mock_responses *responses = vitalwire_mock_responses_samples();
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_mock_responses(builder, responses);
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  if (CHECK_OK(vitalwire_client_builder_build(builder, &client, &error), &error)) {
    pictures(client, responses);
    metadata();
    documents(client, responses);
  }
  vitalwire_client_builder_free(builder);
  vitalwire_mock_responses_free(responses);
  vitalwire_client_free(client);
}
