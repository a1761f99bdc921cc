// substitute - forward and back substitution of a block for some right-hand sides in shared memory. Tiles of
// 32 x 32 of the triangle are in the registers of a warp, a lane a row.
#pragma once

#include "solvers/lu/cuda/batch.cuh"

namespace wale::lu::batched {

inline constexpr int edge = 32;         // of a tile: the lanes of a warp
inline constexpr int stage_pitch = 33;  // of a tile that is turned round in shared memory: no bank conflicts
inline constexpr int at_once = 8;       // steps of a substitution that are left out at once
inline constexpr int quad = 4;          // neighbours in shared memory that a lane reads at once

/// Shared memory of a block, by rows and right-hand sides.
template <class T>
struct strip_memory {
    int pitch, columns, rows, warps;
    WALE_HD strip_memory(int n, int right_sides, int warps_of_block)
        : pitch((n + edge - 1) / edge * edge + quad), columns(right_sides), rows(n), warps(warps_of_block) {}
    [[nodiscard]] WALE_HD std::size_t bytes() const {
        return sizeof(T) * (static_cast<std::size_t>(pitch) * static_cast<std::size_t>(columns) +
                            static_cast<std::size_t>(warps * edge * stage_pitch)) +
               2 * sizeof(int) * static_cast<std::size_t>(rows);
    }
};

template <class T>
struct strip_workspace {
    T* x;  // [columns][pitch]; rows from n to the next multiple of 32 are 0
    int pitch;
    T* stage;          // [32][33], this warp's own
    int* permutation;  // [n] row i of P A is row permutation[i] of A
    int* pivots;       // [n]

    __device__ strip_workspace(unsigned char* base, const strip_memory<T>& size) : pitch(size.pitch) {
        x = reinterpret_cast<T*>(base);
        T* const stages = x + size.pitch * size.columns;
        stage = stages + static_cast<int>(threadIdx.x) / 32 * edge * stage_pitch;
        permutation = reinterpret_cast<int*>(stages + size.warps * edge * stage_pitch);
        pivots = permutation + size.rows;
    }
};

/// op(A), the factors or their transpose, as the substitution sees it.
template <class T>
struct triangle {
    const T* data;
    index_t row_step, column_step;  // elements; one of them is 1
    int size;
};

/// All threads; thread 0 alone follows the exchanges, which depend on each other.
__device__ inline void follow_exchanges(const std::int32_t* pivots, int n, int* permutation, int* copy) {
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
    for (int i = thread; i < n; i += threads) {
        permutation[i] = i;
        copy[i] = pivots ? pivots[i] : i;
    }
    __syncthreads();
    if (pivots && thread == 0)
        for (int k = 0; k < n; ++k) {
            const int to = copy[k], row = permutation[k];
            permutation[k] = permutation[to];
            permutation[to] = row;
        }
    __syncthreads();
}

/// t[k]: the element of this lane's row in column k of the tile (down, across); 0 outside of the matrix.
template <class T>
__device__ void load_tile(T (&t)[edge], const triangle<T>& a, int down, int across, T* stage) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int rows = a.size - down * edge, columns = a.size - across * edge;
    const T* const from = a.data + down * edge * a.row_step + across * edge * a.column_step;
    if (a.row_step == 1) {
#pragma unroll
        for (int k = 0; k < edge; ++k)
            t[k] = lane < rows && k < columns ? from[lane + k * a.column_step] : T(0);
        return;
    }
#pragma unroll 16
    for (int r = 0; r < edge; ++r)
        stage[r * stage_pitch + lane] = r < rows && lane < columns ? from[r * a.row_step + lane] : T(0);
    __syncwarp();
#pragma unroll
    for (int k = 0; k < edge; ++k) t[k] = stage[lane * stage_pitch + k];
    __syncwarp();
}

/// Its reciprocal has all digits as well.
template <class T>
__device__ bool may_multiply(T pivot) {
    return has_reciprocal(pivot) && has_reciprocal(T(1) / pivot);
}

/// Right-hand sides column, column + step, ... of a block of rows.
struct column_range {
    int block, column, step;
    int rows;  // of the block
};

/// Solves with the tile on the diagonal, for Columns right-hand sides.
template <bool Lower, bool Unit, int Columns, class T>
__device__ void solve_columns(const T (&t)[edge], T inverse, const strip_workspace<T>& workspace,
                              const column_range& at) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    T* const x = workspace.x + at.block * edge + lane;
    T own[Columns];
#pragma unroll
    for (int c = 0; c < Columns; ++c) own[c] = x[(at.column + c * at.step) * workspace.pitch];
#pragma unroll
    for (int start = 0; start < edge; start += at_once) {
        if ((Lower ? start : edge - start - at_once) >= at.rows) continue;  // small matrices
#pragma unroll
        for (int s = start; s < start + at_once; ++s) {
            const int k = Lower ? s : edge - 1 - s;
            const bool behind = Lower ? lane > k : lane < k;
#pragma unroll
            for (int c = 0; c < Columns; ++c) {
                if (!Unit && lane == k) own[c] *= inverse;
                const T found = __shfl_sync(~0u, own[c], k);
                if (behind) own[c] = fma(-t[k], found, own[c]);
            }
        }
    }
#pragma unroll
    for (int c = 0; c < Columns; ++c) x[(at.column + c * at.step) * workspace.pitch] = own[c];
}

