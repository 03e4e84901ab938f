// A case's settings, given to the library as its users do.
#ifndef SETTINGS_HPP
#define SETTINGS_HPP

#include "plan.hpp"
#include "vitalwire.hpp"

namespace runner {

// The client of a case, whose hook is the function if that is one.
vitalwire::client client_of(const planned &planned, vitalwire::attempt_observer observer);
// Applies the settings of a plan, apart from tokens, proxy and hook; generated.
void planned_settings(const planned &planned, vitalwire::client_builder &to);
// Applies the options of a plan; generated.
void planned_options(const planned &planned, vitalwire::call_options &to);
// The options of its call.
vitalwire::call_options options_of(const planned &planned);
// How its analysis is waited for.
vitalwire::wait_options wait_of(const planned &planned);
// How its range is requested.
vitalwire::range_options range_of(const planned &planned);

}  // namespace runner

#endif
