/* Uploads of files, answered from memory. */
#include "smoke.h"

#include <string.h>

static void write_file(const char *path, const void *bytes, size_t length) {
  FILE *file = fopen(path, "wb");
  if (!CHECK(file != NULL)) return;
  CHECK(fwrite(bytes, 1, length, file) == length);
  fclose(file);
}

/* Whether the last request had this text in its body. */
static bool sent(const vitalwire_answers *answers, const char *text) {
  vitalwire_json *requested = vitalwire_answers_requested(answers);
  const bool found = contains(vitalwire_json_text(requested), text);
  vitalwire_json_free(requested);
  return found;
}

static void pictures(vitalwire_client *client, const vitalwire_answers *answers) {
  static const char path[] = "smoke-picture.png", other[] = "smoke-picture.gif";
  write_file(path, picture, sizeof picture);
  write_file(other, "GIF89a", 6);
  vitalwire_error *error = NULL;
  vitalwire_nutrition_records_upload_params *upload = vitalwire_nutrition_records_upload_params_new();
  CHECK_OK(vitalwire_nutrition_records_upload_params_read_file(upload, str(path), true, &error), &error);
  /* What is refused changes nothing. */
  CHECK(vitalwire_nutrition_records_upload_params_read_file(upload, str(other), true, NULL) == VITALWIRE_ERROR_INVALID_ARGUMENT);
  CHECK_REFUSED(vitalwire_nutrition_records_upload_params_read_file(upload, str("no-such-file.png"), false, &error), &error, "path");
  CHECK_REFUSED(vitalwire_nutrition_records_upload_params_read_file(upload, str(NULL), false, &error), &error, "path");
  CHECK_REFUSED(vitalwire_nutrition_records_upload_params_read_file(NULL, str(path), false, &error), &error, "params");
  vitalwire_nutrition_upload_answer *answer = NULL;
  CHECK_OK(vitalwire_client_nutrition_records_upload(client, upload, NULL, NULL, &answer, &error), &error);
  CHECK(sent(answers, "iVBORw0KGgo"));
  vitalwire_nutrition_upload_answer_free(answer);
  vitalwire_nutrition_records_upload_params_free(upload);
  remove(path);
  remove(other);
}

static void documents(vitalwire_client *client, const vitalwire_answers *answers) {
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
    vitalwire_lab_report_answer *answer = NULL;
    CHECK_OK(vitalwire_lab_reports_upload_params_from_file(str(path), str(names[i]), &upload, &error), &error);
    CHECK_OK(vitalwire_client_lab_reports_upload(client, upload, NULL, NULL, &answer, &error), &error);
    CHECK(sent(answers, names[i] == NULL ? path : names[i]) && sent(answers, "JVBERi0xLjcg"));
    vitalwire_lab_report_answer_free(answer);
    vitalwire_lab_reports_upload_params_free(upload);
  }
  remove(path);
}

void case_files(void) {
  vitalwire_answers *answers = vitalwire_answers_samples();
  vitalwire_client_builder *builder = vitalwire_client_builder_new();
  vitalwire_client_builder_set_answers(builder, answers);
  vitalwire_client *client = NULL;
  vitalwire_error *error = NULL;
  if (CHECK_OK(vitalwire_client_builder_build(builder, &client, &error), &error)) {
    pictures(client, answers);
    documents(client, answers);
  }
  vitalwire_client_builder_free(builder);
  vitalwire_answers_free(answers);
  vitalwire_client_free(client);
}
