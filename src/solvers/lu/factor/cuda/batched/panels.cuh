// panels - a block a matrix. A panel of columns is factored in registers, a thread some of the rows, with one
// barrier a column; then its exchanges and triangular solve go over the other columns, a thread a column;
// then the product. The matrix is kept in shared memory, or stays where it is and is read through the L2
// cache.
#pragma once

#include "solvers/lu/factor/cuda/batched/panel_workspace.cuh"

namespace wale::lu::batched {

/// Column c of the panel, the first of a window of Width: each warp lays its best row into a slot; behind the
/// barrier all take the best slot. A slot is written again two columns later, when the barrier between has
/// seen all its readers leave. What is finished leaves for the desk, so that the columns can be a loop: the
/// product's results move one register to the left. Returns the place of the pivot's row.
template <int Width, class T, int Row>
__device__ int panel_column(panel_rows<T, Row>& p, T* desk_column, const panel_workspace<T, Row>& workspace,
                            const panel_shape& f, int c, verdict& v) {
    constexpr int width = panel_memory<T, Row>::width;
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int warps = f.threads / 32;
    const int k = f.first + c;
    const int generation = c % 2 * most_warps;
    candidate<T> mine = candidate_of(p.a[0][0], p.open[0], k, f.pivoting);
    int which = 0;  // of this thread's rows
#pragma unroll
    for (int r = 1; r < p.rows; ++r) {
        const candidate<T> other = candidate_of(p.a[r][0], p.open[r], k, f.pivoting);
        which = outdoes(other, mine) ? r : which;
        mine = which == r ? other : mine;
    }
    const candidate<T> ours = best_of_warp(mine);
    if (ours.place == none ? lane == 0 : mine.place == ours.place) {
        workspace.keys[generation + warp] = ours.key;
        workspace.places[generation + warp] = ours.place;
        T* const slot = workspace.slots + (generation + warp) * width;
#pragma unroll
        for (int r = 0; r < p.rows; ++r) {
            if (which != r) continue;
            workspace.rows[generation + warp] = p.row[r];
#pragma unroll
            for (int j = 0; j < Width; j += quad)
                *reinterpret_cast<quad_of<T>*>(slot + j) = {p.a[r][j], p.a[r][j + 1], p.a[r][j + 2],
                                                            p.a[r][j + 3]};
        }
    }
    if (warps == 1)
        __syncwarp();
    else
        barrier_of_first(f.threads);
    candidate<T> there;
    if (lane < warps) there = {workspace.keys[generation + lane], workspace.places[generation + lane]};
    const candidate<T> best = warps == 1 ? ours : best_of_warp(there);
    const int winner =
        generation +
        (warps == 1 ? 0 : __ffs(static_cast<int>(__ballot_sync(~0u, there.place == best.place))) - 1);
    const T* const row = workspace.slots + winner * width;
    T pivot = row[0];
    if (f.move) {
        const T moved = perturbed_pivot(pivot, static_cast<T>(f.smallest));
        v.perturbed += moved != pivot && moved == moved;
        pivot = moved;
    }
    const int pitch = f.pitch;
    const int own = static_cast<int>(threadIdx.x);
    if (own < Width && c + own < f.width)
        desk_column[own * pitch + workspace.rows[winner] - f.first] = own == 0 ? pivot : row[own];
    const bool fast = has_reciprocal(pivot);  // the same for all threads
    const T inverse = T(1) / pivot;
    T factor[p.rows];
#pragma unroll
    for (int r = 0; r < p.rows; ++r) {
        const bool pivots_row = p.open[r] == best.place;
        p.open[r] = p.open[r] == k ? best.place : p.open[r];
        p.open[r] = pivots_row ? none : p.open[r];
        p.place[r] = pivots_row ? k : p.open[r] != none ? p.open[r] : p.place[r];
        factor[r] = fast ? p.a[r][0] * inverse : multiplier(p.a[r][0], pivot);
        if (p.open[r] != none) desk_column[p.row[r] - f.first] = factor[r];
    }
#pragma unroll
    for (int j = 0; j < Width; j += quad) {
        const quad_of<T> u = *reinterpret_cast<const quad_of<T>*>(row + j);
#pragma unroll
        for (int q = 0; q < quad; ++q)
#pragma unroll
            for (int r = 0; r < p.rows; ++r)
                if (j + q > 0) p.a[r][j + q - 1] = fma(-factor[r], u.at[q], p.a[r][j + q]);
    }
    return best.place;
}

/// All columns, `phase` of them by a window of one size, then a smaller one.
template <int Width, class T, int Row>
__device__ void panel_columns(panel_rows<T, Row>& p, T* desk, const panel_workspace<T, Row>& workspace,
                              const panel_shape& f, verdict& v, std::int32_t* pivots) {
    constexpr int first = panel_memory<T, Row>::width - Width;
#pragma unroll 1
    for (int c = first; c < min(first + phase, f.width); ++c) {
        const int place = panel_column<Width>(p, desk + c * f.pitch, workspace, f, c, v);
        v.exchanged = v.exchanged != (place != f.first + c);
        if (threadIdx.x == 0 && pivots) pivots[f.first + c] = place;
    }
    if constexpr (Width > phase) panel_columns<Width - phase>(p, desk, workspace, f, v, pivots);
}

template <class T, int Row>
__device__ void load_panel(panel_rows<T, Row>& p, const home<T>& a, const panel_workspace<T, Row>& workspace,
                           const panel_shape& f) {
#pragma unroll
    for (int r = 0; r < p.rows; ++r) {
        const int row = f.first + static_cast<int>(threadIdx.x) + r * f.threads;
        const bool there = row < f.rows;
        p.row[r] = p.place[r] = p.open[r] = there ? row : none;
        p.label[r] = there ? workspace.permutation[row] : 0;
#pragma unroll
        for (int j = 0; j < p.width; ++j) p.a[r][j] = there && j < f.width ? a(row, f.first + j) : T(0);
    }
}

/// Rows go to their places, in the panel alone; source and moved say what that means for other columns.
template <class T, int Row>
__device__ void store_panel(panel_rows<T, Row>& p, const home<T>& a, T* desk,
                            const panel_workspace<T, Row>& workspace, const panel_shape& f) {
    constexpr bool in_shared = panel_memory<T, Row>::policy.in_shared;
    const int end = f.first + f.width, pitch = f.pitch;
    barrier_of_first(f.threads);
#pragma unroll
    for (int r = 0; r < p.rows; ++r)
#pragma unroll
        for (int j = 0; j < p.width; ++j)
            if (p.place[r] != none && j < f.width) p.a[r][j] = desk[j * pitch + p.row[r] - f.first];
    barrier_of_first(f.threads);
#pragma unroll
    for (int r = 0; r < p.rows; ++r) {
        if (p.place[r] == none) continue;
        const int at = p.place[r] - f.first;
        if (at < f.width) {
            workspace.source[at] = p.row[r];
#pragma unroll
            for (int j = 0; j < p.width; ++j) workspace.corner[j * p.width + at] = p.a[r][j];
        }
        if (p.row[r] < end) workspace.moved[p.row[r] - f.first] = at < f.width ? -1 : p.place[r];
        const bool moves = p.row[r] != p.place[r];
        if (moves) {
            *workspace.exchanged = 1;
            workspace.permutation[p.place[r]] = p.label[r];
        }
#pragma unroll
        for (int j = 0; j < p.width; ++j) {
            if (moves && j < f.width) desk[j * pitch + at] = p.a[r][j];
            if (!in_shared && j < f.width) a(p.place[r], f.first + j) = p.a[r][j];
        }
    }
}

/// The panel's exchanges in column j: rows that come to the panel's rows into u, rows that leave them to
/// where the others were.
template <class T, int Row>
__device__ void exchange(T (&u)[panel_memory<T, Row>::width], const home<T>& a,
                         const panel_workspace<T, Row>& workspace, const panel_shape& f, int j) {
    constexpr int width = panel_memory<T, Row>::width;
    constexpr int at_once = 8;  // loads on their way before the first store
    static_assert(width % at_once == 0);
#pragma unroll
    for (int i = 0; i < width; ++i) u[i] = i < f.width ? a(workspace.source[i], j) : T(0);
    if (*workspace.exchanged == 0) return;
#pragma unroll
    for (int start = 0; start < width; start += at_once) {
        T left[at_once];
        int to[at_once];
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
            to[i] = start + i < f.width ? workspace.moved[start + i] : -1;
            if (to[i] >= 0) left[i] = a(f.first + start + i, j);
        }
#pragma unroll
        for (int i = 0; i < at_once; ++i)
            if (to[i] >= 0) a(to[i], j) = left[i];
    }
}

