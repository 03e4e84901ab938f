// What came of a call, and how it is posted.
#ifndef PLAYED_HPP
#define PLAYED_HPP

#include <vector>

#include "operation.hpp"

namespace runner {

// The outcome of a call; and the same without attempts, which may differ between calls that share a budget of retries.
struct played {
  writer outcome;
  writer plain;
  // What its error says; empty where there was none.
  std::string message;
};

// Makes one call of a case. It ends early where something cancels it.
played play(const planned &planned, const vitalwire::client &client, const operation &operation, bool waits,
            const std::optional<vitalwire::cancel_token> &cancel_token = std::nullopt);

// An outcome that no case expects.
played unplayable(const std::string &why);
// The outcome of an error.
played failed(const vitalwire::error &error);
// An error as canonical JSON; attempts are left out where they are not comparable.
void failure(writer &out, const vitalwire::error &error, bool attempts);

// The list items that a response leaves out.
void skipped(writer &out, const std::vector<vitalwire::skipped_item> &items);

// The outcome and the texts of calls: one where all are the same; else each of them, which fits no case. The object stays open.
void report(writer &out, const std::vector<played> &all);

// Whether a case needs no client: a webhook's body, or a return from the consent flow.
bool is_local(const planned &planned);
// What comes of it.
played play_local(const planned &planned);

}  // namespace runner

#endif
