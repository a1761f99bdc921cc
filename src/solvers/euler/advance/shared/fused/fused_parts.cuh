// fused_parts - the kernels of cuda/fused as parts of several devices.
#pragma once

#include <span>
#include <string>

#include "solvers/euler/advance/shared/parts/flow_part.cuh"

namespace wale::euler {

/// Why they cannot do a job; empty if they can.
[[nodiscard]] std::string why_no_fused_parts(const advance_job& job);

/// A part for each device and stream.
template <class Real>
[[nodiscard]] flow_parts<Real> fused_parts_of(const advance_job& job, std::span<const on_cuda> devices);

}  // namespace wale::euler
