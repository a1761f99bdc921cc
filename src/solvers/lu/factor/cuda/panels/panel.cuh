// panel - some columns of a large matrix, from the diagonal down: with pivots by a cluster whose shared
// memory holds them, or by one block where they lie; without pivots a thread a row, each block with the
// triangle of its own.
#pragma once

#include "solvers/lu/factor/cuda/panels/rules.cuh"
#include "solvers/lu/factor/cuda/panels/tuning.hpp"
#include "solvers/lu/factor/shared/cluster.cuh"

namespace wale::lu::panels {

/// Columns first .. first + width - 1 of matrices of one shape.
template <class T>
struct panel_call {
    device_batch<T> all;
    all_rules by;
    int first, width;
    int each;      // rows of a block of a cluster
    T* triangles;  // [count][most_width][most_width] by columns: without pivots, the factors of the triangles
};

template <class T>
struct panel_offer {
    candidate<real_of<T>> best;
    int local;  // row of its block
};
template <class T>
struct panel_shared {
    panel_offer<T> of_warp[32];
    panel_offer<T> of_block[2];  // in turn
    T pivot_row[most_width];
    int pivot;  // place of the row that won
};

/// Bytes of a block: columns of `each` rows, and the places of the rows.
template <class T>
constexpr std::size_t panel_bytes(int each, int width) {
    return static_cast<std::size_t>(each) * (static_cast<std::size_t>(width) * sizeof(T) + sizeof(int));
}

extern __shared__ __align__(16) unsigned char panel_memory[];

/// One panel; rows keep where they are in shared memory and know their places in P A.
template <class T>
class panel_part {
public:
    __device__ panel_part(const panel_call<T>& call, index_t number, panel_shared<T>& shared)
        : call_(call),
          m_(call.all[number]),
          by_(call.by.of(number, m_)),
          shared_(shared),
          thread_(static_cast<int>(threadIdx.x)),
          rank_(static_cast<int>(blockIdx.x)),
          blocks_(static_cast<int>(gridDim.x)),
          rows_(max(0, min(call.each, static_cast<int>(m_.rows) - call.first - rank_ * call.each))),
          columns_(reinterpret_cast<T*>(panel_memory)),
          places_(reinterpret_cast<int*>(columns_ + call.each * call.width)) {}

