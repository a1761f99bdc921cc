// row_column - each step one row of U in parallel, then one column of L: two launches a step and n of n^2
// elements at work. With `copy` every launch writes a fresh matrix, as a language whose arrays are assigned
// once compiles it where it does not see that the old one is dead.
#include "solvers/lu/factor/cuda/ladder/each.cuh"
#include "solvers/lu/factor/cuda/rows.hpp"

namespace wale::lu {
namespace {

using namespace ladder;

/// a(i, j) less what the columns left of k and the rows above it have to say.
template <class T>
__device__ T reduced(const strided<T>& a, index_t i, index_t j, index_t k) {
    T sum = a(i, j);
#pragma unroll 8
    for (index_t t = 0; t < k; ++t) sum = fma(-a(i, t), a(t, j), sum);
    return sum;
}
template <class T>
__device__ T row_element(const factoring<T>& f, index_t k, index_t j) {
    const T u = reduced(f.a, k, j, k);
    return j == k ? f.settled(u) : u;
}
template <class T>
__device__ T column_element(const factoring<T>& f, index_t i, index_t k) {
    return multiplier(reduced(f.a, i, k, k), f.a(k, k));
}

template <class T>
__global__ void row_kernel(factoring<T> f, index_t k) {
    const index_t j = k + blockIdx.x * index_t{blockDim.x} + threadIdx.x;
    if (j < f.columns) f.a(k, j) = row_element(f, k, j);
}
template <class T>
__global__ void column_kernel(factoring<T> f, index_t k) {
    const index_t i = k + 1 + blockIdx.x * index_t{blockDim.x} + threadIdx.x;
    if (i < f.rows) f.a(i, k) = column_element(f, i, k);
}

/// The whole of f.a to `to`, with row or column k made new.
template <class T>
__global__ void copy_kernel(factoring<T> f, strided<T> to, index_t k, bool row) {
    const index_t line = blockIdx.y + index_t{gridDim.y} * blockIdx.z;
    const index_t at = blockIdx.x * index_t{blockDim.x} + threadIdx.x;
    const index_t i = f.row_major() ? line : at, j = f.row_major() ? at : line;
    if (i >= f.rows || j >= f.columns) return;
    T v = f.a(i, j);
    if (row && i == k && j >= k) v = row_element(f, k, j);
    if (!row && j == k && i > k) v = column_element(f, i, k);
    to(i, j) = v;
}

template <class T>
index_t in_place(const cuda::context& c, const policy& p, const factoring<T>& f) {
    index_t launches = 0;
    for (index_t k = 0; k < f.diagonal(); ++k, launches += 2) {
        row_kernel<<<blocks_of(f.columns - k, p.threads), p.threads, 0, c.stream()>>>(f, k);
        cuda::check_launch();
        const index_t below = f.rows - k - 1;
        if (below == 0) {
            --launches;
            continue;
        }
        column_kernel<<<blocks_of(below, p.threads), p.threads, 0, c.stream()>>>(f, k);
        cuda::check_launch();
    }
    return launches;
}

template <class T>
index_t by_copies(const cuda::context& c, const policy& p, const factoring<T>& f) {
    constexpr index_t most = 65535;
    const index_t lines = f.row_major() ? f.rows : f.columns, size = f.row_major() ? f.columns : f.rows;
    const cuda::scratch<T> other(c, f.rows * f.columns);
    const strided<T> fresh{other.data(), f.row_major() ? size : 1, f.row_major() ? 1 : size};
    const dim3 grid(blocks_of(size, p.copy_threads), static_cast<unsigned>(std::min(lines, most)),
                    blocks_of(lines, most));
    factoring<T> now = f;
    strided<T> next = fresh;
    index_t launches = 0;
    const auto launch = [&](index_t k, bool row) {
        copy_kernel<<<grid, p.copy_threads, 0, c.stream()>>>(now, next, k, row);
        cuda::check_launch();
        std::swap(now.a, next);
        ++launches;
    };
    for (index_t k = 0; k < f.diagonal(); ++k) {
        launch(k, true);
        launch(k, false);
    }
    return launches;  // an even number: the last copy is in the caller's matrix
}

}  // namespace

void factor_row_column(factor_job& job) {
    run_each(job, "cuda/row_column", [](const cuda::context& c, std::size_t row, const auto& f) {
        return in_place(c, policies[row].policy, f);
    });
}

void factor_row_column_copy(factor_job& job) {
    run_each(job, "cuda/row_column_copy", [](const cuda::context& c, std::size_t row, const auto& f) {
        return by_copies(c, policies[row].policy, f);
    });
}

}  // namespace wale::lu
