// lanes - matrices of at most 32 rows and columns: some lanes of a warp a matrix, a lane a row in registers.
// The column that is eliminated is always the first of the registers: the results of a step move one to the
// left, and what is finished leaves for shared memory, so that the loop over columns stays a loop.
#pragma once

#include "solvers/lu/factor/cuda/panels/rules.cuh"

namespace wale::lu::panels {

inline constexpr int lanes_threads = 64;  // of a block
inline constexpr int lanes_phase = 8;     // columns between two sizes of the window on the registers

/// Of one matrix.
template <class T, int Size>
struct lanes_memory {
    T finished[Size][Size];  // [column][lane]
    T pivot_row[Size];
};

template <class T, int Size>
class lanes_part {
public:
    __device__ lanes_part(lanes_memory<T, Size>& memory, const device_matrix<T>& m, const rules& by)
        : memory_(memory),
          a_(m.elements()),
          by_(by),
          lane_(static_cast<int>(threadIdx.x) % Size),
          rows_(static_cast<int>(m.rows)),
          columns_(static_cast<int>(m.columns)),
          place_(lane_) {}

    /// Lane 0 of the group has the tally. All lanes of the warp.
    __device__ tally run() {
#pragma unroll
        for (int j = 0; j < Size; ++j) window_[j] = lane_ < rows_ && j < columns_ ? a_(lane_, j) : T(0);
        const int last = static_cast<int>(cuda::largest_of_warp(static_cast<unsigned>(columns_)));
        steps<Size>(0, last);
        __syncwarp();
        if (by_.pivots && lane_ < rows_)
            for (int j = 0; j < columns_; ++j) a_(place_, j) = memory_.finished[j][lane_];
        if (by_.to && lane_ < min(rows_, columns_)) by_.to[lane_] = exchanged_;
        __syncwarp();
        return found_;
    }

private:
    template <int Live>
    __device__ void steps(int k, int last) {
#pragma unroll 1
        for (const int stop = min(k + lanes_phase, last); k < stop; ++k) step<Live>(k);
        if constexpr (Live > lanes_phase)
            if (k < last) steps<Live - lanes_phase>(k, last);
    }
    template <int Live>
    __device__ void step(int k) {
        using R = real_of<T>;
        const bool eliminates = k < min(rows_, columns_), there = lane_ < rows_;
        candidate<R> mine;
        if (eliminates && there && place_ >= k) mine = candidate<R>::of(pivot_size(window_[0]), place_, k);
        const int pivot = by_.pivots ? best_of_lanes<Size>(mine).row : k;
        const bool won = eliminates && there && place_ == pivot;
        if (won)
#pragma unroll
            for (int j = 0; j < Live; ++j) memory_.pivot_row[j] = window_[j];
        __syncwarp();
        if (won)
            place_ = k;
        else if (eliminates && place_ == k)
            place_ = pivot;
        if (lane_ == k) exchanged_ = pivot;
        const T u = ruled_pivot(memory_.pivot_row[0], by_, won);
        if (eliminates && lane_ == 0) found_.add(u, k, pivot != k);
        const bool below = eliminates && there && place_ > k;
        const T left = below ? divisor<T>(u).of(window_[0]) : won ? u : window_[0];
        if (by_.pivots)
            memory_.finished[k][lane_] = left;
        else if (there && k < columns_)
            a_(lane_, k) = left;  // the row stands where it stays
#pragma unroll
        for (int j = 1; j < Live; ++j) {  // not by a factor of 0 elsewhere: 0 times infinity is NaN
            const T less = cuda::less_product(window_[j], left, memory_.pivot_row[j]);
            window_[j - 1] = below ? less : window_[j];
        }
        __syncwarp();
    }

    lanes_memory<T, Size>& memory_;
    strided<T> a_;
    rules by_;
    int lane_, rows_, columns_;
    int place_;  // of this lane's row in P A so far
    int exchanged_ = 0;
    tally found_;
    T window_[Size];
};

template <class T, int Size>
__global__ void __launch_bounds__(lanes_threads)
    panels_lanes(const __grid_constant__ device_batch<T> all, const __grid_constant__ all_rules by) {
    constexpr int groups = lanes_threads / Size;
    __shared__ lanes_memory<T, Size> memory[groups];
    const int group = static_cast<int>(threadIdx.x) / Size;
    const index_t stride = index_t{gridDim.x} * groups;
    for (index_t first = index_t{blockIdx.x} * groups; first < all.count; first += stride) {
        const index_t i = first + group;
        device_matrix<T> m = all[min(i, all.count - 1)];
        if (i >= all.count) m.rows = m.columns = 0;
        const tally found = lanes_part<T, Size>(memory[group], m, by.of(min(i, all.count - 1), m)).run();
        if (i < all.count && threadIdx.x % Size == 0) found.note_as(by, i);
    }
}

}  // namespace wale::lu::panels