    __device__ void run() {
        const strided<T> a = m_.elements().from(call_.first, call_.first);
        each_element(a, [&](int r, int j) { at(r, j) = a(rank_ * call_.each + r, j); });
        for (int r = thread_; r < rows_; r += panel_threads) places_[r] = rank_ * call_.each + r;
        __syncthreads();
        panel_offer<T> mine{};
        for (int r = thread_; r < rows_; r += panel_threads) consider(mine, r, 0);
        for (int k = 0; k < call_.width; ++k) {
            choose(mine, k);
            if (rank_ == 0 && thread_ == 0 && by_.to) by_.to[call_.first + k] = call_.first + shared_.pivot;
            mine = {};
            subtract(mine, k);
        }
        __syncthreads();
        each_element(a, [&](int r, int j) { a(places_[r], j) = at(r, j); });
        cluster_arrive();  // no block leaves while another reads its memory
        cluster_wait();
    }

private:
    [[nodiscard]] __device__ T& at(int row, int column) const { return columns_[column * call_.each + row]; }
    /// f(row of the block, column), neighbours in memory by neighbouring lanes.
    template <class F>
    __device__ void each_element(const strided<T>& a, const F& f) const {
        const bool by_rows = a.column_step == 1;
        const int lines = by_rows ? rows_ : call_.width, length = by_rows ? call_.width : rows_;
        for (int line = thread_ / 32; line < lines; line += panel_threads / 32)
            for (int e = thread_ % 32; e < length; e += 32) by_rows ? f(line, e) : f(e, line);
    }
    __device__ void consider(panel_offer<T>& mine, int r, int k) const {
        const auto one = candidate<real_of<T>>::of(pivot_size(at(r, k)), places_[r], k);
        if (mine.best.is_behind(one)) mine = {one, r};
    }
    /// The best of the lanes, for all of them: places differ, so that one lane has it.
    __device__ static panel_offer<T> best_of_warp(const panel_offer<T>& mine, int& lane) {
        const auto best = best_of_lanes<32>(mine.best);
        const unsigned has = __ballot_sync(cuda::whole_warp, mine.best.row == best.row);
        lane = __ffs(static_cast<int>(has)) - 1;
        return {best, __shfl_sync(cuda::whole_warp, mine.local, lane)};
    }
    /// The pivot of column k over all blocks, and its row.
    __device__ void choose(const panel_offer<T>& mine, int k) {
        int lane = 0;
        const panel_offer<T> of_warp = best_of_warp(mine, lane);
        if (thread_ % 32 == 0) shared_.of_warp[thread_ / 32] = of_warp;
        __syncthreads();
        if (thread_ < 32) {
            const panel_offer<T> of_block = best_of_warp(
                thread_ < panel_threads / 32 ? shared_.of_warp[thread_] : panel_offer<T>{}, lane);
            if (thread_ == 0) shared_.of_block[k % 2] = of_block;
        }
        cluster_arrive();
        cluster_wait();
        if (thread_ < 32) {
            const panel_offer<T> theirs =
                thread_ < blocks_ ? *in_block(&shared_.of_block[k % 2], thread_) : panel_offer<T>{};
            const panel_offer<T> won = best_of_warp(theirs, lane);
            const T* const row = in_block(&at(won.local, 0), lane);
            if (thread_ < call_.width && thread_ >= k) shared_.pivot_row[thread_] = row[thread_ * call_.each];
            if (thread_ == 0) shared_.pivot = won.best.row;
        }
        __syncthreads();
    }
    /// Divides and subtracts in the rows that are left, and looks for the next pivot among them.
    __device__ void subtract(panel_offer<T>& mine, int k) {
        const int pivot = shared_.pivot;
        const divisor<T> under(shared_.pivot_row[k]);
        for (int r = thread_; r < rows_; r += panel_threads) {
            int place = places_[r];
            if (place == pivot) {
                places_[r] = k;
                continue;
            }
            if (place == k) places_[r] = place = pivot;
            if (place <= k) continue;
            const T left = at(r, k) = under.of(at(r, k));
#pragma unroll 4
            for (int j = k + 1; j < call_.width; ++j)
                at(r, j) = cuda::less_product(at(r, j), left, shared_.pivot_row[j]);
            if (k + 1 < call_.width) consider(mine, r, k + 1);
        }
    }

