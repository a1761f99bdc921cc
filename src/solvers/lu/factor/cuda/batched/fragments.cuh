// fragments - matrices of at most 32 or 64 rows and columns, in registers: some lanes of a warp a matrix, a
// lane some rows of it. Rows stay where they are; each knows its place in P A, and goes there when it is
// stored.
//
// The column that is eliminated is always the first of the registers: the product's results move one to the
// left, which costs nothing and keeps the loop over the columns a loop. (Unrolled, 32 columns are 180 KB of
// instructions, and fetching them took four times the work.) What is finished leaves for shared memory.
#pragma once

#include "solvers/lu/factor/cuda/batched/tuning.hpp"
#include "solvers/lu/factor/cuda/batched/verdict.cuh"
#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {

inline constexpr unsigned whole_warp = ~0u;
inline constexpr int phase = 8;  // columns between two sizes of the window on the registers
inline constexpr int quad = 4;   // neighbours in shared memory that are read at once

template <class T>
struct alignas(16) quad_of {
    T at[quad];
};

template <int Row>
struct fragment {
    static constexpr fragment_policy policy = fragment_policies[Row].policy;
    static constexpr int lanes = policy.lanes;
    static constexpr int rows = policy.rows_per_lane;
    static constexpr int size = lanes * rows;
    static constexpr int groups = policy.threads / lanes;  // matrices of a block at a time
    static constexpr int pitch = size + 1;                 // in shared memory: no bank conflicts
    /// Of a matrix in shared memory: its elements by column, L by row as it stands in registers; two pivot
    /// rows; permutation.
    /// The groups of a warp begin `lanes` banks apart.
    static constexpr int elements = (size * pitch + 2 * size + 31) / 32 * 32 + lanes % 32;
};

/// The matrix of this lane's group.
template <class T, int Row>
struct fragment_room {
    T* columns;      // [size][pitch]: element (row of a lane, column)
    T* pivot_row;    // [2][size], in turn
    int lane;        // in the group
    unsigned group;  // lanes of the warp
};

