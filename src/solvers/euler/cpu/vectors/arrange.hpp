// arrange - from a mesh to groups of cells for cpu/vectors.
#pragma once

#include <string>

#include "solvers/euler/cpu/vectors/stage.hpp"
#include "solvers/euler/job.hpp"

namespace wale::euler {

/// order[i]: the system's number of the cell in place i. Reverse Cuthill-McKee where no order is asked for:
/// it costs a few iterations and never lost (docs/performance/euler.md).
[[nodiscard]] std::vector<std::int32_t> vector_order(const flow_system& system);

/// Lanes beyond the last cell are copies of it. The record behind all groups is the free stream's.
template <class Real>
[[nodiscard]] lane_mesh<Real> arranged(const flow_system& system, const plain_grid<Real>& grid,
                                       std::span<const std::int32_t> order);

}  // namespace wale::euler
