// forces - of each wall by itself.
#pragma once

#include <vector>

#include "solvers/euler/advance/system.hpp"

namespace wale::euler {

/// In the order of patches; `state` in the system's numbering. O(cells) a wall.
[[nodiscard]] std::vector<euler_force> forces_of(const flow_system& s, const std::vector<euler_state>& state);

}  // namespace wale::euler
