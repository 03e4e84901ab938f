// Plays a call of a case and reports its outcome.
#include "call_report.hpp"

#include "settings.hpp"

namespace runner {

void skipped(writer &out, const std::vector<vitalwire::skipped_item> &items) {
  json_name(&out, "skipped_items");
  json_open(&out, '[');
  for (const vitalwire::skipped_item &item : items) {
    json_open(&out, '{');
    member(out, "json_path", std::string_view(item.json_path));
    member(out, "reason", std::string_view(item.reason));
    member(out, "json", std::string_view(item.json));
    json_close(&out, '}');
  }
  json_close(&out, ']');
}

// Writes the outcome of a successful call, with the response metadata.
static void success(writer &out, const writer &value, const vitalwire::response &response, bool attempts) {
  outcome_open(&out, &value);
  if (attempts) whole(out, "attempts", response.attempts);
  if (response.request_id) member(out, "request_id", std::string_view(*response.request_id));
  skipped(out, response.skipped_items);
  if (response.body) hex(out, "body", *response.body);
  json_close(&out, '}');
}

call_report unplayable(const std::string &why) {
  call_report made;
  ::unplayable(&made.outcome, why.c_str());
  ::unplayable(&made.plain, why.c_str());
  return made;
}

call_report play(const planned &planned, const vitalwire::client &client, const operation &operation, bool waits,
            const std::optional<vitalwire::cancel_token> &cancel_token) {
  // Each call needs its own options, because they hold its slot for response metadata.
  const vitalwire::response_metadata metadata;
  auto options = options_of(planned).response_metadata(metadata);
  if (cancel_token) options.cancel(*cancel_token);
  try {
    call_input input{call_arguments(planned, operation.arguments), client, options, wait_of(planned), std::nullopt};
    writer value;
    (waits ? operation.wait : operation.call)(input, value);
    const auto response = metadata.read();
    if (!response) return unplayable("a successful call must have response metadata");
    call_report made;
    success(made.outcome, value, *response, true);
    success(made.plain, value, *response, false);
    return made;
  } catch (const vitalwire::error &error) {
    return metadata.read() ? unplayable("a call without a response must have no response metadata") : failed(error);
  } catch (const mistake &mistake) {
    return unplayable(mistake.what());
  }
}

static bool all_same(const std::vector<call_report> &all, writer call_report::*which) {
  for (const call_report &one : all) {
    if (!json_same(&(all.front().*which), &(one.*which))) return false;
  }
  return true;
}

static void several(writer &out, const std::vector<call_report> &all) {
  json_open(&out, '{');
  json_name(&out, "several");
  json_open(&out, '[');
  for (const call_report &one : all) json_whole(&out, &one.plain);
  json_close(&out, ']');
  json_close(&out, '}');
}

void report(writer &out, const std::vector<call_report> &all) {
  json_open(&out, '{');
  json_name(&out, "outcome");
  if (all_same(all, &call_report::outcome)) {
    json_whole(&out, &all.front().outcome);
  } else if (all_same(all, &call_report::plain)) {
    json_whole(&out, &all.front().plain);
  } else {
    several(out, all);
  }
  json_name(&out, "texts");
  json_open(&out, '[');
  for (const call_report &one : all) {
    if (!one.message.empty()) write(out, std::string_view(one.message));
  }
  json_close(&out, ']');
}

}  // namespace runner
