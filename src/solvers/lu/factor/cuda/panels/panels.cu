// panels - the row for complex numbers: a small matrix whole in shared memory, a block each; of a larger one,
// or a batch of them, panel after panel in four steps: the panel by one block, the exchanges and U's rows a
// thread a column, the product in tiles. No block waits for another: the launches are the order.
#include <optional>

#include "solvers/lu/factor/cuda/panels/eliminate.cuh"
#include "solvers/lu/factor/cuda/panels/tuning.hpp"
#include "solvers/lu/factor/shared/refusals.hpp"

namespace wale::lu {
namespace {

using namespace panels;

constexpr index_t most_blocks = 65535;

/// Passed to kernels by value.
struct factor_rules {
    bool pivots;
    std::int32_t* to;
    const double* smallest_pivot;
    outcome* all;
    template <class T>
    __device__ rules of(index_t i, const device_matrix<T>& m) const {
        return {pivots, to ? to + m.pivot_start : nullptr, smallest_pivot ? smallest_pivot + i : nullptr,
                all};
    }
};

extern __shared__ __align__(16) unsigned char panels_memory[];

template <class T>
__global__ void panels_small(const device_batch<T> all, const factor_rules by) {
    for (index_t i = blockIdx.x; i < all.count; i += gridDim.x) {
        const device_matrix<T> m = all[i];
        const int rows = static_cast<int>(m.rows), columns = static_cast<int>(m.columns);
        const strided<T> far = m.elements(), here{reinterpret_cast<T*>(panels_memory), 1, rows | 1};
        const auto carry = [&](const strided<T>& from, const strided<T>& to) {
            for (int e = static_cast<int>(threadIdx.x); rows > 0 && e < rows * columns;
                 e += static_cast<int>(blockDim.x)) {
                const bool by_rows = far.column_step == 1;
                const int r = by_rows ? e / columns : e % rows, c = by_rows ? e % columns : e / rows;
                to(r, c) = from(r, c);
            }
            __syncthreads();
        };
        carry(far, here);
        eliminate(here, rows, 0, static_cast<int>(m.diagonal()), columns, by.of(i, m));
        carry(here, far);
    }
}

template <class T>
__global__ void panels_panel(const device_batch<T> all, const factor_rules by, int first, int width) {
    for (index_t i = blockIdx.x; i < all.count; i += gridDim.x) {
        const device_matrix<T> m = all[i];
        const int diagonal = static_cast<int>(m.diagonal()), end = min(first + width, diagonal);
        if (first < diagonal) eliminate(m.elements(), static_cast<int>(m.rows), first, end, end, by.of(i, m));
    }
}

/// The panel's exchanges in all other columns, and right of it the rows of U: a thread a column.
template <class T>
__global__ void panels_beside(const device_batch<T> all, const factor_rules by, int first, int width) {
    T(*const l)[most_width] = reinterpret_cast<T(*)[most_width]>(panels_memory);
    for (index_t i = blockIdx.y; i < all.count; i += gridDim.y) {
        const device_matrix<T> m = all[i];
        const strided<T> a = m.elements();
        const int end = min(first + width, static_cast<int>(m.diagonal()));
        if (first >= end) continue;
        const std::int32_t* const pivots = by.to ? by.to + m.pivot_start : nullptr;
        __syncthreads();
        for (int e = static_cast<int>(threadIdx.x); e < most_width * most_width;
             e += static_cast<int>(blockDim.x)) {
            const int r = e % most_width, c = e / most_width;
            l[r][c] = first + r < end && c < r ? a(first + r, first + c) : T(0);
        }
        __syncthreads();
        for (index_t j = blockIdx.x * index_t{blockDim.x} + threadIdx.x; j < m.columns;
             j += gridDim.x * index_t{blockDim.x}) {
            if (j >= first && j < end) continue;
            for (int k = first; by.pivots && k < end; ++k) {
                const int p = pivots[k];
                const T upper = a(k, j);
                a(k, j) = a(p, j);
                a(p, j) = upper;
            }
            if (j < first) continue;
            T x[most_width];
#pragma unroll
            for (int r = 0; r < most_width; ++r) {
                x[r] = first + r < end ? a(first + r, j) : T(0);
#pragma unroll
                for (int c = 0; c < r; ++c) x[r] = cuda::less_product(x[r], l[r][c], x[c]);
                if (first + r < end) a(first + r, j) = x[r];
            }
        }
    }
}

/// What lies below and right of the panel, less the product of the panel's L and U: a tile a block.
template <class T>
__global__ void __launch_bounds__(tile_threads* tile_threads)
    panels_product(const device_batch<T> all, int first, int width) {
    constexpr int each = tile / tile_threads;
    T(*const left)[tile + 1] = reinterpret_cast<T(*)[tile + 1]>(panels_memory);
    T(*const upper)[tile + 1] = left + step;
    const int thread = static_cast<int>(threadIdx.x), x = thread % tile_threads, y = thread / tile_threads;
    for (index_t number = blockIdx.z; number < all.count; number += gridDim.z) {
        const device_matrix<T> m = all[number];
        const strided<T> a = m.elements();
        const int end = min(first + width, static_cast<int>(m.diagonal()));
        const index_t top = end + static_cast<index_t>(blockIdx.x) * tile,
                      side = end + static_cast<index_t>(blockIdx.y) * tile;
        if (first >= end || top >= m.rows || side >= m.columns) continue;
        T sum[each][each];
#pragma unroll
        for (int r = 0; r < each; ++r)
#pragma unroll
            for (int c = 0; c < each; ++c) sum[r][c] = T(0);
        for (int k = first; k < end; k += step) {
            for (int e = thread; e < step * tile; e += tile_threads * tile_threads) {
                const int line = e % tile, p = e / tile, line_of_rows = e / step, p_of_rows = e % step;
                const bool by_rows = a.column_step == 1;
                const int r = by_rows ? line_of_rows : line, q = by_rows ? p_of_rows : p;
                left[q][r] = top + r < m.rows && k + q < end ? a(top + r, k + q) : T(0);
                const int c = by_rows ? line : line_of_rows, s = by_rows ? p : p_of_rows;
                upper[s][c] = side + c < m.columns && k + s < end ? a(k + s, side + c) : T(0);
            }
            __syncthreads();
#pragma unroll
            for (int p = 0; p < step; ++p) {
                T l[each], u[each];
#pragma unroll
                for (int r = 0; r < each; ++r) l[r] = left[p][x + r * tile_threads];
#pragma unroll
                for (int c = 0; c < each; ++c) u[c] = upper[p][y + c * tile_threads];
#pragma unroll
                for (int r = 0; r < each; ++r)
#pragma unroll
                    for (int c = 0; c < each; ++c) sum[r][c] = cuda::less_product(sum[r][c], l[r], u[c]);
            }
            __syncthreads();
        }
#pragma unroll
        for (int r = 0; r < each; ++r)
#pragma unroll
            for (int c = 0; c < each; ++c) {
                const index_t row = top + x + r * tile_threads, column = side + y + c * tile_threads;
                if (row < m.rows && column < m.columns) a(row, column) += sum[r][c];
            }
    }
}

template <class Kernel>
void allow(Kernel kernel, std::size_t bytes) {
    cuda::check(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

unsigned blocks_for(index_t size, index_t part) {
    return static_cast<unsigned>(std::clamp<index_t>((size + part - 1) / part, 1, most_blocks));
}

/// Bytes of the largest matrix in shared memory.
template <class T>
index_t small_bytes(const batch& all) {
    return all.largest([](const matrices& m) { return (m.rows | 1) * m.columns * index_t{sizeof(T)}; });
}

template <class T>
void queue_panels(const cuda::context& c, const factor_job& job, const policy& p, const device_batch<T>& all,
                  const factor_rules& by) {
    constexpr int column_threads = 128;
    const index_t rows = job.a.largest_rows(), columns = job.a.largest_columns();
    const auto diagonal = static_cast<int>(job.a.largest([](const matrices& m) { return m.diagonal(); }));
    const unsigned count = blocks_for(all.count, 1);
    const std::size_t l_bytes = sizeof(T) * most_width * most_width,
                      product_bytes = sizeof(T) * 2 * step * (tile + 1);
    for (int first = 0; first < diagonal; first += p.width) {
        panels_panel<<<count, static_cast<unsigned>(p.threads), 0, c.stream()>>>(all, by, first, p.width);
        cuda::check_launch();
        panels_beside<<<dim3(blocks_for(columns, column_threads), count), column_threads, l_bytes,
                        c.stream()>>>(all, by, first, p.width);
        cuda::check_launch();
        // Matrices of a list end at different panels: the largest rest that any of them can have.
        const bool listed = job.a.listed();
        const index_t done = listed ? 0 : std::min(first + p.width, diagonal);
        const dim3 tiles(blocks_for(rows - done, tile), blocks_for(columns - done, tile), count);
        panels_product<<<tiles, tile_threads * tile_threads, product_bytes, c.stream()>>>(all, first,
                                                                                          p.width);
        cuda::check_launch();
    }
}

void factor_panels(factor_job& job) {
    const cuda::context c(job.where);
    const policy& p = policies[tuning::choose("lu/factor/panels", policies, c.sm(),
                                              static_cast<int>(bytes_of(job.a.type())))]
                          .policy;
    const outcome_on_device to(c, job);
    std::optional<cuda::timer> timer;
    if (!job.asynchronous) timer.emplace(c);
    const factor_rules by{job.pivoting != pivoting::none, job.out.pivots, job.smallest_pivot, to.data()};
    cuda::with_device_type(job.a.type(), [&](auto zero) {
        using T = decltype(zero);
        if (job.a.count() == 0) return;
        const batch_on_device<T> all(c, job.a);
        const index_t bytes = small_bytes<T>(job.a);
        if (bytes > p.small_bytes) return queue_panels(c, job, p, all.get(), by);
        allow(panels_small<T>, static_cast<std::size_t>(bytes));
        panels_small<<<blocks_for(job.a.count(), 1), static_cast<unsigned>(p.small_threads),
                       static_cast<std::size_t>(bytes), c.stream()>>>(all.get(), by);
        cuda::check_launch();
    });
    queue_finish(c, job, to);
    if (timer) job.result->run.compute_seconds = timer->stop(to.words());
    job.result->run.policy = "panel=" + std::to_string(p.width);
    to.report(job, "cuda/panels");
}

std::string refuses_panels(const factor_job& job) {
    constexpr index_t most = tile * most_blocks;
    if (job.a.largest_rows() > most || job.a.largest_columns() > most)
        return "more than 4194240 rows or columns";
    return refuses_tournament(job);
}

/// Real matrices have faster rows.
bool suits_panels(const factor_job& job) {
    return job.is_complex();
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cuda_panels{
    "cuda/panels",
    "complex numbers too: a small matrix in shared memory, else panels and tiles, launches in order",
    factor_panels,
    refuses_panels,
    suits_panels,
    true};

}  // namespace wale::lu