/// U's rows of the panel in column j.
template <class T, int Row>
__device__ void solve_column(T (&u)[panel_memory<T, Row>::width], const T* corner) {
    constexpr int width = panel_memory<T, Row>::width;
#pragma unroll
    for (int k = 0; k < width; ++k)
#pragma unroll
        for (int i = (k + 1) / quad * quad; i < width; i += quad) {
            const quad_of<T> left = *reinterpret_cast<const quad_of<T>*>(corner + k * width + i);
#pragma unroll
            for (int q = 0; q < quad; ++q)
                if (i + q > k) u[i + q] = fma(-left.at[q], u[k], u[i + q]);
        }
}

/// Exchanges alone, in the columns [from, to).
template <class T, int Row>
__device__ void exchange_columns(const home<T>& a, const panel_workspace<T, Row>& workspace,
                                 const panel_shape& f, int from, int to) {
    constexpr int width = panel_memory<T, Row>::width;
    if (*workspace.exchanged == 0) return;
    for (int j = from + static_cast<int>(threadIdx.x); j < to; j += static_cast<int>(blockDim.x)) {
        T u[width];
        exchange<T, Row>(u, a, workspace, f, j);
#pragma unroll
        for (int i = 0; i < width; ++i)
            if (i < f.width) a(f.first + i, j) = u[i];
    }
}

