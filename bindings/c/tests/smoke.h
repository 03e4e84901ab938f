/* Functions that the cases share. A failed check is printed and counted, and the case continues. The program then exits with 1. */
#ifndef SMOKE_H
#define SMOKE_H

#include <stdbool.h>
#include <stdio.h>

#include "vitalwire.h"

#define CHECK(condition) check((condition), __FILE__, __LINE__, #condition)
/* Like CHECK, for a result code. On failure, prints the message of the error and frees the error. */
#define CHECK_OK(code, error) check_ok((code), (error), __FILE__, __LINE__)
#define CHECK_REFUSED(code, error, argument) check_rejected_argument((code), (error), (argument), __FILE__, __LINE__)

bool check(bool condition, const char *file, int line, const char *text);
bool check_ok(vitalwire_code code, vitalwire_error **error, const char *file, int line);
/* Checks that a call failed with invalid_argument and that the error names the argument. */
void check_rejected_argument(vitalwire_code code, vitalwire_error **error, const char *argument, const char *file, int line);

/* Returns a view of a C string. */
vitalwire_str str(const char *text);
/* Returns the value of an environment variable, which must be set. */
const char *setting(const char *name);
/* Creates a client of the sandbox. */
vitalwire_client *sandbox(void);
/* Adds a mock response with status 200 and this delay. */
void add_response(vitalwire_mock_responses *responses, const char *operation, const char *body, uint64_t delay_ms);
/* Creates a client with these mock responses, and frees the set. */
vitalwire_client *client_with(vitalwire_mock_responses *responses);
/* Returns the time of a monotonic clock, in seconds. */
double now(void);
/* Starts a server that accepts connections and never responds. Writes its URL and returns its socket. */
int black_hole(char *url, size_t size);
/* Starts such a server and creates a client of it. */
vitalwire_client *silent_client(int *server);
/* Waits for the next request to such a server. Returns its connection. */
int requested(int server);
/* Returns whether the other end of a connection is closed. */
bool closed(int connection);
/* Returns whether a client can read the user of the sandbox within five seconds. */
bool is_person(vitalwire_client *client);
/* Calls each function with NULL for every pointer, and with this text and length. Generated. */
void call_each(vitalwire_str text, size_t length);
/* A PNG of one grey pixel. */
extern const uint8_t picture[67];
/* Returns whether a text contains these bytes. */
bool contains(vitalwire_str text, const char *part);

void case_mock_responses(void);
void case_response_metadata(void);
void case_consent(void);
void case_webhooks(void);
void case_tokens(void);
void case_waits(void);
void case_ranges(void);
void case_ranges_fork(void);
void case_files(void);
void case_user_info(void);
void case_sleep(void);
void case_statistics(void);
void case_lab_reports(void);
void case_nutrition(void);
void case_benefits(void);
void case_not_found(void);
void case_arguments(void);
void case_settings(void);
void case_client_certificate(void);
void case_cancel(void);
void case_threads(void);
void case_fork(void);
void case_close(void);
void case_started(void);
void case_freed_early(void);
void case_completions(void);
void case_loop(void);
void case_loop_parts(void);
void case_started_fork(void);
void case_started_close(void);
void case_shutdown(void);
void case_every_call(void);
void case_every_closed(void);
void case_every_completion(void);
void case_every_thread(void);
void case_every_record(void);
void case_every_text(void);
void case_nulls(void);
void case_invalid_arguments(void);
void case_sync(void);
void case_tables(void);
void case_faults(void);
void case_descriptors(void);
void case_observers(void);
void case_copies(void);
void case_signals(void);
void case_examples(void);

#endif
