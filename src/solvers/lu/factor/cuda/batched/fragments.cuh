// fragments - matrices of at most 32 rows and columns, in registers: some lanes of a warp a matrix, a lane
// some rows of it. Rows stay where they are; each knows its place in P A, and goes there when it is stored.
#pragma once

#include "solvers/lu/factor/cuda/batched/tuning.hpp"
#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {

inline constexpr unsigned whole_warp = ~0u;

template <int Row>
struct fragment {
    static constexpr fragment_policy policy = fragment_policies[Row].policy;
    static constexpr int lanes = policy.lanes;
    static constexpr int rows = policy.rows_per_lane;
    static constexpr int size = lanes * rows;
    static constexpr int groups = policy.threads / lanes;  // matrices of a block at a time
    static constexpr int pitch = size + 1;                 // of a matrix in shared memory: no bank conflicts
};

/// One matrix in the registers of its lanes. place[r]: where row r of this lane is in P A so far; -1: there
/// is no such row.
template <class T, int Row>
struct held {
    using f = fragment<Row>;
    T a[f::rows][f::size];
    int place[f::rows];
};

/// By column: neighbouring lanes read neighbouring rows.
template <class T, int Row>
__device__ void load_columns(held<T, Row>& h, const device_matrix<T>& m, int lane) {
    using f = fragment<Row>;
#pragma unroll
    for (int r = 0; r < f::rows; ++r) {
        const int row = lane + r * f::lanes;
        const T* p = m.data + row;
#pragma unroll
        for (int j = 0; j < f::size; ++j, p += m.column_step)
            h.a[r][j] = row < m.rows && j < m.columns ? *p : T(0);
    }
}
template <class T, int Row>
__device__ void store_columns(const held<T, Row>& h, const device_matrix<T>& m) {
    using f = fragment<Row>;
#pragma unroll
    for (int r = 0; r < f::rows; ++r) {
        T* p = m.data + h.place[r];
#pragma unroll
        for (int j = 0; j < f::size; ++j, p += m.column_step)
            if (h.place[r] >= 0 && j < m.columns) *p = h.a[r][j];
    }
}

/// By row, through shared memory: neighbouring lanes read neighbouring columns.
template <class T, int Row>
__device__ void load_rows(held<T, Row>& h, const device_matrix<T>& m, int lane, T* shared) {
    using f = fragment<Row>;
#pragma unroll 4
    for (int i = 0; i < m.rows; ++i)
#pragma unroll
        for (int c = 0; c < f::rows; ++c) {
            const int column = lane + c * f::lanes;
            if (column < m.columns)
                shared[i * f::pitch + column] = m.data[i * m.row_step + column * m.column_step];
        }
    __syncwarp();
#pragma unroll
    for (int r = 0; r < f::rows; ++r) {
        const int row = lane + r * f::lanes;
#pragma unroll
        for (int j = 0; j < f::size; ++j)
            h.a[r][j] = row < m.rows && j < m.columns ? shared[row * f::pitch + j] : T(0);
    }
    __syncwarp();
}
template <class T, int Row>
__device__ void store_rows(const held<T, Row>& h, const device_matrix<T>& m, int lane, T* shared) {
    using f = fragment<Row>;
#pragma unroll
    for (int r = 0; r < f::rows; ++r)
#pragma unroll
        for (int j = 0; j < f::size; ++j)
            if (h.place[r] >= 0) shared[h.place[r] * f::pitch + j] = h.a[r][j];
    __syncwarp();
#pragma unroll 4
    for (int i = 0; i < m.rows; ++i)
#pragma unroll
        for (int c = 0; c < f::rows; ++c) {
            const int column = lane + c * f::lanes;
            if (column < m.columns)
                m.data[i * m.row_step + column * m.column_step] = shared[i * f::pitch + column];
        }
    __syncwarp();
}