/// Everything right of the panel, the matrix in shared memory.
template <class T, int Row>
__device__ void finish_panel_in_shared(const home<T>& a, const panel_workspace<T, Row>& workspace,
                                       const panel_shape& f) {
    constexpr int width = panel_memory<T, Row>::width;
    const int end = f.first + f.width, pitch = static_cast<int>(a.column_step);
    for (int j = end + static_cast<int>(threadIdx.x); j < f.columns; j += static_cast<int>(blockDim.x)) {
        T u[width];
        exchange<T, Row>(u, a, workspace, f, j);
        solve_column<T, Row>(u, workspace.corner);
#pragma unroll
        for (int i = 0; i < width; ++i)
            if (i < f.width) a(f.first + i, j) = u[i];
    }
    __syncthreads();
    multiply<true>(product<T>{.c = a.data + end + end * pitch,
                              .c_step = pitch,
                              .x = a.data + end + f.first * pitch,
                              .x_step = pitch,
                              .y = a.data + f.first + end * pitch,
                              .y_step = pitch,
                              .rows = f.rows - end,
                              .columns = f.columns - end,
                              .depth = f.width});
    __syncthreads();
}

/// The same where it lies in global memory: by strips of columns.
template <class T, int Row>
__device__ void finish_panel_in_place(const home<T>& a, const panel_workspace<T, Row>& workspace,
                                      const panel_shape& f) {
    constexpr int width = panel_memory<T, Row>::width;
    constexpr int most = panel_memory<T, Row>::strip;
    const int end = f.first + f.width, strip = min(most, static_cast<int>(blockDim.x));
    const int below = f.rows - end;
    T* const upper = workspace.strip();
    for (int start = end; start < f.columns; start += strip) {
        const int columns = min(strip, f.columns - start), own = static_cast<int>(threadIdx.x);
        if (own < columns) {
            T u[width];
            exchange<T, Row>(u, a, workspace, f, start + own);
            solve_column<T, Row>(u, workspace.corner);
#pragma unroll
            for (int i = 0; i < width; ++i) {
                upper[i * most + own] = u[i];
                if (i < f.width) a(f.first + i, start + own) = u[i];
            }
        }
        __syncthreads();
        T* const c = a.data + end * a.row_step + start * a.column_step;
        const T* const lower = workspace.elements + f.width;
        if (a.row_step == 1)
            multiply<false>(
                product<T>{c, a.column_step, lower, workspace.pitch, upper, most, below, columns, f.width});
        else
            multiply<false>(
                product<T>{c, a.row_step, upper, most, lower, workspace.pitch, columns, below, f.width});
        __syncthreads();
    }
}

/// Shared memory from global and back; neighbouring lanes along the matrix's lines.
template <class T, bool In>
__device__ void carry(T* near, int pitch, const device_matrix<T>& m) {
    const bool by_column = m.row_step == 1;
    const int lines = static_cast<int>(by_column ? m.columns : m.rows);
    const int along = static_cast<int>(by_column ? m.rows : m.columns);
    const index_t line_step = by_column ? m.column_step : m.row_step;
    const int near_line = by_column ? pitch : 1, near_along = by_column ? 1 : pitch;
    const int warp = static_cast<int>(threadIdx.x) / 32, warps = static_cast<int>(blockDim.x) / 32;
    for (int i = static_cast<int>(threadIdx.x) % 32; i < along; i += 32) {
        T* here = near + warp * near_line + i * near_along;
        T* far = m.data + warp * line_step + i;
#pragma unroll 8
        for (int line = warp; line < lines; line += warps) {
            if constexpr (In)
                *here = *far;
            else
                *far = *here;
            here += warps * near_line;
            far += warps * line_step;
        }
    }
}