/// One matrix in the registers of its lanes, from the column on that is eliminated next. place[r]: where row
/// r of this lane is in P A so far; -1: there is no such row.
template <class T, int Row>
struct held {
    using f = fragment<Row>;
    T a[f::rows][f::size];
    int place[f::rows];
    int open[f::rows];  // the same while the row may become a pivot's, then none
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

/// By row, through shared memory: neighbouring lanes read neighbouring columns.
template <class T, int Row>
__device__ void load_rows(held<T, Row>& h, const device_matrix<T>& m, const fragment_room<T, Row>& room) {
    using f = fragment<Row>;
    const int rows = static_cast<int>(m.rows);
#pragma unroll
    for (int c = 0; c < f::rows; ++c) {
        const int column = room.lane + c * f::lanes;
        if (column >= m.columns) continue;
        const T* from = m.data + column;
        T* const to = room.columns + column * f::pitch;
#pragma unroll 8
        for (int i = 0; i < rows; ++i, from += m.row_step) to[i] = *from;
    }
    __syncwarp();
#pragma unroll
    for (int r = 0; r < f::rows; ++r) {
        const int row = room.lane + r * f::lanes;
#pragma unroll
        for (int j = 0; j < f::size; ++j)
            h.a[r][j] = row < rows && j < m.columns ? room.columns[j * f::pitch + row] : T(0);
    }
    __syncwarp();
}

/// From shared memory, where rows stand as lanes held them, to their places.
template <class T, int Row>
__device__ void store_columns(const held<T, Row>& h, const device_matrix<T>& m,
                              const fragment_room<T, Row>& room) {
    using f = fragment<Row>;
#pragma unroll
    for (int r = 0; r < f::rows; ++r) {
        if (h.place[r] < 0) continue;
        T* p = m.data + h.place[r];
        const T* from = room.columns + room.lane + r * f::lanes;
#pragma unroll 8
        for (int j = 0; j < m.columns; ++j, p += m.column_step, from += f::pitch) *p = *from;
    }
}
template <class T, int Row>
__device__ void store_rows(const held<T, Row>& h, const device_matrix<T>& m,
                           const fragment_room<T, Row>& room) {
    using f = fragment<Row>;
    int* const source =
        reinterpret_cast<int*>(room.pivot_row);  // by place: the row of a lane that goes there
#pragma unroll
    for (int r = 0; r < f::rows; ++r)
        if (h.place[r] >= 0) source[h.place[r]] = room.lane + r * f::lanes;
    __syncwarp();
    const int rows = static_cast<int>(m.rows);
#pragma unroll
    for (int c = 0; c < f::rows; ++c) {
        const int column = room.lane + c * f::lanes;
        if (column >= m.columns) continue;
        T* to = m.data + column;
        const T* const from = room.columns + column * f::pitch;
#pragma unroll 8
        for (int i = 0; i < rows; ++i, to += m.row_step) *to = from[source[i]];
    }
}

/// Which lane of the warp holds the pivot; all lanes of its group agree.
template <class T, int Lanes>
__device__ int holder(const candidate<T>& mine, unsigned group) {
    if constexpr (Lanes == 32) {
        const candidate<T> best = best_of_warp(mine);
        return __ffs(static_cast<int>(__ballot_sync(whole_warp, mine.place == best.place))) - 1;
    }
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
    int diagonal;
    int end, columns;  // the largest diagonal and number of columns in the warp
    bool pivoting;
    bool move;  // pivots below `smallest`
    double smallest;
};

/// Pivots and places of a lane: number lane + r * lanes.
template <class T, int Row>
struct found {
    T pivot[fragment<Row>::rows];
    int place[fragment<Row>::rows];
};

/// Which row is the pivot of column k, and where: all lanes of the group agree.
struct pivot_site {
    int lane;     // of the warp
    int place;    // in P A so far; none: the matrix has no such column or row
    bool second;  // the second row of that lane
};
template <class T, int Row>
__device__ pivot_site find_pivot(const held<T, Row>& h, const step_facts& s, unsigned group, int k) {
    using f = fragment<Row>;
    candidate<T> mine = candidate_of(h.a[0][0], h.open[0], k, s.pivoting);
    bool second = false;
    if constexpr (f::rows == 2) {
        const candidate<T> other = candidate_of(h.a[1][0], h.open[1], k, s.pivoting);
        second = outdoes(other, mine);
        mine = second ? other : mine;
    }
    const int from = holder<T, f::lanes>(mine, group);
    const int told = __shfl_sync(whole_warp, mine.place * 2 + second, from);
    return {from, told >> 1, (told & 1) != 0};
}

/// Column k, the first of a window of Width: find the pivot, divide, subtract. All lanes of the warp.
template <int Width, class T, int Row>
__device__ void eliminate(held<T, Row>& h, const fragment_room<T, Row>& room, const step_facts& s, int k,
                          found<T, Row>& to, int& perturbed) {
    using f = fragment<Row>;
#pragma unroll
    for (int r = 0; r < f::rows; ++r)
        if (k >= s.diagonal) h.open[r] = none;
    const pivot_site site = find_pivot(h, s, room.group, k);
    const bool active = site.place != none;
    T* const row = room.pivot_row + k % 2 * f::size;
    T* const columns = room.columns + k * f::pitch;
    const bool own = active && static_cast<int>(threadIdx.x) % 32 == site.lane;
#pragma unroll
    for (int r = 0; r < f::rows; ++r)
        if (own && site.second == (r == 1))
#pragma unroll
            for (int j = 0; j < Width; j += quad)
                *reinterpret_cast<quad_of<T>*>(row + j) = {h.a[r][j], h.a[r][j + 1], h.a[r][j + 2],
                                                           h.a[r][j + 3]};
    __syncwarp();
    T pivot = row[0];
    if (s.move) {
        const T moved = perturbed_pivot(pivot, static_cast<T>(s.smallest));
        perturbed += active && moved != pivot && moved == moved;
        pivot = moved;
    }
    const bool fast = has_reciprocal(pivot);
    const bool all_fast = __all_sync(whole_warp, fast || !active);
    const T inverse = T(1) / pivot;
    T factor[f::rows];
#pragma unroll
    for (int r = 0; r < f::rows; ++r) {
        const bool pivots_row = h.open[r] == site.place;
        h.open[r] = h.open[r] == k ? site.place : h.open[r];
        h.open[r] = pivots_row ? none : h.open[r];
        h.place[r] = pivots_row && active ? k : h.open[r] != none ? h.open[r] : h.place[r];
        factor[r] = h.a[r][0] * inverse;
        if (room.lane + r * f::lanes == k) {
            to.pivot[r] = pivot;
            to.place[r] = site.place;
        }
    }
    if (!all_fast)
#pragma unroll
        for (int r = 0; r < f::rows; ++r)
            if (!fast) factor[r] = multiplier(h.a[r][0], pivot);
#pragma unroll
    for (int r = 0; r < f::rows; ++r)
        if (h.open[r] != none) columns[room.lane + r * f::lanes] = factor[r];
    // The pivot's row is finished, and leaves. What rows that are finished do from here on, in registers, no
    // longer matters.
    T* const finished = columns + site.lane % f::lanes + (site.second ? f::lanes : 0);
#pragma unroll
    for (int j = 0; j < Width; j += f::lanes) {
        const int at = j + room.lane;
        if (active && at < Width && k + at < f::size) finished[at * f::pitch] = at == 0 ? pivot : row[at];
    }
#pragma unroll
    for (int j = 0; j < Width; j += quad) {
        const quad_of<T> u = *reinterpret_cast<const quad_of<T>*>(row + j);
#pragma unroll
        for (int q = 0; q < quad; ++q)
#pragma unroll
            for (int r = 0; r < f::rows; ++r)
                if (j + q > 0) h.a[r][j + q - 1] = fma(-factor[r], u.at[q], h.a[r][j + q]);
    }
}

/// Columns from k on, by the smallest window that holds the `columns` of the warp's widest matrix; k < end.
template <int Width, class T, int Row>
__device__ void eliminate_all(held<T, Row>& h, const fragment_room<T, Row>& room, const step_facts& s, int k,
                              found<T, Row>& to, int& perturbed) {
#pragma unroll 1
    for (; k < s.end && s.columns - k > Width - phase; ++k) eliminate<Width>(h, room, s, k, to, perturbed);
    if constexpr (Width > phase) eliminate_all<Width - phase>(h, room, s, k, to, perturbed);
}

/// Shared memory: groups * elements. staged: by row.
template <class T, int Row>
__global__ void __launch_bounds__(fragment_policies[Row].policy.threads, fragment_policies[Row].policy.blocks)
    factor_fragments(const __grid_constant__ factor_work<T> work, bool staged) {
    using f = fragment<Row>;
    extern __shared__ __align__(16) unsigned char memory[];
    const int group = static_cast<int>(threadIdx.x) / f::lanes;
    fragment_room<T, Row> room{};
    room.pivot_row = reinterpret_cast<T*>(memory) + group * f::elements;
    room.columns = room.pivot_row + 2 * f::size;
    room.lane = static_cast<int>(threadIdx.x) % f::lanes;
    room.group = (whole_warp >> (32 - f::lanes)) << (static_cast<int>(threadIdx.x) % 32 - room.lane);
    const index_t stride = static_cast<index_t>(gridDim.x) * f::groups;
    for (index_t start = static_cast<index_t>(blockIdx.x) * f::groups; start < work.count; start += stride) {
        device_matrix<T> m{};  // without rows, for lanes that have none
        const bool there = start + group < work.count;
        const index_t number = there ? work.number(start + group) : -1;
        if (there) m = work.all[number];
        step_facts s{};
        s.diagonal = static_cast<int>(m.diagonal());
        s.end = static_cast<int>(cuda::largest_of_warp(static_cast<unsigned>(m.diagonal())));
        s.columns = static_cast<int>(cuda::largest_of_warp(static_cast<unsigned>(m.columns)));
        s.pivoting = work.pivoting;
        s.move = work.smallest_pivot != nullptr;
        s.smallest = s.move && there ? work.smallest_pivot[number] : 0;
        held<T, Row> h;
#pragma unroll
        for (int r = 0; r < f::rows; ++r) {
            const int row = room.lane + r * f::lanes;
            h.place[r] = row < m.rows ? row : -1;
            h.open[r] = row < m.rows ? row : none;
        }
        if (staged)
            load_rows(h, m, room);
        else
            load_columns(h, m, room.lane);
        found<T, Row> pivots{};
        int perturbed = 0;
        eliminate_all<f::size>(h, room, s, 0, pivots, perturbed);
        __syncwarp();
        if (staged)
            store_rows(h, m, room);
        else
            store_columns(h, m, room);
        findings<T, f::lanes, f::rows> out{.lane = room.lane, .group = room.group, .perturbed = perturbed};
#pragma unroll
        for (int r = 0; r < f::rows; ++r) {
            out.pivot[r] = pivots.pivot[r];
            out.from[r] = pivots.place[r];
            out.place[r] = h.place[r];
        }
        report_findings(work, number, m, out);
        __syncwarp();
    }
}

}  // namespace wale::lu::batched