/// Which lane of the warp holds the pivot; all lanes of its group agree.
template <class T, int Lanes>
__device__ int holder(const candidate<T>& mine, unsigned group) {
    batched::key<T> most = mine.key;
#pragma unroll
    for (int o = Lanes / 2; o > 0; o /= 2) most = max(most, __shfl_xor_sync(whole_warp, most, o));
    unsigned holders = __ballot_sync(whole_warp, mine.key == most) & group;
    if (__any_sync(whole_warp, (holders & (holders - 1)) != 0)) {  // equals: the lowest place of them
        int least = mine.key == most ? mine.place : none;
#pragma unroll
        for (int o = Lanes / 2; o > 0; o /= 2) least = min(least, __shfl_xor_sync(whole_warp, least, o));
        holders =
            __ballot_sync(whole_warp, mine.key == most && (mine.place == least || least == none)) & group;
    }
    return __ffs(static_cast<int>(holders)) - 1;
}

/// What the lanes of a matrix share.
struct step_facts {
    int lane;        // in the group
    unsigned group;  // lanes of the warp
    int diagonal;
    bool pivoting;
    bool move;  // pivots below `smallest`
    double smallest;
};

/// Column k: find the pivot, divide, subtract. Returns the pivot and its place.
template <int K, class T, int Row>
__device__ T eliminate(held<T, Row>& h, const step_facts& s, verdict& v, int& pivot_place) {
    using f = fragment<Row>;
    const bool active = K < s.diagonal;
    candidate<T> mine;
    bool second = false;  // the candidate is this lane's second row
#pragma unroll
    for (int r = 0; r < f::rows; ++r) {
        const bool alive = active && h.place[r] >= K;
        const int before = mine.place;
        if (alive) mine.take(s.pivoting ? pivot_key(h.a[r][K], h.place[r] == K) : 0, h.place[r]);
        if (r == 1) second = mine.place != before;
    }
    if (!s.pivoting && mine.place != K) mine.place = none;
    if (!s.pivoting) mine.key = mine.place == K;
    const int from = holder<T, f::lanes>(mine, s.group);
    const int told = __shfl_sync(whole_warp, mine.place * 2 + second, from);
    const int place = told / 2;
    second = told % 2 != 0;
    const auto pivot_row = [&](int j) {
        T value = h.a[0][j];
        if constexpr (f::rows == 2) value = second ? h.a[1][j] : value;
        return __shfl_sync(whole_warp, value, from);
    };
    T pivot = pivot_row(K);
    if (active) {
        if (s.move) {
            const T moved = perturbed_pivot(pivot, static_cast<T>(s.smallest));
            v.perturbed += moved != pivot && moved == moved;
            pivot = moved;
        }
        v.add(pivot, K);
        v.exchanged = v.exchanged != (place != K);
        pivot_place = place;
    }
    const T inverse = has_reciprocal(pivot) ? T(1) / pivot : T(0);
    T factor[f::rows];
    bool below[f::rows];
#pragma unroll
    for (int r = 0; r < f::rows; ++r) {
        if (active) h.place[r] = h.place[r] == place ? K : h.place[r] == K ? place : h.place[r];
        if (active && h.place[r] == K) h.a[r][K] = pivot;
        below[r] = active && h.place[r] > K;
        factor[r] = T(0);
        if (below[r]) {
            factor[r] = has_reciprocal(pivot) ? h.a[r][K] * inverse : multiplier(h.a[r][K], pivot);
            h.a[r][K] = factor[r];
        }
    }
#pragma unroll
    for (int j = K + 1; j < f::size; ++j) {
        const T u = pivot_row(j);
#pragma unroll
        for (int r = 0; r < f::rows; ++r)
            if (below[r]) h.a[r][j] = fma(-factor[r], u, h.a[r][j]);
    }
    return pivot;
}

/// Pivots and places of a lane: number lane + r * lanes.
template <class T, int Row>
struct found {
    T pivot[fragment<Row>::rows];
    int place[fragment<Row>::rows];
};

