// copy - a matrix from one place to another: either storage order, rows and columns permuted on the way.
#pragma once

#include "cuda/stream.cuh"
#include "solvers/lu/problem.hpp"

namespace wale::lu {

/// to(to_row[i], to_column[j]) = from(from_row[i], j); a null permutation leaves an index as it is. From and
/// To may differ in type: the value is converted.
template <class From, class To>
struct permuted_copy {
    strided<const From> from;
    strided<To> to;
    index_t rows, columns;
    const std::int32_t* from_row = nullptr;
    const std::int32_t* to_row = nullptr;
    const std::int32_t* to_column = nullptr;
    double scale = 1;
    __device__ To converted(From v) const {
        if constexpr (std::is_same_v<From, To>)
            return v;
        else
            return static_cast<To>(static_cast<double>(v) * scale);
    }
};

inline constexpr int copy_tile = 32, copy_warps = 8;

/// Through a tile in shared memory, so that reads and writes are both contiguous.
template <class From, class To>
__global__ void copy_kernel(permuted_copy<From, To> p) {
    __shared__ To tile[copy_tile][copy_tile + 1];
    const index_t i0 = blockIdx.x * index_t{copy_tile};
    const bool read_rows = p.from.column_step == 1, write_rows = p.to.column_step == 1;
    for (index_t j0 = blockIdx.y * index_t{copy_tile}; j0 < p.columns; j0 += gridDim.y * index_t{copy_tile}) {
        for (int y = threadIdx.y; y < copy_tile; y += copy_warps) {
            const int ti = read_rows ? y : threadIdx.x, tj = read_rows ? threadIdx.x : y;
            const index_t i = i0 + ti, j = j0 + tj;
            if (i < p.rows && j < p.columns)
                tile[tj][ti] = p.converted(p.from(p.from_row ? p.from_row[i] : i, j));
        }
        __syncthreads();
        for (int y = threadIdx.y; y < copy_tile; y += copy_warps) {
            const int ti = write_rows ? y : threadIdx.x, tj = write_rows ? threadIdx.x : y;
            const index_t i = i0 + ti, j = j0 + tj;
            if (i < p.rows && j < p.columns)
                p.to(p.to_row ? p.to_row[i] : i, p.to_column ? p.to_column[j] : j) = tile[tj][ti];
        }
        __syncthreads();
    }
}

template <class From, class To>
void queue_copy(const cuda::context& c, const permuted_copy<From, To>& p) {
    if (p.rows == 0 || p.columns == 0) return;
    constexpr index_t most = 65535;
    const dim3 grid(static_cast<unsigned>((p.rows + copy_tile - 1) / copy_tile),
                    static_cast<unsigned>(std::min((p.columns + copy_tile - 1) / copy_tile, most)));
    copy_kernel<<<grid, dim3(copy_tile, copy_warps), 0, c.stream()>>>(p);
    cuda::check_launch();
}

}  // namespace wale::lu
