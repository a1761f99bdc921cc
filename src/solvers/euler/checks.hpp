// checks - meshes that no session can follow, and patches whose kind does not suit the flow.
#pragma once

#include <string>
#include <vector>

#include "solvers/euler/advance/system.hpp"

namespace wale::euler {

/// Throws bad_input for a mesh that leads out of its arrays or does not close. A rank's part of a mesh does
/// both on purpose (shared/ranks/part.hpp), so that only what a case is given is asked.
void check_mesh(const mesh& m);

/// A line for each such patch, in the order of patches; `state` in the system's numbering.
[[nodiscard]] std::vector<std::string> warnings_of(const flow_system& s,
                                                   const std::vector<euler_state>& state);

}  // namespace wale::euler
