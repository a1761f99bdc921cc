// solve_work - what a kernel of this schedule gets: the systems, which of them, and how.
#pragma once

#include "solvers/lu/cuda/batch.cuh"

namespace wale::lu::batched {

/// Passed to kernels by value.
template <class T>
struct solve_work {
    device_batch<const T> factors;
    device_batch<T> b;
    const std::int32_t* pivots = nullptr;
    const std::int32_t* order = nullptr;  // numbers of the matrices to take; null: all
    index_t count = 0;
    bool transposed = false, conjugated = false;
    int rows = 0;     // of the largest matrix
    int columns = 0;  // of a strip of right-hand sides
    index_t first_side = 0;
};

}  // namespace wale::lu::batched
