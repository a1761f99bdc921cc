// unpivoted_parts - what the unpivoted form of cuda/lookahead is made of: panels, their products and copies.
#pragma once

#include "cuda/blas.cuh"
#include "solvers/lu/factor/cuda/lookahead/unpivoted_tuning.hpp"

namespace wale::lu::unpivoted {

/// A matrix by columns, on the device.
template <class T>
struct panel {
    T* data;
    index_t leading, rows, columns;
    [[nodiscard]] panel part(index_t row, index_t column, index_t height, index_t breadth) const {
        return {data + row + column * leading, leading, height, breadth};
    }
    [[nodiscard]] bool empty() const { return rows == 0 || columns == 0; }
};

/// A panel from scratch to its place, behind the products that read the scratch.
template <class T>
__global__ void copy_kernel(panel<T> from, panel<T> to) {
    const index_t r = static_cast<index_t>(blockIdx.x) * copy_rows + threadIdx.x;
    if (r >= from.rows) return;
#pragma unroll 4
    for (index_t c = blockIdx.y; c < from.columns; c += gridDim.y)
        to.data[r + c * to.leading] = from.data[r + c * from.leading];
}

/// to = factor * x y + keep * to; the numbers lie where the handle expects them.
template <class T>
void queue_product(const cuda::blas& on, const T* factor, const panel<T>& x, const panel<T>& y, const T* keep,
                   const panel<T>& to) {
    if (to.empty()) return;
    const auto gemm = [&] {
        if constexpr (sizeof(T) == 4)
            return cublasSgemm_64;
        else
            return cublasDgemm_64;
    }();
    cuda::check(gemm(on.get(), CUBLAS_OP_N, CUBLAS_OP_N, to.rows, to.columns, x.columns, factor, x.data,
                     x.leading, y.data, y.leading, keep, to.data, to.leading));
}

}  // namespace wale::lu::unpivoted
