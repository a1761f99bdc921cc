// blocked - the three kernels of Rodinia's lud (Che et al. 2009): the block on the diagonal, then the blocks
// right of and below it, then all that is left. Any size; the tiles in shared memory, or read where they are.
#pragma once

#include "solvers/lu/factor/shared/each.cuh"

namespace wale::lu::ladder {

template <int Row>
constexpr int block = policies[Row].policy.block;

/// The element of a tile that a thread works on; neighbouring threads take neighbouring elements in memory.
struct place {
    int i, j;
    __device__ explicit place(bool row_major)
        : i(static_cast<int>(row_major ? threadIdx.y : threadIdx.x)),
          j(static_cast<int>(row_major ? threadIdx.x : threadIdx.y)) {}
};

/// A tile of A, rows x columns, as a block works on it: where it is, or in shared memory.
template <class T, int B, bool Shared>
struct tile {
    strided<T> home, here;
    int rows, columns;
    __device__ tile(strided<T> from, index_t rows_left, index_t columns_left, T* storage)
        : home(from),
          here(Shared ? strided<T>{storage, B + 1, 1} : from),
          rows(static_cast<int>(min(rows_left, index_t{B}))),
          columns(static_cast<int>(min(columns_left, index_t{B}))) {}
    __device__ bool has(place p) const { return p.i < rows && p.j < columns; }
    __device__ void load(place p) const {
        if (Shared && has(p)) here(p.i, p.j) = home(p.i, p.j);
    }
    __device__ void store(place p) const {
        if (Shared && has(p)) home(p.i, p.j) = here(p.i, p.j);
    }
};

template <int B>
constexpr int storage = B*(B + 1);

/// The block on the diagonal: step k divides a column, then subtracts the product of column and row.
template <class T, int Row, bool Shared>
__global__ void diagonal_kernel(factoring<T> f, index_t d) {
    constexpr int B = block<Row>;
    __shared__ T memory[Shared ? storage<B> : 1];
    const place p(f.row_major());
    const tile<T, B, Shared> t(f.a.from(d, d), f.diagonal() - d, f.diagonal() - d, memory);
    t.load(p);
    for (int k = 0; k < t.rows; ++k) {
        __syncthreads();
        if (p.i == k && p.j == k) t.here(k, k) = f.settled(t.here(k, k));
        __syncthreads();
        if (t.has(p) && p.j == k && p.i > k) t.here(p.i, k) = multiplier(t.here(p.i, k), t.here(k, k));
        __syncthreads();
        if (t.has(p) && p.i > k && p.j > k)
            t.here(p.i, p.j) = fma(-t.here(p.i, k), t.here(k, p.j), t.here(p.i, p.j));
    }
    __syncthreads();
    t.store(p);
}

/// U right of the diagonal block: forward substitution with its L.
template <class T, int B, bool Shared>
__device__ void substitute(const tile<T, B, Shared>& diagonal, const tile<T, B, Shared>& t, place p) {
    for (int k = 0; k < t.rows; ++k) {
        if (t.has(p) && p.i > k)
            t.here(p.i, p.j) = fma(-diagonal.here(p.i, k), t.here(k, p.j), t.here(p.i, p.j));
        __syncthreads();
    }
}
/// L below the diagonal block: what remains of a column, divided by the pivot.
template <class T, int B, bool Shared>
__device__ void divide(const tile<T, B, Shared>& diagonal, const tile<T, B, Shared>& t, place p) {
    for (int k = 0; k < t.columns; ++k) {
        if (t.has(p) && p.j == k) t.here(p.i, k) = multiplier(t.here(p.i, k), diagonal.here(k, k));
        __syncthreads();
        if (t.has(p) && p.j > k)
            t.here(p.i, p.j) = fma(-t.here(p.i, k), diagonal.here(k, p.j), t.here(p.i, p.j));
        __syncthreads();
    }
}

/// A block a tile: the first `right` blocks those of U, the others those of L.
template <class T, int Row, bool Shared>
__global__ void perimeter_kernel(factoring<T> f, index_t d, index_t right) {
    constexpr int B = block<Row>;
    __shared__ T memory[2][Shared ? storage<B> : 1];
    const place p(f.row_major());
    const tile<T, B, Shared> diagonal(f.a.from(d, d), f.diagonal() - d, f.diagonal() - d, memory[0]);
    const index_t begin = d + diagonal.rows;
    diagonal.load(p);
    const bool is_right = blockIdx.x < right;
    const index_t at = begin + (is_right ? blockIdx.x : blockIdx.x - right) * B;
    const tile<T, B, Shared> t =
        is_right ? tile<T, B, Shared>(f.a.from(d, at), diagonal.rows, f.columns - at, memory[1])
                 : tile<T, B, Shared>(f.a.from(at, d), f.rows - at, diagonal.columns, memory[1]);
    t.load(p);
    __syncthreads();
    if (is_right)
        substitute(diagonal, t, p);
    else
        divide(diagonal, t, p);
    t.store(p);
}

/// All right of and below: a thread an element.
template <class T, int Row, bool Shared>
__global__ void internal_kernel(factoring<T> f, index_t d) {
    constexpr int B = block<Row>;
    __shared__ T memory[2][Shared ? storage<B> : 1];
    const place p(f.row_major());
    const index_t begin = d + B;
    const index_t i = begin + B * index_t{f.row_major() ? blockIdx.y : blockIdx.x},
                  j = begin + B * index_t{f.row_major() ? blockIdx.x : blockIdx.y};
    const tile<T, B, Shared> l(f.a.from(i, d), f.rows - i, B, memory[0]),
        u(f.a.from(d, j), B, f.columns - j, memory[1]);
    l.load(p);
    u.load(p);
    if constexpr (Shared) __syncthreads();
    if (p.i >= l.rows || p.j >= u.columns) return;
    T sum = f.a(i + p.i, j + p.j);
    for (int k = 0; k < B; ++k) sum = fma(-l.here(p.i, k), u.here(k, p.j), sum);
    f.a(i + p.i, j + p.j) = sum;
}

template <class T, int Row, bool Shared>
index_t factor_blocks(const cuda::context& c, const factoring<T>& f) {
    constexpr index_t B = block<Row>;
    const dim3 threads(B, B);
    index_t launches = 0;
    for (index_t d = 0; d < f.diagonal(); d += B) {
        diagonal_kernel<T, Row, Shared><<<1, threads, 0, c.stream()>>>(f, d);
        cuda::check_launch();
        ++launches;
        const index_t done = std::min(f.diagonal(), d + B);
        const unsigned below = blocks_of(f.rows - done, B), right = blocks_of(f.columns - done, B);
        if (below + right == 0) continue;
        perimeter_kernel<T, Row, Shared><<<below + right, threads, 0, c.stream()>>>(f, d, right);
        cuda::check_launch();
        ++launches;
        if (below == 0 || right == 0) continue;
        const dim3 grid(f.row_major() ? right : below, f.row_major() ? below : right);
        internal_kernel<T, Row, Shared><<<grid, threads, 0, c.stream()>>>(f, d);
        cuda::check_launch();
        ++launches;
    }
    return launches;
}

template <bool Shared>
void factor_blocked(factor_job& job, const char* name) {
    run_each(job, name, [&](const cuda::context& c, std::size_t row, const auto& f) {
        job.result->run.policy = "block=" + std::to_string(policies[row].policy.block);
        using T = std::remove_reference_t<decltype(*f.a.data)>;
        return tuning::with_row<policies, sizeof(T)>(
            row, [&]<int Row>() { return factor_blocks<T, Row, Shared>(c, f); });
    });
}

}  // namespace wale::lu::ladder
