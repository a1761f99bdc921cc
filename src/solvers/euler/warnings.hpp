// warnings - patches whose kind does not suit the flow.
#pragma once

#include <string>
#include <vector>

#include "solvers/euler/system.hpp"

namespace wale::euler {

/// A line for each such patch, in the order of patches; `state` in the system's numbering.
[[nodiscard]] std::vector<std::string> warnings_of(const flow_system& s,
                                                   const std::vector<euler_state>& state);

}  // namespace wale::euler