    const panel_call<T>& call_;
    device_matrix<T> m_;
    rules by_;
    panel_shared<T>& shared_;
    int thread_, rank_, blocks_, rows_;
    T* columns_;   // [width][each]
    int* places_;  // [each]: row of the panel where the row stands now
};

/// Who does what: the blocks of a cluster have some rows each; for each column a block offers its best row,
/// and all read all offers and the row that won. What it waits for: barriers of the block and of the cluster,
/// in hardware. Why it cannot deadlock: the blocks of a cluster run at the same time, and all pass the same
/// barriers. Why this memory order: the barrier of the cluster releases and acquires; offers alternate
/// between two places, and a place is written again behind the barrier of the next column, which its readers
/// pass after they have read; a row that won is not written any more.
template <class T>
__global__ void __launch_bounds__(panel_threads, 1)
    panels_cluster(const __grid_constant__ panel_call<T> call) {
    __shared__ panel_shared<T> shared;
    for (index_t i = blockIdx.y; i < call.all.count; i += gridDim.y) panel_part<T>(call, i, shared).run();
}

/// The same by one block, where the panel lies: of devices without clusters, and of panels that no cluster
/// holds.
template <class T>
__global__ void __launch_bounds__(panel_threads) panels_alone(const __grid_constant__ panel_call<T> call) {
    using R = real_of<T>;
    __shared__ candidate<R> of_warp[32];
    const int thread = static_cast<int>(threadIdx.x);
    for (index_t i = blockIdx.y; i < call.all.count; i += gridDim.y) {
        const device_matrix<T> m = call.all[i];
        const rules by = call.by.of(i, m);
        const strided<T> a = m.elements().from(call.first, call.first);
        const int rows = static_cast<int>(m.rows) - call.first;
        for (int k = 0; k < call.width; ++k) {
            candidate<R> best;
            for (int r = k + thread; r < rows; r += panel_threads)
                best.meet(candidate<R>::of(pivot_size(a(r, k)), r, k));
            best = best_of_lanes<32>(best);
            if (thread % 32 == 0) of_warp[thread / 32] = best;
            __syncthreads();
            best =
                best_of_lanes<32>(thread % 32 < panel_threads / 32 ? of_warp[thread % 32] : candidate<R>{});
            if (thread < call.width && best.row != k) {
                const T upper = a(k, thread);
                a(k, thread) = a(best.row, thread);
                a(best.row, thread) = upper;
            }
            if (thread == 0 && by.to) by.to[call.first + k] = call.first + best.row;
            __syncthreads();
            const divisor<T> under(a(k, k));
            for (int r = k + 1 + thread; r < rows; r += panel_threads) {
                const T left = a(r, k) = under.of(a(r, k));
                for (int j = k + 1; j < call.width; ++j) a(r, j) = cuda::less_product(a(r, j), left, a(k, j));
            }
            __syncthreads();
        }
    }
}

/// No pivots: each block eliminates the triangle in shared memory, then a thread has a row below. Block 0
/// leaves the triangle in call.triangles: other blocks may still have to read what lies in the matrix.
template <class T>
__global__ void __launch_bounds__(plain_threads) panels_plain(const __grid_constant__ panel_call<T> call) {
    constexpr int groups = plain_threads / most_width;
    __shared__ T d[most_width][most_width + 1];
    __shared__ T next[2], inverse[most_width];  // 0: divide
    const int thread = static_cast<int>(threadIdx.x), w = call.width;
    for (index_t i = blockIdx.y; i < call.all.count; i += gridDim.y) {
        const device_matrix<T> m = call.all[i];
        const rules by = call.by.of(i, m);
        const strided<T> a = m.elements().from(call.first, call.first);
        const int rows = static_cast<int>(m.rows) - call.first;
        __syncthreads();
        for (int e = thread; e < most_width * most_width; e += plain_threads) {
            const int r = e % most_width, c = e / most_width;
            d[r][c] = r < w && c < w ? a(r, c) : T(0);
        }
        __syncthreads();
        if (thread == 0) next[0] = ruled_pivot(d[0][0], by, blockIdx.x == 0);
        __syncthreads();
        const int row = thread % most_width, group = thread / most_width;  // of columns
        for (int k = 0; k < w; ++k) {
            const divisor<T> under(next[k % 2]);
            const bool below = row > k && row < w;
            const T left = below ? under.of(d[row][k]) : T(0);
            __syncthreads();  // all groups have read column k
            if (group == 0 && below) d[row][k] = left;
            if (thread == 0) {
                d[k][k] = under.pivot;
                inverse[k] = under.multiplies ? under.reciprocal : T(0);
            }
#pragma unroll 4
            for (int j = k + 1 + group; below && j < w; j += groups)
                d[row][j] = cuda::less_product(d[row][j], left, d[k][j]);
            if (group == 0 && row == k + 1 && below)
                next[row % 2] = ruled_pivot(d[row][row], by, blockIdx.x == 0);
            __syncthreads();
        }
        for (int r = w + static_cast<int>(blockIdx.x) * plain_threads + thread; r < rows;
             r += static_cast<int>(gridDim.x) * plain_threads) {
            T x[most_width];
#pragma unroll
            for (int j = 0; j < most_width; ++j) x[j] = j < w ? a(r, j) : T(0);
#pragma unroll
            for (int k = 0; k < most_width; ++k) {
                if (k >= w) break;
                x[k] = inverse[k] != T(0) ? base::product(x[k], inverse[k]) : multiplier(x[k], d[k][k]);
#pragma unroll
                for (int j = k + 1; j < most_width; ++j) x[j] = cuda::less_product(x[j], x[k], d[k][j]);
                a(r, k) = x[k];
            }
        }
        if (blockIdx.x == 0)
            for (int e = thread; e < most_width * most_width; e += plain_threads)
                call.triangles[i * most_width * most_width + e] = d[e % most_width][e / most_width];
        if (blockIdx.x == 0 && thread < w && by.to) by.to[call.first + thread] = call.first + thread;
    }
}

}  // namespace wale::lu::panels