/// The verdict of the diagonal, by the first warp.
template <class T>
__device__ void report(const factor_work<T>& work, index_t number, const home<T>& a, const panel_shape& f,
                       verdict v) {
    if (threadIdx.x >= 32) return;
    double log_magnitude = 0;
    int first_zero = none;
    for (int k = static_cast<int>(threadIdx.x); k < f.diagonal; k += 32) {
        const T u = a(k, k);
        if (u == T(0)) first_zero = min(first_zero, k);
        v.add(u, k);
        if (work.out.log_magnitude) log_magnitude += log(fabs(static_cast<double>(u)));
    }
    first_zero = static_cast<int>(cuda::least_of_warp(static_cast<unsigned>(first_zero)));
    v.first_zero = first_zero == none ? -1 : first_zero;
    v.finite = __all_sync(~0u, v.finite);
    v.nan = __any_sync(~0u, v.nan);
    v.negative = __popc(__ballot_sync(~0u, v.negative)) % 2 != 0;
    if (work.out.log_magnitude)
#pragma unroll
        for (int o = 16; o > 0; o /= 2) log_magnitude += __shfl_xor_sync(~0u, log_magnitude, o);
    if (threadIdx.x == 0) write_verdict(work.to, work.out, number, v, log_magnitude);
}

/// By as few warps as hold the rows: all the others wait, since a warp more costs what it computes twice.
template <class T, int Row>
__device__ void factor_panel(const home<T>& a, const panel_workspace<T, Row>& workspace, const panel_shape& f,
                             verdict& v, std::int32_t* pivots) {
    panel_rows<T, Row> p;
    load_panel(p, a, workspace, f);
    T* const panel = desk<T, Row>(a, workspace, f);
    panel_columns<panel_memory<T, Row>::width>(p, panel, workspace, f, v, pivots);
    store_panel(p, a, panel, workspace, f);
}

template <class T, int Row>
__device__ void factor_one(const factor_work<T>& work, index_t number,
                           const panel_workspace<T, Row>& workspace) {
    constexpr panel_policy policy = panel_policies[Row].policy;
    const device_matrix<T> m = work.all[number];
    panel_shape f{};
    f.rows = static_cast<int>(m.rows);
    f.columns = static_cast<int>(m.columns);
    f.diagonal = static_cast<int>(m.diagonal());
    f.pivoting = work.pivoting;
    f.move = work.smallest_pivot != nullptr;
    if (f.move) f.smallest = work.smallest_pivot[number];
    std::int32_t* const pivots = work.out.pivots ? work.out.pivots + m.pivot_start : nullptr;
    home<T> a{m.data, m.row_step, m.column_step};
    f.pitch = workspace.pitch;
    if constexpr (policy.in_shared) {
        f.pitch = f.rows | 1;
        a = {workspace.elements, 1, f.pitch};
        carry<T, true>(workspace.elements, f.pitch, m);
    }
    for (int i = static_cast<int>(threadIdx.x); i < f.rows; i += static_cast<int>(blockDim.x))
        workspace.permutation[i] = i;
    verdict v;
    for (f.first = 0; f.first < f.diagonal; f.first += policy.width) {
        f.width = min(policy.width, f.diagonal - f.first);
        f.threads = ((f.rows - f.first + policy.rows_per_thread - 1) / policy.rows_per_thread + 31) / 32 * 32;
        if (threadIdx.x == 0) *workspace.exchanged = 0;
        __syncthreads();
        if (static_cast<int>(threadIdx.x) < f.threads) factor_panel(a, workspace, f, v, pivots);
        __syncthreads();
        exchange_columns(a, workspace, f, 0, f.first);
        if constexpr (policy.in_shared)
            finish_panel_in_shared(a, workspace, f);
        else
            finish_panel_in_place(a, workspace, f);
    }
    __syncthreads();
    if (work.out.permutation)
        for (int i = static_cast<int>(threadIdx.x); i < f.rows; i += static_cast<int>(blockDim.x))
            work.out.permutation[m.row_start + i] = workspace.permutation[i];
    report(work, number, a, f, v);
    if constexpr (policy.in_shared) carry<T, false>(workspace.elements, f.pitch, m);
    __syncthreads();
}

/// Rows and columns: of the largest matrix of the launch, which shared memory was sized for.
template <class T, int Row>
__global__ void __launch_bounds__(panel_policies[Row].policy.threads, panel_policies[Row].policy.blocks)
    factor_panels(const __grid_constant__ factor_work<T> work, int rows, int columns) {
    extern __shared__ __align__(16) unsigned char memory[];
    const panel_workspace<T, Row> workspace(memory, panel_memory<T, Row>(rows, columns));
    for (index_t i = blockIdx.x; i < work.count; i += gridDim.x) factor_one(work, work.number(i), workspace);
}

}  // namespace wale::lu::batched
