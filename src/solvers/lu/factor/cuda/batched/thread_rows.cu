// thread_rows - float64 matrices of at most 64 rows and columns, in registers: a block of two warps a matrix,
// a thread a row. As in fragments.cu the column that is eliminated is always the first of the registers, what
// is finished leaves for shared memory, and rows go to their places when they are stored. The row of a pivot
// reaches the other warp through shared memory: a barrier a column, and with pivoting one more.
#include <algorithm>

#include "solvers/lu/factor/cuda/batched/tuning.hpp"
#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {
namespace {

constexpr int warp_lanes = 32;
constexpr int threads = thread_row_count, warps = threads / warp_lanes;
constexpr int phase = 8;  // columns between two sizes of the window on the registers
constexpr int pair = 2;   // neighbours in shared memory that are read at once

struct alignas(16) two_doubles {
    double at[pair];
};

/// Of column k: what a pivot was, and the place that its row came from.
struct site_of_pivot {
    double pivot;
    int from;
};

/// A matrix in shared memory.
template <int Size>
struct shared_rows {
    static constexpr int pitch = threads + 1;  // no bank conflicts
    alignas(16) double pivot_row[2][Size];     // in turn
    double columns[Size][pitch];               // element (column, thread of its row)
    site_of_pivot sites[Size];                 // by column
    candidate<double> best[2][warps];          // in turn
    int owner[2];                              // in turn: the thread of the pivot's row
    int sources[threads];                      // by place: the thread of the row that goes there
    int places[threads];                       // by thread
};

/// One row in the registers of its thread, from the column on that is eliminated next.
template <int Size>
struct held_row {
    double a[Size];
    int place;  // in P A so far; -1: there is no such row
    int open;   // the same while the row may become a pivot's, then none
};

struct steps {
    int diagonal, columns;
    bool pivoting;
    bool move;  // pivots below `smallest`
    double smallest;
    int moved = 0;
};

template <int Size>
__device__ void load(held_row<Size>& h, const device_matrix<double>& m, shared_rows<Size>& shared,
                     bool by_row) {
    const int thread = static_cast<int>(threadIdx.x), rows = static_cast<int>(m.rows);
    if (by_row) {
        if (thread < m.columns)
#pragma unroll 8
            for (int i = 0; i < rows; ++i) shared.columns[thread][i] = m.data[i * m.row_step + thread];
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < Size; ++j) {
        const bool there = thread < rows && j < m.columns;
        h.a[j] = !there ? 0.0 : by_row ? shared.columns[j][thread] : m.data[thread + j * m.column_step];
    }
    if (by_row) __syncthreads();
    h.place = thread < rows ? thread : -1;
    h.open = thread < rows ? thread : none;
}

/// From shared memory to the places.
template <int Size>
__device__ void store(const held_row<Size>& h, const device_matrix<double>& m, shared_rows<Size>& shared,
                      bool by_row) {
    const int thread = static_cast<int>(threadIdx.x), rows = static_cast<int>(m.rows);
    if (h.place >= 0) shared.sources[h.place] = thread;
    shared.places[thread] = h.place;
    __syncthreads();
    if (!by_row) {
        if (h.place < 0) return;
#pragma unroll 8
        for (int j = 0; j < m.columns; ++j) m.data[h.place + j * m.column_step] = shared.columns[j][thread];
    } else if (thread < m.columns) {
#pragma unroll 8
        for (int i = 0; i < rows; ++i)
            m.data[i * m.row_step + thread] = shared.columns[thread][shared.sources[i]];
    }
}

/// The place of the pivot's row of column k; the same for all threads.
template <int Size>
__device__ int find_pivot(const held_row<Size>& h, shared_rows<Size>& shared, const steps& s, int k) {
    if (!s.pivoting) return k;
    const candidate<double> mine = best_of_warp(candidate_of(h.a[0], h.open, k, true));
    candidate<double>* const best = shared.best[k % 2];
    if (threadIdx.x % warp_lanes == 0) best[threadIdx.x / warp_lanes] = mine;
    __syncthreads();
    static_assert(warps == 2);
    return outdoes(best[1], best[0]) ? best[1].place : best[0].place;
}

/// Column k, the first of a window of Width.
///
/// Who does what: the thread of the pivot's row lays that row into shared memory, all others subtract it.
/// What they wait for: the row, at a barrier. Why it cannot deadlock: all threads of the block pass the same
/// barriers. Why this memory order: the barrier; a row's memory is written again two columns later, when the
/// barrier between has been reached by all who read it.
template <int Width, int Size>
__device__ void eliminate(held_row<Size>& h, shared_rows<Size>& shared, steps& s, int k) {
    const int thread = static_cast<int>(threadIdx.x);
    const int from = find_pivot(h, shared, s, k);
    double* const row = shared.pivot_row[k % 2];
    const bool own = h.open == from;
    if (own) {
        shared.owner[k % 2] = thread;
#pragma unroll
        for (int j = 0; j < Width; j += pair) *reinterpret_cast<two_doubles*>(row + j) = {h.a[j], h.a[j + 1]};
    }
    __syncthreads();
    double pivot = row[0];
    if (s.move) {
        const double moved = perturbed_pivot(pivot, s.smallest);
        s.moved += moved != pivot && moved == moved;
        pivot = moved;
    }
    const bool fast = has_reciprocal(pivot);
    const double inverse = 1.0 / pivot;
    h.open = own ? none : h.open == k ? from : h.open;
    h.place = own ? k : h.open != none ? h.open : h.place;
    const double factor = fast ? h.a[0] * inverse : multiplier(h.a[0], pivot);
    if (h.open != none) shared.columns[k][thread] = factor;
    if (thread == k) shared.sites[k] = {pivot, from};
    // The pivot's row is finished, and leaves. What rows that are finished do from here on, in registers, no
    // longer matters.
    if (thread < Width && k + thread < Size)
        shared.columns[k + thread][shared.owner[k % 2]] = thread == 0 ? pivot : row[thread];
#pragma unroll
    for (int j = 0; j < Width; j += pair) {
        const two_doubles u = *reinterpret_cast<const two_doubles*>(row + j);
        if (j > 0) h.a[j - 1] = fma(-factor, u.at[0], h.a[j]);
        h.a[j] = fma(-factor, u.at[1], h.a[j + 1]);
    }
}

/// Columns from k on, by the smallest window that holds the others.
template <int Width, int Size>
__device__ void eliminate_all(held_row<Size>& h, shared_rows<Size>& shared, steps& s, int k) {
#pragma unroll 1
    for (; k < s.diagonal && s.columns - k > Width - phase; ++k) eliminate<Width>(h, shared, s, k);
    if constexpr (Width > phase) eliminate_all<Width - phase>(h, shared, s, k);
}

/// By the first warp.
template <int Size>
__device__ void say(const factor_work<double>& work, index_t number, const device_matrix<double>& m,
                    const shared_rows<Size>& shared, int moved) {
    const int lane = static_cast<int>(threadIdx.x);
    if (lane >= warp_lanes) return;
    findings<double, warp_lanes, warps> out{};
    out.lane = lane;
    out.group = cuda::whole_warp;
    out.perturbed = moved;
#pragma unroll
    for (int r = 0; r < warps; ++r) {
        const int k = lane + r * warp_lanes;
        const site_of_pivot site = k < m.diagonal() ? shared.sites[k] : site_of_pivot{};
        out.pivot[r] = site.pivot;
        out.from[r] = site.from;
        out.place[r] = shared.places[k];
    }
    report_findings(work, number, m, out);
}

template <int Row>
__global__ void __launch_bounds__(threads, thread_row_policies[Row].policy.blocks)
    factor_thread_rows(const __grid_constant__ factor_work<double> work, bool by_row) {
    constexpr int size = thread_row_policies[Row].policy.columns;
    extern __shared__ __align__(16) unsigned char memory[];
    auto& shared = *reinterpret_cast<shared_rows<size>*>(memory);
    for (index_t i = blockIdx.x; i < work.count; i += gridDim.x) {
        const index_t number = work.number(i);
        const device_matrix<double> m = work.all[number];
        steps s{static_cast<int>(m.diagonal()), static_cast<int>(m.columns), work.pivoting,
                work.smallest_pivot != nullptr, 0};
        if (s.move) s.smallest = work.smallest_pivot[number];
        held_row<size> h;
        load(h, m, shared, by_row);
        eliminate_all<size>(h, shared, s, 0);
        store(h, m, shared, by_row);
        say(work, number, m, shared, s.moved);
        __syncthreads();  // before the next matrix takes the memory
    }
}

template <int Row>
void launch(const cuda::context& c, const factor_work<double>& work, bool by_row) {
    constexpr std::size_t bytes = sizeof(shared_rows<thread_row_policies[Row].policy.columns>);
    const auto kernel = factor_thread_rows<Row>;
    cuda::launch_limits::permit(c, kernel, bytes);
    const auto blocks = static_cast<unsigned>(std::min<index_t>(work.count, INT_MAX));
    kernel<<<blocks, threads, bytes, c.stream()>>>(work, by_row);
    cuda::check_launch();
}

}  // namespace

void launch_thread_rows(const cuda::context& c, const factor_work<double>& work, int policy, bool by_row) {
    if (work.count == 0) return;
    tuning::with_number<std::size(thread_row_policies)>(static_cast<std::size_t>(policy),
                                                        [&]<int Row>() { launch<Row>(c, work, by_row); });
}

}  // namespace wale::lu::batched
