// Settings and options of a case.
#ifndef SETTINGS_HPP
#define SETTINGS_HPP

#include "plan.hpp"
#include "vitalwire.hpp"

namespace runner {

// Creates the client of a case. `observer` may be empty. `base_path` follows the base URL.
vitalwire::client client_of(const planned &planned, vitalwire::attempt_observer observer, std::string_view base_path = {});
// Applies the settings of a plan, except tokens, proxy and observer. Generated.
void planned_settings(const planned &planned, vitalwire::client_builder &to);
// Applies the call options of a plan. Generated.
void planned_options(const planned &planned, vitalwire::call_options &to);
vitalwire::call_options options_of(const planned &planned);
vitalwire::wait_options wait_of(const planned &planned);
vitalwire::range_options range_of(const planned &planned);

}  // namespace runner

#endif
