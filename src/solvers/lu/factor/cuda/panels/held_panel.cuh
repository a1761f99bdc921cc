// held_panel - a panel with pivots in the registers of a cluster: eight lanes a row, four columns a lane,
// some rows a thread. In shared memory (panel.cuh) a column costs a pass over all that is right of it.
#pragma once

#include "solvers/lu/factor/cuda/panels/panel.cuh"

namespace wale::lu::panels {

template <class T>
struct held_shared {
    candidate<real_of<T>> of_warp[panel_threads / 32];
    candidate<real_of<T>> of_block[2];  // in turn
    T offered[2][most_width];           // the row of the block's candidate
    T pivot_row[most_width];
    int pivot;  // place of the row that won
};

/// Rows keep where they are in registers and know their places in P A.
template <class T, int Rows>
class held_panel {
    using R = real_of<T>;
    static constexpr int lanes = 8, slots = most_width / lanes;
    static constexpr int groups = panel_threads / lanes;  // rows of a block that are side by side
    static constexpr int gone = -1;                       // the place of a row beyond the matrix

public:
    static constexpr int height = groups * Rows;  // rows of a block

    __device__ held_panel(const panel_call<T>& call, index_t number, held_shared<T>& shared)
        : call_(call),
          m_(call.all[number]),
          by_(call.by.of(number, m_)),
          shared_(shared),
          lane_(static_cast<int>(threadIdx.x) % lanes),
          blocks_(static_cast<int>(gridDim.x)) {}

    __device__ void run() {
        const strided<T> a = m_.elements().from(call_.first, call_.first);
        const int rows = static_cast<int>(m_.rows) - call_.first, rank = static_cast<int>(blockIdx.x);
#pragma unroll
        for (int q = 0; q < Rows; ++q) {
            const int row = rank * height + static_cast<int>(threadIdx.x) / lanes + groups * q;
            places_[q] = row < rows ? row : gone;
#pragma unroll
            for (int t = 0; t < slots; ++t)
                x_[q][t] = row < rows && column(t) < call_.width ? a(row, column(t)) : T(0);
        }
        steps<0>();
#pragma unroll
        for (int q = 0; q < Rows; ++q)
#pragma unroll
            for (int t = 0; t < slots; ++t)
                if (places_[q] != gone && column(t) < call_.width) a(places_[q], column(t)) = x_[q][t];
        cluster_arrive();  // no block leaves while another reads its memory
        cluster_wait();
    }

private:
    [[nodiscard]] __device__ int column(int slot) const {
        return lane_ + lanes * slot;
    }
    template <int Slot>
    __device__ void steps() {
#pragma unroll 1
        for (int l = 0; l < lanes; ++l) {
            const int k = Slot * lanes + l;
            if (k >= call_.width) return;
            choose<Slot>(l, k);
            if (blockIdx.x == 0 && threadIdx.x == 0 && by_.to)
                by_.to[call_.first + k] = call_.first + shared_.pivot;
            subtract<Slot>(l, k);
        }
        if constexpr (Slot + 1 < slots) steps<Slot + 1>();
    }
    /// The pivot of column k over all blocks, and its row.
    template <int Slot>
    __device__ void choose(int l, int k) {
        const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
        candidate<R> best;
#pragma unroll
        for (int q = 0; q < Rows; ++q)
            if (lane_ == l && places_[q] >= k)
                best.meet(candidate<R>::of(pivot_size(x_[q][Slot]), places_[q], k));
        best = best_of_lanes<32>(best);
        if (lane == 0) shared_.of_warp[thread / 32] = best;
        __syncthreads();
        best = best_of_lanes<32>(lane < panel_threads / 32 ? shared_.of_warp[lane] : candidate<R>{});
#pragma unroll
        for (int q = 0; q < Rows; ++q)
            if (places_[q] == best.row)
#pragma unroll
                for (int t = 0; t < slots; ++t) shared_.offered[k % 2][column(t)] = x_[q][t];
        if (thread == 0) shared_.of_block[k % 2] = best;
        cluster_arrive();
        cluster_wait();
        if (thread < 32) {
            const candidate<R> theirs =
                lane < blocks_ ? *in_block(&shared_.of_block[k % 2], lane) : candidate<R>{};
            const candidate<R> won = best_of_lanes<32>(theirs);
            const unsigned has = __ballot_sync(cuda::whole_warp, theirs.row == won.row);
            shared_.pivot_row[lane] =
                *in_block(&shared_.offered[k % 2][lane], __ffs(static_cast<int>(has)) - 1);
            if (lane == 0) shared_.pivot = won.row;
        }
        __syncthreads();
    }
    /// Divides and subtracts in the rows that are left.
    template <int Slot>
    __device__ void subtract(int l, int k) {
        const int pivot = shared_.pivot;
        const divisor<T> under(shared_.pivot_row[k]);
        T right[slots];
#pragma unroll
        for (int t = Slot; t < slots; ++t) right[t] = shared_.pivot_row[column(t)];
        T found[Rows];  // what the lane of column k has; whole warps
#pragma unroll
        for (int q = 0; q < Rows; ++q)
            found[q] = cuda::of_lane(x_[q][Slot], static_cast<int>(threadIdx.x) % 32 / lanes * lanes + l);
#pragma unroll
        for (int q = 0; q < Rows; ++q) {
            if (places_[q] == pivot) {
                places_[q] = k;
                continue;
            }
            if (places_[q] == k) places_[q] = pivot;
            if (places_[q] <= k) continue;
            const T left = under.of(found[q]);
            if (lane_ == l) x_[q][Slot] = left;
            if (lane_ > l) x_[q][Slot] = cuda::less_product(x_[q][Slot], left, right[Slot]);
#pragma unroll
            for (int t = Slot + 1; t < slots; ++t) x_[q][t] = cuda::less_product(x_[q][t], left, right[t]);
        }
    }

    const panel_call<T>& call_;
    device_matrix<T> m_;
    rules by_;
    held_shared<T>& shared_;
    int lane_, blocks_;  // lane: of a row
    T x_[Rows][slots];
    int places_[Rows];  // row of the panel where the row stands now
};

/// Who does what: as in panels_cluster, a block offers its best row for each column; the row that won is read
/// from the memory of its block. What it waits for: barriers of the block and of the cluster, in hardware.
/// Why it cannot deadlock: the blocks of a cluster run at the same time, and all pass the same barriers. Why
/// this memory order: the barrier of the cluster releases and acquires; offers and their rows alternate
/// between two places, and a place is written again behind the barrier of the next column, which its readers
/// pass after they have read.
template <class T, int Rows>
__global__ void __launch_bounds__(panel_threads, 1) panels_held(const __grid_constant__ panel_call<T> call) {
    __shared__ held_shared<T> shared;
    for (index_t i = blockIdx.y; i < call.all.count; i += gridDim.y)
        held_panel<T, Rows>(call, i, shared).run();
}

}  // namespace wale::lu::panels
