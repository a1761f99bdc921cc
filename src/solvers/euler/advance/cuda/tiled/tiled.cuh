// tiled - what cuda/tiled offers to a row of several devices.
#pragma once

#include <span>
#include <string>

#include "solvers/euler/advance/shared/parts/flow_part.cuh"

namespace wale::euler::tiled {

/// Why tiles of three stages cannot do a job; empty if they can.
[[nodiscard]] std::string why_not(const advance_job& job);

/// A part for each device and stream.
template <class Real>
[[nodiscard]] flow_parts<Real> parts_of(const advance_job& job, std::span<const on_cuda> devices);

}  // namespace wale::euler::tiled
