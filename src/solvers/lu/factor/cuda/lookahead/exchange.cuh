// exchange - a panel's exchange of rows in the columns right of it, and there the solution with the panel's
// unit triangle, in one pass: the rows are in shared memory anyway. Blocks of 32 rows are multiplied by the
// inverses that the panel left, so that the solution is products too. Where the panel is joined with panels
// before it, their rows of U are subtracted first.
#pragma once

#include "solvers/lu/factor/cuda/lookahead/row_tile.cuh"
#include "solvers/lu/factor/cuda/lookahead/tuning.hpp"

namespace wale::lu {

/// Rows are counted from the panel's first.
template <class T>
struct exchange_job {
    T* right;  // the first column to work on, at the panel's first row
    const T*
        lower;  // the panel's triangle, and left of it the same rows of the panels that it is joined with
    index_t leading;
    int above;      // columns of those: a multiple of 32, as many rows of U above `right`
    int block;      // the panel's columns
    index_t count;  // columns right
    const std::int32_t* from;
    const std::int32_t* to;
    const T* inverse;  // null: rows are exchanged, nothing else
};

inline constexpr int exchange_stride(int groups) {
    return groups * tile_columns + 4;  // 4 mod 8 words: few bank conflicts
}
inline constexpr int exchange_depth(int block) {
    return (block + tile_rows - 1) / tile_rows * tile_rows;
}

template <class T, int Groups>
class exchange_part {
public:
    __device__ exchange_part(const exchange_job<T>& job, T* memory)
        : job_(job), x_(memory), thread_(static_cast<int>(threadIdx.x)) {
        const index_t first = index_t{blockIdx.x} * columns;
        job_.right += first * job_.leading;
        job_.count = min(index_t{columns}, job_.count - first);
    }
    __device__ void run() {
        const int depth = job_.above + exchange_depth(job_.block);
        load_above();
        exchange();
        for (int i = 0; i < depth && job_.inverse; i += tile_rows) {
            if (i >= job_.above) {
                multiply_inverse(i);
                __syncthreads();
            }
            subtract_below(i, depth);
            __syncthreads();
        }
        if (thread_ < job_.block)
            for (int c = 0; c < job_.count; ++c)
                job_.right[thread_ + c * job_.leading] = x_[(job_.above + thread_) * stride + c];
    }

private:
    static constexpr int columns = Groups * tile_columns;
    static constexpr int stride = exchange_stride(Groups);

    __device__ void load_above() {
        for (int r = thread_; r < job_.above; r += exchange_threads)
#pragma unroll
            for (int c = 0; c < columns; ++c)
                x_[r * stride + c] = c < job_.count ? job_.right[r - job_.above + c * job_.leading] : T(0);
    }
    __device__ void exchange() {
        const bool mine = thread_ < job_.block;
        const int from = mine ? job_.from[thread_] : 0, to = mine ? job_.to[thread_] : 0;
        T top[columns], came[columns];
#pragma unroll
        for (int c = 0; c < columns; ++c) {
            const bool there = mine && c < job_.count;
            const T* column = job_.right + c * job_.leading;
            top[c] = there ? column[thread_] : T(0);
            came[c] = there ? column[from] : T(0);
        }
        __syncthreads();  // rows have been read before they are written
#pragma unroll
        for (int c = 0; c < columns; ++c) {
            if (thread_ < exchange_depth(job_.block)) x_[(job_.above + thread_) * stride + c] = came[c];
            if (mine && c < job_.count && to >= job_.block) job_.right[to + c * job_.leading] = top[c];
        }
        __syncthreads();
    }
    /// A warp a group of 8 columns, of which no other warp reads.
    __device__ void multiply_inverse(int i) {
        const int warp = thread_ / 32;
        if (warp >= Groups) return;
        row_tile<T, tile_rows> tile;
        const T* inverse = job_.inverse + (i - job_.above) * tile_rows;
        tile.load([&](int row, int k) { return inverse[k * tile_rows + row]; });
        T c[8]{};
        tile.subtract_product(c, x_ + i * stride + warp * tile_columns, stride);
        __syncwarp();
#pragma unroll
        for (int e = 0; e < 8; ++e)
            x_[(i + tile.row(e)) * stride + warp * tile_columns + tile.column(e)] = -c[e];
    }
    __device__ void subtract_below(int i, int depth) {
        constexpr int parts = Groups >= 2 ? 2 : 1, groups = Groups / parts;
        const int from = max(i + tile_rows, job_.above), tiles = (depth - from) / tile_rows;
        for (int task = thread_ / 32; task < tiles * parts; task += exchange_threads / 32) {
            const int first = from + tile_rows * (task / parts), in_panel = first - job_.above;
            row_tile<T, tile_rows> tile;
            tile.load([&](int row, int k) {
                return in_panel + row < job_.block ? job_.lower[in_panel + row + (i + k) * job_.leading]
                                                   : T(0);
            });
            for (int g = task % parts * groups; g < (task % parts + 1) * groups; ++g) {
                T c[8];
#pragma unroll
                for (int e = 0; e < 8; ++e)
                    c[e] = x_[(first + tile.row(e)) * stride + g * tile_columns + tile.column(e)];
                tile.subtract_product(c, x_ + i * stride + g * tile_columns, stride);
#pragma unroll
                for (int e = 0; e < 8; ++e)
                    x_[(first + tile.row(e)) * stride + g * tile_columns + tile.column(e)] = c[e];
            }
        }
    }

    exchange_job<T> job_;
    T* x_;  // [above + depth][stride]
    int thread_;
};

template <class T, int Groups>
__global__ void __launch_bounds__(exchange_threads) exchange_kernel(exchange_job<T> job) {
    extern __shared__ __align__(16) unsigned char memory[];
    exchange_part<T, Groups>(job, reinterpret_cast<T*>(memory)).run();
}

}  // namespace wale::lu