/// The same by divisions, where a pivot has no good reciprocal: rare, so nothing is unrolled or kept.
template <bool Lower, class T>
__device__ __noinline__ void divide_column(const triangle<T>& a, T diagonal,
                                           const strip_workspace<T>& workspace, const column_range& at) {
    const int lane = static_cast<int>(threadIdx.x) % 32, first = at.block * edge;
    T* const x = workspace.x + at.column * workspace.pitch + first + lane;
    T own = *x;
    for (int s = 0; s < at.rows; ++s) {
        const int k = Lower ? s : at.rows - 1 - s;
        if (lane == k) own /= diagonal;
        const T found = __shfl_sync(~0u, own, k);
        if (lane < at.rows && (Lower ? lane > k : lane < k))
            own = fma(-a.data[(first + lane) * a.row_step + (first + k) * a.column_step], found, own);
    }
    *x = own;
}

/// The warp's share of the right-hand sides.
template <bool Lower, bool Unit, class T>
__device__ void solve_diagonal(const triangle<T>& a, const strip_workspace<T>& workspace, int block,
                               int columns) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32, warps = static_cast<int>(blockDim.x) / 32;
    if (warp >= columns) return;
    const int rows = min(edge, a.size - block * edge);
    T inverse = T(1);
    int c = warp;
    if constexpr (!Unit) {
        const int k = block * edge + lane;
        const T diagonal = k < a.size ? a.data[k * (a.row_step + a.column_step)] : T(1);
        if (!__all_sync(~0u, may_multiply(diagonal))) {
            for (; c < columns; c += warps)
                divide_column<Lower>(a, diagonal, workspace, {block, c, warps, rows});
            return;
        }
        inverse = T(1) / diagonal;
    }
    T t[edge];
    load_tile(t, a, block, block, workspace.stage);
    for (; c + 3 * warps < columns; c += 4 * warps)
        solve_columns<Lower, Unit, 4>(t, inverse, workspace, {block, c, warps, rows});
    for (; c < columns; c += warps)
        solve_columns<Lower, Unit, 1>(t, inverse, workspace, {block, c, warps, rows});
}

/// X(block `to`) -= T X(block `from`), for Columns neighbouring right-hand sides.
template <int Columns, class T>
__device__ void subtract_columns(const T (&t)[edge], const strip_workspace<T>& workspace, int to, int from,
                                 int column) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    T* const x = workspace.x + column * workspace.pitch;
    T sum[Columns];
#pragma unroll
    for (int c = 0; c < Columns; ++c) sum[c] = x[c * workspace.pitch + to * edge + lane];
#pragma unroll
    for (int k = 0; k < edge; k += quad) {
        struct alignas(quad * sizeof(float)) words {
            T at[quad];
        };
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            const words w = *reinterpret_cast<const words*>(x + c * workspace.pitch + from * edge + k);
#pragma unroll
            for (int i = 0; i < quad; ++i) sum[c] = fma(-t[k + i], w.at[i], sum[c]);
        }
    }
#pragma unroll
    for (int c = 0; c < Columns; ++c) x[c * workspace.pitch + to * edge + lane] = sum[c];
}

template <class T>
__device__ void subtract(const T (&t)[edge], const strip_workspace<T>& workspace, int to, int from,
                         int columns) {
    int c = 0;
    for (; c + 3 < columns; c += 4) subtract_columns<4>(t, workspace, to, from, c);
    for (; c < columns; ++c) subtract_columns<1>(t, workspace, to, from, c);
}

/// X <- T^-1 X, block of rows by block of rows: the warps share the right-hand sides of a diagonal tile, then
/// the blocks of rows behind it, whose first tile each has asked for before.
template <bool Lower, bool Unit, class T>
__device__ void substitute(const triangle<T>& a, const strip_workspace<T>& workspace, int columns) {
    const int warp = static_cast<int>(threadIdx.x) / 32, warps = static_cast<int>(blockDim.x) / 32;
    const int blocks = (a.size + edge - 1) / edge;
    for (int step = 0; step < blocks; ++step) {
        const int block = Lower ? step : blocks - 1 - step;
        const auto behind = [&](int i) { return Lower ? block + 1 + i : block - 1 - i; };
        T t[edge];
        const int left = blocks - 1 - step;
        if (warp < left) load_tile(t, a, behind(warp), block, workspace.stage);
        solve_diagonal<Lower, Unit>(a, workspace, block, columns);
        __syncthreads();
        for (int i = warp; i < left; i += warps) {
            if (i != warp) load_tile(t, a, behind(i), block, workspace.stage);
            subtract(t, workspace, behind(i), block, columns);
        }
        __syncthreads();
    }
}

/// A X = B, or A^T X = B, from factors; the exchanges are the caller's.
template <class T>
__device__ void solve_strip(const device_matrix<const T>& m, const strip_workspace<T>& workspace, int columns,
                            bool transposed) {
    const int n = static_cast<int>(m.rows);
    if (transposed) {
        const triangle<T> a{m.data, m.column_step, m.row_step, n};
        substitute<true, false>(a, workspace, columns);
        substitute<false, true>(a, workspace, columns);
    } else {
        const triangle<T> a{m.data, m.row_step, m.column_step, n};
        substitute<true, true>(a, workspace, columns);
        substitute<false, false>(a, workspace, columns);
    }
}

}  // namespace wale::lu::batched
