// fragments - float64 matrices of at most 32 rows and columns, in registers: some lanes of a warp a matrix, a
// lane a row of it. Rows stay where they are; each knows its place in P A, and goes there when it is stored.
//
// The column that is eliminated is always the first of the registers: the product's results move one to the
// left, which costs nothing and keeps the loop over the columns a loop. (Unrolled, 32 columns are 180 KB of
// instructions, and fetching them took four times the work.) What is finished leaves for shared memory.
#include <algorithm>

#include "solvers/lu/factor/cuda/batched/tuning.hpp"
#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {
namespace {

constexpr unsigned whole_warp = ~0u;
constexpr int phase = 8;  // columns between two sizes of the window on the registers
constexpr int quad = 4;   // neighbours in shared memory that are read at once

struct alignas(16) four_doubles {
    double at[quad];
};

template <int Row>
struct fragment {
    static constexpr fragment_policy policy = fragment_policies[Row].policy;
    static constexpr int lanes = policy.lanes;
    static constexpr int size = lanes;                     // rows and columns at most
    static constexpr int groups = policy.threads / lanes;  // matrices of a block at a time
    static constexpr int pitch = size + 1;                 // in shared memory: no bank conflicts
    /// Of a matrix in shared memory: its elements by column, L by row as it stands in registers; two pivot
    /// rows. The groups of a warp begin `lanes` banks apart.
    static constexpr int elements = (size * pitch + 2 * size + 31) / 32 * 32 + lanes % 32;
};

/// The matrix of this lane's group.
template <int Row>
struct fragment_workspace {
    double* columns;    // [size][pitch]: element (row of a lane, column)
    double* pivot_row;  // [2][size], in turn
    int lane;           // in the group
    unsigned group;     // lanes of the warp
};

/// One matrix in the registers of its lanes, from the column on that is eliminated next.
template <int Row>
struct held {
    using f = fragment<Row>;
    double a[f::size];
    int place;  // of this lane's row in P A so far; -1: there is no such row
    int open;   // the same while the row may become a pivot's, then none
};

/// By column: neighbouring lanes read neighbouring rows.
template <int Row>
__device__ void load_columns(held<Row>& h, const device_matrix<double>& m, int lane) {
    const double* p = m.data + lane;
#pragma unroll
    for (int j = 0; j < fragment<Row>::size; ++j, p += m.column_step)
        h.a[j] = lane < m.rows && j < m.columns ? *p : 0.0;
}

/// By row, through shared memory: neighbouring lanes read neighbouring columns.
template <int Row>
__device__ void load_rows(held<Row>& h, const device_matrix<double>& m,
                          const fragment_workspace<Row>& workspace) {
    using f = fragment<Row>;
    const int rows = static_cast<int>(m.rows);
    if (workspace.lane < m.columns) {
        const double* from = m.data + workspace.lane;
        double* const to = workspace.columns + workspace.lane * f::pitch;
#pragma unroll 8
        for (int i = 0; i < rows; ++i, from += m.row_step) to[i] = *from;
    }
    __syncwarp();
#pragma unroll
    for (int j = 0; j < f::size; ++j)
        h.a[j] =
            workspace.lane < rows && j < m.columns ? workspace.columns[j * f::pitch + workspace.lane] : 0.0;
    __syncwarp();
}

/// From shared memory, where rows stand as lanes held them, to their places.
template <int Row>
__device__ void store_columns(const held<Row>& h, const device_matrix<double>& m,
                              const fragment_workspace<Row>& workspace) {
    if (h.place < 0) return;
    double* p = m.data + h.place;
    const double* from = workspace.columns + workspace.lane;
#pragma unroll 8
    for (int j = 0; j < m.columns; ++j, p += m.column_step, from += fragment<Row>::pitch) *p = *from;
}
template <int Row>
__device__ void store_rows(const held<Row>& h, const device_matrix<double>& m,
                           const fragment_workspace<Row>& workspace) {
    int* const source =
        reinterpret_cast<int*>(workspace.pivot_row);  // by place: the lane whose row goes there
    if (h.place >= 0) source[h.place] = workspace.lane;
    __syncwarp();
    if (workspace.lane >= m.columns) return;
    const int rows = static_cast<int>(m.rows);
    double* to = m.data + workspace.lane;
    const double* const from = workspace.columns + workspace.lane * fragment<Row>::pitch;
#pragma unroll 8
    for (int i = 0; i < rows; ++i, to += m.row_step) *to = from[source[i]];
}

/// Which lane of the warp holds the pivot; all lanes of its group agree.
template <int Lanes>
__device__ int holder(const candidate<double>& mine, unsigned group) {
    if constexpr (Lanes == 32) {
        const candidate<double> best = best_of_warp(mine);
        return __ffs(static_cast<int>(__ballot_sync(whole_warp, mine.place == best.place))) - 1;
    }
    batched::key<double> most = mine.key;
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
struct step_shape {
    int diagonal;
    int end, columns;  // the largest diagonal and number of columns in the warp
    bool pivoting;
    bool move;  // pivots below `smallest`
    double smallest;
};

/// The pivot of a lane's number, and the place that it came from.
struct found {
    double pivot;
    int place;
};

/// Which row is the pivot of column k, and where: all lanes of the group agree.
struct pivot_site {
    int lane;   // of the warp
    int place;  // in P A so far; none: the matrix has no such column or row
};
template <int Row>
__device__ pivot_site find_pivot(const held<Row>& h, const step_shape& s, unsigned group, int k) {
    const candidate<double> mine = candidate_of(h.a[0], h.open, k, s.pivoting);
    const int from = holder<fragment<Row>::lanes>(mine, group);
    return {from, __shfl_sync(whole_warp, mine.place, from)};
}

/// Column k, the first of a window of Width: find the pivot, divide, subtract. All lanes of the warp.
template <int Width, int Row>
__device__ void eliminate(held<Row>& h, const fragment_workspace<Row>& workspace, const step_shape& s, int k,
                          found& to, int& perturbed) {
    using f = fragment<Row>;
    if (k >= s.diagonal) h.open = none;
    const pivot_site site = find_pivot(h, s, workspace.group, k);
    const bool active = site.place != none;
    double* const row = workspace.pivot_row + k % 2 * f::size;
    double* const columns = workspace.columns + k * f::pitch;
    const bool own = active && static_cast<int>(threadIdx.x) % 32 == site.lane;
    if (own)
#pragma unroll
        for (int j = 0; j < Width; j += quad)
            *reinterpret_cast<four_doubles*>(row + j) = {h.a[j], h.a[j + 1], h.a[j + 2], h.a[j + 3]};
    __syncwarp();
    double pivot = row[0];
    if (s.move) {
        const double moved = perturbed_pivot(pivot, static_cast<double>(s.smallest));
        perturbed += active && moved != pivot && moved == moved;
        pivot = moved;
    }
    const bool fast = has_reciprocal(pivot);
    const bool all_fast = __all_sync(whole_warp, fast || !active);
    const double inverse = 1.0 / pivot;
    const bool pivots_row = h.open == site.place;
    h.open = h.open == k ? site.place : h.open;
    h.open = pivots_row ? none : h.open;
    h.place = pivots_row && active ? k : h.open != none ? h.open : h.place;
    double factor = h.a[0] * inverse;
    if (workspace.lane == k) to = {pivot, site.place};
    if (!all_fast && !fast) factor = multiplier(h.a[0], pivot);
    if (h.open != none) columns[workspace.lane] = factor;
    // The pivot's row is finished, and leaves. What rows that are finished do from here on, in registers, no
    // longer matters.
    double* const finished = columns + site.lane % f::lanes;
#pragma unroll
    for (int j = 0; j < Width; j += f::lanes) {
        const int at = j + workspace.lane;
        if (active && at < Width && k + at < f::size) finished[at * f::pitch] = at == 0 ? pivot : row[at];
    }
#pragma unroll
    for (int j = 0; j < Width; j += quad) {
        const four_doubles u = *reinterpret_cast<const four_doubles*>(row + j);
#pragma unroll
        for (int q = 0; q < quad; ++q)
            if (j + q > 0) h.a[j + q - 1] = fma(-factor, u.at[q], h.a[j + q]);
    }
}

/// Columns from k on, by the smallest window that holds the `columns` of the warp's widest matrix; k < end.
template <int Width, int Row>
__device__ void eliminate_all(held<Row>& h, const fragment_workspace<Row>& workspace, const step_shape& s,
                              int k, found& to, int& perturbed) {
#pragma unroll 1
    for (; k < s.end && s.columns - k > Width - phase; ++k)
        eliminate<Width>(h, workspace, s, k, to, perturbed);
    if constexpr (Width > phase) eliminate_all<Width - phase>(h, workspace, s, k, to, perturbed);
}

/// Shared memory: groups * elements. staged: by row.
template <int Row>
__global__ void __launch_bounds__(fragment_policies[Row].policy.threads, fragment_policies[Row].policy.blocks)
    factor_fragments(const __grid_constant__ factor_work<double> work, bool staged) {
    using f = fragment<Row>;
    extern __shared__ __align__(16) unsigned char memory[];
    const int group = static_cast<int>(threadIdx.x) / f::lanes;
    fragment_workspace<Row> workspace{};
    workspace.pivot_row = reinterpret_cast<double*>(memory) + group * f::elements;
    workspace.columns = workspace.pivot_row + 2 * f::size;
    workspace.lane = static_cast<int>(threadIdx.x) % f::lanes;
    workspace.group = (whole_warp >> (32 - f::lanes))
                      << (static_cast<int>(threadIdx.x) % 32 - workspace.lane);
    const index_t stride = static_cast<index_t>(gridDim.x) * f::groups;
    for (index_t start = static_cast<index_t>(blockIdx.x) * f::groups; start < work.count; start += stride) {
        device_matrix<double> m{};  // without rows, for lanes that have none
        const bool there = start + group < work.count;
        const index_t number = there ? work.number(start + group) : -1;
        if (there) m = work.all[number];
        step_shape s{};
        s.diagonal = static_cast<int>(m.diagonal());
        s.end = static_cast<int>(cuda::largest_of_warp(static_cast<unsigned>(m.diagonal())));
        s.columns = static_cast<int>(cuda::largest_of_warp(static_cast<unsigned>(m.columns)));
        s.pivoting = work.pivoting;
        s.move = work.smallest_pivot != nullptr;
        s.smallest = s.move && there ? work.smallest_pivot[number] : 0;
        held<Row> h;
        h.place = workspace.lane < m.rows ? workspace.lane : -1;
        h.open = workspace.lane < m.rows ? workspace.lane : none;
        if (staged)
            load_rows(h, m, workspace);
        else
            load_columns(h, m, workspace.lane);
        found pivots{};
        int perturbed = 0;
        eliminate_all<f::size>(h, workspace, s, 0, pivots, perturbed);
        __syncwarp();
        if (staged)
            store_rows(h, m, workspace);
        else
            store_columns(h, m, workspace);
        const findings<double, f::lanes, 1> out{{pivots.pivot}, {pivots.place},  {h.place},
                                                workspace.lane, workspace.group, perturbed};
        report_findings(work, number, m, out);
        __syncwarp();
    }
}

template <int Row>
void launch(const cuda::context& c, const factor_work<double>& work, bool staged) {
    using f = fragment<Row>;
    const std::size_t bytes = sizeof(double) * f::groups * f::elements;
    const index_t blocks = std::min<index_t>((work.count + f::groups - 1) / f::groups, INT_MAX);
    factor_fragments<Row>
        <<<static_cast<unsigned>(blocks), f::policy.threads, bytes, c.stream()>>>(work, staged);
    cuda::check_launch();
}

}  // namespace

void launch_fragments(const cuda::context& c, const factor_work<double>& work, int policy, bool staged) {
    tuning::with_number<std::size(fragment_policies)>(static_cast<std::size_t>(policy),
                                                      [&]<int Row>() { launch<Row>(c, work, staged); });
}

}  // namespace wale::lu::batched
