// The outcome of a call, and its report.
#ifndef PLAYED_HPP
#define PLAYED_HPP

#include <vector>

#include "operation.hpp"

namespace runner {

// The outcome of a call; and the same without attempts, which may differ between calls that share a retry budget.
struct call_report {
  writer outcome;
  writer plain;
  // Message of its error; empty without one.
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

// Writes the list items that a response leaves out.
void skipped(writer &out, const std::vector<vitalwire::skipped_item> &items);

// Writes the outcome and the texts of calls: one outcome if all are equal; otherwise each of them. The object stays open.
void report(writer &out, const std::vector<call_report> &all);

// Returns whether a case needs no client: a webhook or a consent redirect.
bool is_local(const planned &planned);
// Returns its outcome.
call_report play_local(const planned &planned);

}  // namespace runner

#endif
