// long_pairs - pairs of a batch that are computed one by one, as a pair of a call of its own is, since one
// warp would be at each of them for longer than the device is at all others.
#pragma once

#include <functional>

#include "solvers/wavefront/batch/shared/plan.cuh"

namespace wale::wavefront::batch {

/// Computes long pairs, and what is between them by `rest`; false, and nothing done, where no pair is long.
/// Waits.
[[nodiscard]] bool run_long_pairs(const cuda::context&, const execution& where, const request&,
                                  const findings&, report&, const std::function<void(const request&)>& rest);

}  // namespace wale::wavefront::batch
