// workspace - what a launch gets: the matrix, the outputs, and the memory through which blocks exchange data.
#pragma once

#include "solvers/lu/cuda/finish.cuh"
#include "solvers/lu/factor/cuda/resident/packets.cuh"
#include "solvers/lu/factor/cuda/resident/tuning.hpp"

namespace wale::lu::resident {

/// Passed to kernels by value. All of the workspace starts with all bits set.
template <class T>
struct workspace {
    strided<T> a;
    int rows, columns;
    const double* smallest_pivot;  // pivots below it are moved to it; null: none
    lu_outputs out;                // of this matrix
    outcome* to;                   // null: not asked for
    long long number;              // less than 0: another kernel notes what became of the matrix

    unsigned* ticket;  // the next block of columns, less one
    int* exchanges;    // [steps, rounded up] with which place a step exchanged
    int* places;       // [sub-panels][height] where each row of A is after a sub-panel
    int* parked;       // [blocks] the block of columns that the same thread block had parked before
    T* diagonal;       // [steps] U's
    T* panels;         // multipliers, as each kernel lays them out

    [[nodiscard]] __host__ __device__ int steps() const { return rows < columns ? rows : columns; }
    [[nodiscard]] __host__ __device__ int panels_wide() const { return (steps() + width - 1) / width; }
    [[nodiscard]] __host__ __device__ int sub_panels(int sub) const { return (steps() + sub - 1) / sub; }
    [[nodiscard]] __host__ __device__ int blocks() const { return (columns + width - 1) / width; }
};

/// Queues one factorisation on at most `most_blocks` thread blocks and returns how the work is dealt out. A
/// file each for a kind and a type, so that they compile side by side.
template <class T>
shape queue_pivoted(const cuda::context& on, const workspace<T>& in, int most_blocks);
template <class T>
shape queue_unpivoted(const cuda::context& on, const workspace<T>& in, int most_blocks);

/// Columns of block b that are pivoted in it.
template <class T>
__device__ int own_steps(const workspace<T>& in, int b) {
    return max(0, min(width, in.steps() - b * width));
}

/// The next block of columns; every thread of the block calls it.
template <class T>
__device__ int take_ticket(const workspace<T>& in, int* shared_word) {
    __syncthreads();
    if (threadIdx.x == 0) *shared_word = static_cast<int>(atomicAdd(in.ticket, 1u) + 1u);
    __syncthreads();
    return *shared_word;
}

/// One warp of the block that owns the last pivot publishes what follows from the diagonal and the exchanges.
/// The logarithms are added in a fixed order.
template <class T>
__device__ void publish_summary(const workspace<T>& in, bool pivoted, cuda::wait_budget& wait) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    int zero = INT_MAX;
    bool finite = true, nan_seen = false, odd = false, negative = false;
    double log_magnitude = 0;
    for (int k = lane; k < in.steps(); k += 32) {
        T u = look_one(in.diagonal + k);
        while (absent(u) && !wait.spend()) u = look_one(in.diagonal + k);
        if (u == T(0) && zero == INT_MAX) zero = k;
        if (pivoted) odd ^= look(in.exchanges + k) != k;
        if constexpr (is_complex_type<T>) {
            finite = finite && isfinite(u.real()) && isfinite(u.imag());
        } else {
            finite = finite && isfinite(u);
            nan_seen = nan_seen || isnan(u);
            negative ^= u < 0;
            if (in.out.log_magnitude) log_magnitude += log(fabs(static_cast<double>(u)));
        }
    }
    finite = __all_sync(all_lanes, finite);
    nan_seen = __any_sync(all_lanes, nan_seen);
    odd = __popc(__ballot_sync(all_lanes, odd)) & 1;
    negative = __popc(__ballot_sync(all_lanes, negative)) & 1;
    for (int step = 16; step > 0; step /= 2) {
        zero = min(zero, __shfl_xor_sync(all_lanes, zero, step));
        log_magnitude += __shfl_xor_sync(all_lanes, log_magnitude, step);
    }
    if (lane != 0 || in.number < 0) return;
    if (zero == INT_MAX) zero = -1;
    const int sign = odd ? -1 : 1;
    if (in.out.first_zero) *in.out.first_zero = zero;
    if (in.out.sign) *in.out.sign = nan_seen ? nan("") : zero >= 0 ? 0 : negative ? -sign : sign;
    if (in.out.log_magnitude) *in.out.log_magnitude = log_magnitude;
    note(in.to, in.number, zero, finite);
    note_sign(in.to, in.number, sign);
}

}  // namespace wale::lu::resident
