// packs - short series: a pair has 1 to 32 lanes, and so many pairs share a warp. One strip holds all rows.
#pragma once

#include "cuda/warp.cuh"
#include "solvers/wavefront/warping/cuda/tuning.hpp"
#include "solvers/wavefront/warping/shared/series.cuh"

namespace wale::wavefront::warping {

/// Series as a kernel sees them; of place x the points are those of series which[x]. `begins`: of packed
/// series.
template <class T>
struct packed_view {
    const T* numbers;
    const index_t *begins, *which, *offsets;
    [[nodiscard]] __device__ int size(index_t place) const {
        return static_cast<int>(offsets[which[place] + 1] - offsets[which[place]]);
    }
};

/// Where costs go. swapped: rows are targets and columns are queries.
template <class T>
struct answer_table {
    T* answers;
    index_t pitch;
    bool swapped, symmetric;
    [[nodiscard]] __host__ __device__ T* of(index_t row, index_t column) const {
        return swapped ? answers + column * pitch + row : answers + row * pitch + column;
    }
    [[nodiscard]] __host__ __device__ T* mirror_of(index_t row, index_t column) const {
        return symmetric ? answers + column * pitch + row : nullptr;
    }
};

/// Each row series with each column series; where both are the same series, row series x is place
/// `first_place` + x of the columns, and is paired with the places up to its own.
template <class Cell>
struct packs_job {
    using T = typename Cell::number;
    Cell cell;
    packed_view<T> rows, columns;
    index_t row_count, column_count, first_place;
    index_t pairs;
    index_t window;
    int lanes;
    answer_table<T> to;
    unsigned long long* ticket;
};

/// Places of a pair's series.
struct pair_places {
    index_t row, column;
};
/// The pairs of the row series before x.
template <class Cell>
[[nodiscard]] __device__ __forceinline__ index_t pairs_before(const packs_job<Cell>& w, index_t x) {
    return w.to.symmetric ? x * w.first_place + x * (x + 1) / 2 : x * w.column_count;
}
template <class Cell>
[[nodiscard]] __device__ __forceinline__ pair_places places_of(const packs_job<Cell>& w, index_t number) {
    if (!w.to.symmetric) return {number / w.column_count, number % w.column_count};
    index_t x = 0, end = w.row_count;
    while (end - x > 1) {
        const index_t middle = x + (end - x) / 2;
        if (pairs_before(w, middle) <= number)
            x = middle;
        else
            end = middle;
    }
    return {x, number - pairs_before(w, x)};
}
template <class Cell>
__device__ __forceinline__ void write_cost(const packs_job<Cell>& w, index_t number,
                                           typename Cell::number cost) {
    const pair_places at = places_of(w, number);
    const index_t row = w.rows.which[at.row], column = w.columns.which[at.column];
    *w.to.of(row, column) = cost;
    if (auto* const mirror = w.to.mirror_of(row, column); mirror != nullptr) *mirror = cost;
}

/// Warps take some pairs each by ticket, w.lanes lanes a pair, and run a Sweep of each.
template <class Sweep, class Cell>
__device__ __forceinline__ void sweep_pairs(const packs_job<Cell>& w) {
    const index_t each = warp_size / w.lanes, tasks = (w.pairs + each - 1) / each;
    for (;;) {
        unsigned long long task = 0;
        if (threadIdx.x % warp_size == 0) task = atomicAdd(w.ticket, 1ull);
        task = __shfl_sync(whole_warp, task, 0);
        if (static_cast<index_t>(task) >= tasks) return;
        const index_t number =
            static_cast<index_t>(task) * each + static_cast<int>(threadIdx.x % warp_size) / w.lanes;
        const bool asked = number < w.pairs;
        Sweep(w, asked ? number : w.pairs - 1, asked).run();
    }
}
/// As many blocks of `threads` as are resident, or fewer where there are fewer pairs.
template <class Cell>
void launch_sweep(const cuda::context& c, const packs_job<Cell>& w, void (*kernel)(packs_job<Cell>),
                  int threads) {
    const index_t of_block = threads / w.lanes;
    const index_t resident =
        index_t{c.multiprocessors()} * cuda::launch_limits::blocks(c, kernel, threads, 0);
    const auto blocks =
        static_cast<unsigned>(std::max<index_t>(1, std::min((w.pairs + of_block - 1) / of_block, resident)));
    kernel<<<blocks, static_cast<unsigned>(threads), 0, c.stream()>>>(w);
    cuda::check_launch();
}

template <class Cell, bool One>
void launch_packs(const cuda::context&, const packs_job<Cell>&, int shape);

/// Numbers of one dimension, as the side has them, and a row of `bands`.
template <class Cell>
void launch_bands(const cuda::context&, const packs_job<Cell>&, int shape);

}  // namespace wale::wavefront::warping
