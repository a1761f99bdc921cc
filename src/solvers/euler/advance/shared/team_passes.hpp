// team_passes - the session of cpu/one_pass and cpu/five_passes.
#pragma once

#include "solvers/euler/advance/session.hpp"

namespace wale::euler {

/// The fluxes of a stage are found in `passes` passes: 1, or one for each variable.
[[nodiscard]] std::unique_ptr<flow_session> create_team_passes(const advance_job& job, int passes);

}  // namespace wale::euler
