// queue - what resident.cu asks of the files that hold the kernels: one file a kind and a type, so that they
// compile side by side.
#pragma once

#include "solvers/lu/factor/cuda/resident/room.cuh"

namespace wale::lu::resident {

/// Queues one factorisation on at most `most_blocks` thread blocks and says how it is dealt out.
template <class T>
shape queue_pivoted(const cuda::context& on, const room<T>& in, int most_blocks);
template <class T>
shape queue_unpivoted(const cuda::context& on, const room<T>& in, int most_blocks);

}  // namespace wale::lu::resident
