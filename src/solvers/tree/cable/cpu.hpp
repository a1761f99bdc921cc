// cpu - the host variants of cables.
#pragma once

#include "solvers/tree/cable/job.hpp"

namespace wale::tree {

/// reference/plain
void step_cable_reference(cable_job& job);

/// cpu/lanes: many cells
void step_cable_lanes(cable_job& job);
[[nodiscard]] bool lanes_suit(const cable_job& job);

/// cpu/compartments: few cells
void step_cable_compartments(cable_job& job);

[[nodiscard]] std::string why_no_vectors(const cable_job& job);

}  // namespace wale::tree
