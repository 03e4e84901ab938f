/* Functions for tests, in libraries with the feature `__probe`. Implemented in crates/vitalwire-c/src/probe.rs. */
#ifndef PROBE_H
#define PROBE_H

#include "vitalwire.h"

vitalwire_code vitalwire_probe_text(vitalwire_str text, vitalwire_json **out, vitalwire_error **error);
vitalwire_code vitalwire_probe_bytes(const uint8_t *data, size_t length, vitalwire_json **out, vitalwire_error **error);
bool vitalwire_probe_boolean(bool value);
int64_t vitalwire_probe_integer(int64_t value);
double vitalwire_probe_number(double value);
vitalwire_numbers vitalwire_probe_numbers(void);
vitalwire_code vitalwire_probe_timestamp(vitalwire_timestamp at, vitalwire_timestamp *out, vitalwire_error **error);
vitalwire_code vitalwire_probe_date(vitalwire_date day, vitalwire_date *out, vitalwire_error **error);
vitalwire_code vitalwire_probe_error(uint16_t number, vitalwire_error **error);
vitalwire_code vitalwire_probe_panic(vitalwire_error **error);
vitalwire_code vitalwire_probe_panic_start(vitalwire_client *client, vitalwire_completion completion, void *user_data,
                                           vitalwire_destructor destructor, vitalwire_call **out, vitalwire_error **error);
vitalwire_code vitalwire_probe_panic_finish(vitalwire_call *call, vitalwire_error **error);
vitalwire_code vitalwire_probe_slow(uint64_t milliseconds, vitalwire_cancel_token *cancel, vitalwire_error **error);

/* Returns the number of invalid handles that the library rejected; -1 if the library does not check handles. */
int64_t vitalwire_probe_refused(void);

/* The Rust client, for benchmarks. */
typedef struct vitalwire_probe_client vitalwire_probe_client;
vitalwire_code vitalwire_probe_client_new(vitalwire_str base_url, vitalwire_str token, vitalwire_probe_client **out, vitalwire_error **error);
vitalwire_code vitalwire_probe_client_seconds(vitalwire_probe_client *client, uint32_t times, double *out, vitalwire_error **error);
void vitalwire_probe_client_free(vitalwire_probe_client *client);

#endif
