// shared_profile - local alignments of one query with many targets: the warps of a block have one profile of
// the query's scores, so that a multiprocessor has room for more of them.
#pragma once

#include "solvers/wavefront/align/cuda/binned/plan.cuh"

namespace wale::wavefront::binned {

inline constexpr int sharing_warps = 4;  // of a block (untuned)

/// Pairs of one query, of one strip of rows; first_task counts tasks of sharing_warps << k pairs.
/// packed_local.cu
void launch_local_sharing(const packed_work&, int shape, const cuda::context&);

}  // namespace wale::wavefront::binned
