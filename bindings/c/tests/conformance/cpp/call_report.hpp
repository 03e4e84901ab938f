// Outcomes of calls, and the report of a case.
#ifndef PLAYED_HPP
#define PLAYED_HPP

#include <vector>

#include "operation.hpp"

namespace runner {

// The outcome of a call, and the same outcome without attempts. Calls that share a retry budget may differ in attempts.
struct call_report {
  writer outcome;
  writer plain;
  // Message of the error, or several for syncs; empty for a success.
  std::string message;
};

// Makes one call of a case.
call_report play(const planned &planned, const vitalwire::client &client, const operation &operation, bool waits,
            const std::optional<vitalwire::cancel_token> &cancel_token = std::nullopt);

// Returns an outcome that no case expects.
call_report unplayable(const std::string &why);
// Returns the outcome of an error.
call_report failed(const vitalwire::error &error);
// Writes an error as canonical JSON, with attempts if they are comparable.
void failure(writer &out, const vitalwire::error &error, bool attempts);

// Writes the skipped list items of a response.
void skipped(writer &out, const std::vector<vitalwire::skipped_item> &items);

// Writes the outcomes and texts of calls. Equal outcomes are written once. Leaves the JSON object open.
void report(writer &out, const std::vector<call_report> &all);

// Returns whether a case needs no client: a webhook or a consent redirect.
bool is_local(const planned &planned);
// Returns the outcome of such a case.
call_report play_local(const planned &planned);

// Plays the syncs of a case and returns their outcomes as one.
call_report play_syncs(const planned &planned, const vitalwire::client &client);

}  // namespace runner

#endif