template <int K, class T, int Row>
__device__ void eliminate_from(held<T, Row>& h, const step_facts& s, verdict& v, found<T, Row>& to) {
    using f = fragment<Row>;
    if constexpr (K < f::size) {
        if (!__any_sync(whole_warp, K < s.diagonal)) return;
        int place = 0;
        const T pivot = eliminate<K>(h, s, v, place);
        if (s.lane == K % f::lanes) {
            to.pivot[K / f::lanes] = pivot;
            to.place[K / f::lanes] = place;
        }
        eliminate_from<K + 1>(h, s, v, to);
    }
}

template <class T, int Row>
__device__ void report(const factor_work<T>& work, index_t number, const device_matrix<T>& m,
                       const held<T, Row>& h, const found<T, Row>& pivots, const step_facts& s,
                       const verdict& v) {
    using f = fragment<Row>;
    double log_magnitude = 0;
#pragma unroll
    for (int r = 0; r < f::rows; ++r) {
        const int k = s.lane + r * f::lanes;
        if (k < s.diagonal && work.out.pivots) work.out.pivots[m.pivot_start + k] = pivots.place[r];
        if (h.place[r] >= 0 && work.out.permutation) work.out.permutation[m.row_start + h.place[r]] = k;
        if (k < s.diagonal && work.out.log_magnitude)
            log_magnitude += log(fabs(static_cast<double>(pivots.pivot[r])));
    }
    if (work.out.log_magnitude)
#pragma unroll
        for (int o = f::lanes / 2; o > 0; o /= 2)
            log_magnitude += __shfl_xor_sync(whole_warp, log_magnitude, o);
    if (s.lane == 0 && number >= 0) write_verdict(work.to, work.out, number, v, log_magnitude);
}

/// Shared memory, for row-major matrices alone: groups * size * pitch elements.
template <class T, int Row>
__global__ void __launch_bounds__(fragment_policies[Row].policy.threads)
    factor_fragments(const __grid_constant__ factor_work<T> work, bool staged) {
    using f = fragment<Row>;
    extern __shared__ __align__(16) unsigned char memory[];
    const int group = static_cast<int>(threadIdx.x) / f::lanes;
    T* const shared = reinterpret_cast<T*>(memory) + group * (f::size * f::pitch);
    step_facts s{};
    s.lane = static_cast<int>(threadIdx.x) % f::lanes;
    const int first_lane = static_cast<int>(threadIdx.x) % 32 - s.lane;
    s.group = (whole_warp >> (32 - f::lanes)) << first_lane;
    s.pivoting = work.pivoting;
    s.move = work.smallest_pivot != nullptr;
    const index_t stride = static_cast<index_t>(gridDim.x) * f::groups;
    for (index_t start = static_cast<index_t>(blockIdx.x) * f::groups; start < work.count; start += stride) {
        device_matrix<T> m{};  // without rows, for lanes that have none
        const bool there = start + group < work.count;
        const index_t number = there ? work.number(start + group) : -1;
        if (there) m = work.all[number];
        s.diagonal = static_cast<int>(m.diagonal());
        s.smallest = s.move && there ? work.smallest_pivot[number] : 0;
        held<T, Row> h;
#pragma unroll
        for (int r = 0; r < f::rows; ++r)
            h.place[r] = s.lane + r * f::lanes < m.rows ? s.lane + r * f::lanes : -1;
        if (staged)
            load_rows(h, m, s.lane, shared);
        else
            load_columns(h, m, s.lane);
        found<T, Row> pivots;
        verdict v;
        eliminate_from<0>(h, s, v, pivots);
        if (staged)
            store_rows(h, m, s.lane, shared);
        else
            store_columns(h, m);
        report(work, number, m, h, pivots, s, v);
    }
}

}  // namespace wale::lu::batched
