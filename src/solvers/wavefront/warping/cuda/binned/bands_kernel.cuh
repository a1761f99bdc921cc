// bands_kernel - tables in a narrow window: 2 to 32 lanes hold the diagonals of a pair's band in registers
// and go along them, a step for each second antidiagonal. No warp waits for another one.
//
// A cell (i, j) is on diagonal e = j - i + 2 * low, where 2 * low >= below; lane g has diagonals g * D to
// (g + 1) * D - 1. In step t first cells of even e are computed, with i + j = 2 t, then those of odd e, with
// i + j = 2 t + 1. A cell takes the place of the cell before it on its diagonal; those above it and at its
// left are in the places beside it:
//
//     e   ..  4  5  6  7  ..      step t, even: 4 from 3, 4, 5; 6 from 5, 6, 7
//                                         odd:  5 from 4, 5, 6; 7 from 6, 7, 8
//
// Points move from lane to lane as the steps go on, those of rows to the lane behind, those of columns to the
// lane before: only the first and the last lane of a pair read memory. What is outside of the table has an
// infinite point, what is outside of the band an infinite addend. Cells behind the last row or column may be
// no numbers; no cell of the table is made of them.
#pragma once

#include "solvers/wavefront/warping/cuda/binned/packs.cuh"
#include "solvers/wavefront/warping/problem.hpp"

namespace wale::wavefront::warping {

template <class Cell, int Diagonals>
class band {
    using T = typename Cell::number;
    static constexpr int half = Diagonals / 2;

public:
    __device__ __forceinline__ band(const packs_job<Cell>& w, index_t number, bool asked)
        : w_(w),
          number_(asked ? number : -1),
          lane_(static_cast<int>(threadIdx.x) % w.lanes),
          first_(lane_ == 0),
          last_(lane_ == w.lanes - 1) {
        const pair_places at = places_of(w, number);
        const index_t row = w.rows.which[at.row], column = w.columns.which[at.column];
        const T* const a = w.rows.numbers + (w.rows.offsets[row] - w.rows.offsets[0]);
        const T* const b = w.columns.numbers + (w.columns.offsets[column] - w.columns.offsets[0]);
        const int m = w.rows.size(at.row), n = w.columns.size(at.column);
        const warping_band within(m, n, w.window);
        const int below = static_cast<int>(within.below), above = static_cast<int>(within.above);
        const int low = (below + 1) / 2, begin = lane_ * Diagonals;
#pragma unroll
        for (int k = 0; k < Diagonals; ++k) {
            const int e = begin + k;
            h_[k] = e == 2 * low ? T{0} : infinity<T>();  // the corner, before the first cell
            outside_[k] = e < 2 * low - below || e > 2 * low + above ? infinity<T>() : T{0};
        }
#pragma unroll
        for (int q = 0; q < half; ++q) {
            const int i = low - lane_ * half - q, j = lane_ * half + q - low;
            a_[q] = i >= 0 && i < m ? a[i] : infinity<T>();
            b_[q] = j >= 0 && j < n ? b[j] : infinity<T>();
        }
        // The next points, of rows for the first lane, of columns for the last one.
        from_ = first_ ? a : b;
        size_ = first_ ? m : n;
        at_ = first_ ? low + 1 : w.lanes * half - low;
        end_ = (m + n - 2) / 2;
        answer_ = n - m + 2 * low - begin;
    }
    __device__ __forceinline__ void run() {
        const auto steps = static_cast<int>(cuda::largest_of_warp(static_cast<unsigned>(end_))) + 1;
        load();
        for (int t = 0; t < steps; t += half) {
            T coming[half];
#pragma unroll
            for (int u = 0; u < half; ++u) coming[u] = next_[u];
            load();
#pragma unroll
            for (int u = 0; u < half; ++u) {
                step(coming[u]);
                if (end_ == t + u) answer();
            }
        }
    }

private:
    /// Points of `half` steps, which are in flight during as many steps before.
    __device__ __forceinline__ void load() {
#pragma unroll
        for (int u = 0; u < half; ++u, ++at_) {
            const bool there = (first_ || last_) && at_ >= 0 && at_ < size_;
            next_[u] = there ? from_[at_] : infinity<T>();
        }
    }
    __device__ __forceinline__ void step(T coming) {
        const T at_left = __shfl_up_sync(whole_warp, h_[Diagonals - 1], 1, w_.lanes);
#pragma unroll
        for (int q = 0; q < half; ++q)
            renew(2 * q, a_[q], b_[q], h_[2 * q + 1],
                  q > 0    ? h_[2 * q - 1]
                  : first_ ? infinity<T>()
                           : at_left);
        const T column = __shfl_down_sync(whole_warp, b_[0], 1, w_.lanes);
#pragma unroll
        for (int q = 0; q + 1 < half; ++q) b_[q] = b_[q + 1];
        b_[half - 1] = last_ ? coming : column;
        const T above = __shfl_down_sync(whole_warp, h_[0], 1, w_.lanes);
#pragma unroll
        for (int q = 0; q < half; ++q)
            renew(2 * q + 1, a_[q], b_[q],
                  q + 1 < half ? h_[2 * q + 2]
                  : last_      ? infinity<T>()
                               : above,
                  h_[2 * q]);
        const T row = __shfl_up_sync(whole_warp, a_[half - 1], 1, w_.lanes);
#pragma unroll
        for (int q = half - 1; q > 0; --q) a_[q] = a_[q - 1];
        a_[0] = first_ ? coming : row;
    }
    __device__ __forceinline__ void renew(int k, T a, T b, T up, T left) {
        h_[k] = w_.cell.part(a, b) + outside_[k] + w_.cell.least(h_[k], up, left);
    }
    /// The last cell of the table has just been computed, by the lane that has its diagonal.
    __device__ __forceinline__ void answer() const {
        if (number_ < 0) return;
#pragma unroll
        for (int k = 0; k < Diagonals; ++k)
            if (k == answer_) write_cost(w_, number_, h_[k]);
    }

    const packs_job<Cell>& w_;
    const index_t number_;  // of the pair; below 0: none, this is here for the warp's other pairs
    const int lane_;
    const bool first_, last_;
    const T* from_;
    int size_, at_, end_;  // end_: the step of the last cell
    int answer_;           // the last cell's diagonal, among those of this lane
    T h_[Diagonals], outside_[Diagonals];
    T a_[half], b_[half], next_[half];
};

template <class Cell, int Row>
__global__ void __launch_bounds__(bands[Row].policy.warps* warp_size,
                                  bands[Row].policy.blocks * 4 / int{sizeof(typename Cell::number)})
    bands_kernel(const __grid_constant__ packs_job<Cell> w) {
    sweep_pairs<band<Cell, bands[Row].policy.diagonals>>(w);
}

template <class Cell>
void launch_bands(const cuda::context& c, const packs_job<Cell>& w, int shape) {
    tuning::with_number<std::size(bands)>(static_cast<std::size_t>(shape), [&]<int Row>() {
        launch_sweep(c, w, bands_kernel<Cell, Row>, bands[Row].policy.warps * warp_size);
    });
}

}  // namespace wale::wavefront::warping
