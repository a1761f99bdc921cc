// launch - the three kernels of this schedule, each in a file of its own: they take long to compile.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {

/// Rows and columns: of the largest matrix in `work`. staged: by row, through shared memory.
void launch_strips(const cuda::context& c, const factor_work<float>& work, int policy, int columns,
                   bool by_row);
void launch_fragments(const cuda::context& c, const factor_work<double>& work, int policy, bool staged);
template <class T>
void launch_panels(const cuda::context& c, const factor_work<T>& work, int policy, int rows, int columns);

}  // namespace wale::lu::batched
