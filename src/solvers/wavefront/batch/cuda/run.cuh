// run - the bit-sliced batch, from offsets on the device to answers on the device.
#pragma once

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront::batch {

inline constexpr int lanes_by_length = -1;

/// log2_lanes: of each pair (5: a thread, 10: a warp), or lanes_by_length. Pairs that need more get more.
void run(batch_job& job, bool edit, int log2_lanes);

}  // namespace wale::wavefront::batch
