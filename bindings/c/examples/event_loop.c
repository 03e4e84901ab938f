/* Makes concurrent calls in the program's own event loop: event_loop DAY... prints the steps of each day as they arrive. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include "vitalwire.h"

static int left; /* days in flight */

/* Runs in vitalwire_client_dispatch, on the thread that calls it. */
static void on_day(void *user_data, vitalwire_call *call) {
  const char *day = user_data;
  vitalwire_daily_statistics *days = NULL;
  vitalwire_error *error = NULL;
  if (vitalwire_client_statistics_daily_finish(call, &days, &error) != VITALWIRE_OK)
    fprintf(stderr, "%s: %.*s\n", day, VITALWIRE_STR(vitalwire_error_message(error)));
  double steps = 0;
  if (vitalwire_statistics_values_get(
          vitalwire_daily_bucket_values(vitalwire_daily_statistics_statistics_at(days, 0)), vitalwire_str_from("steps"), &steps))
    printf("%s %.0f steps\n", day, steps);
  vitalwire_error_free(error);
  vitalwire_daily_statistics_free(days);
  vitalwire_call_free(call);
  left--;
}

static void start(vitalwire_client *client, char *day) {
  vitalwire_date date = {0, 0, 0};
  vitalwire_call *call = NULL;
  sscanf(day, "%hd-%hhu-%hhu", &date.year, &date.month, &date.day);
  vitalwire_statistics_daily_params *params = vitalwire_statistics_daily_params_new(date, date);
  vitalwire_statistics_daily_params_add_types(params, vitalwire_str_from("steps"));
  if (vitalwire_client_statistics_daily_start(client, params, NULL, NULL, on_day, day, NULL, &call, NULL) == VITALWIRE_OK) left++;
  vitalwire_statistics_daily_params_free(params);
}

int main(int count, char **arguments) {
  vitalwire_client *client = NULL;
  vitalwire_descriptor descriptor;
  if (vitalwire_client_from_env(&client, NULL) != VITALWIRE_OK) return 1;
  if (vitalwire_client_descriptor(client, &descriptor, NULL) != VITALWIRE_OK) return 1;
  for (int i = 1; i < count; i++) start(client, arguments[i]);
  while (left > 0) {
    struct pollfd descriptors[] = {{descriptor, POLLIN, 0}}; /* add the program's own descriptors */
    if (poll(descriptors, 1, -1) > 0) vitalwire_client_dispatch(client);
  }
  vitalwire_client_free(client);
  return 0;
}
