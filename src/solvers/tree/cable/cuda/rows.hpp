// rows - the CUDA variants of cables: what each does, and why it may refuse a job.
#pragma once

#include "solvers/tree/cable/job.hpp"

namespace wale::tree {

/// cuda/cells
[[nodiscard]] std::string why_not_cells(const cable_job& job);
void step_cable_cells(cable_job& job);

/// cuda/resident
[[nodiscard]] std::string why_not_resident(const cable_job& job);
[[nodiscard]] bool resident_suits(const cable_job& job);
void step_cable_resident(cable_job& job);

}  // namespace wale::tree
