// strips - matrices of at most 128 rows and columns in registers, float32: some lanes of a warp a matrix, or
// some warps. A lane keeps some rows; the warps of a matrix take its strips of 8 columns in turn.
//
// The warp that owns a strip eliminates its 8 columns alone, without a barrier, and lays them into shared
// memory, which is also where the result is gathered from. Then each warp applies the 8 steps to the columns
// that it has: the 8 pivot rows go to shared memory as they are, a lane a column solves them for U, and what
// remains of a step is four words of U a load and their products. (With the pivot's row by shuffles a step
// took a shuffle and a selection a column, twice the instructions.) The warp whose strip is next applies
// them to that strip first, eliminates it, and goes on with the others afterwards, while the other warps are
// still at work: one barrier in 8 columns.
//
// The strip that is eliminated is always in the first registers: what is done leaves, the others move up.
// So the code is a loop over the strips and stays small. (Unrolled with 170 instructions of search a column,
// 32 columns were 180 KB, and fetching them took four times the work.)
//
// Rows stay where they are; each knows its place in P A. Before column k is eliminated the rows whose place
// is at least k are open. What is rare (equals, a zero, a subnormal or huge pivot, NaN, no pivoting) is
// decided apart, behind one test that the whole warp takes alike.
#pragma once

#include "solvers/lu/factor/cuda/batched/strip_pivots.cuh"

namespace wale::lu::batched {

/// Four of a lane's columns in row r, from register `First` on.
template <int First, int Row>
__device__ four_floats four_of(const strip_rows<Row>& h, int r) {
    return {h.a[r][First], h.a[r][First + 1], h.a[r][First + 2], h.a[r][First + 3]};
}

/// The first strip is done: to shared memory, with the places that its pivots made, and once more the rows of
/// these pivots.
template <int Row>
__device__ void publish(const strip_rows<Row>& h, const strip_workspace<Row>& workspace, const strip_shape& f,
                        int number) {
    using s = strips<Row>;
    const int slot = f.lane * s::rows;
#pragma unroll
    for (int c = 0; c < strip; ++c) {
        rows_of_lane<s::rows> out;
#pragma unroll
        for (int r = 0; r < s::rows; ++r) out.at[r] = h.a[r][c];
        *reinterpret_cast<rows_of_lane<s::rows>*>(
            workspace.columns + (number * strip + c) * strip_workspace<Row>::column_pitch + slot) = out;
    }
#pragma unroll
    for (int r = 0; r < s::rows; ++r) {
        const int step = h.place[r] - number * strip;
        if (s::warps * s::own > 1 && static_cast<unsigned>(step) < unsigned{strip}) {
            auto* const to = reinterpret_cast<four_floats*>(workspace.lower_of(number) + step * strip);
            to[0] = four_of<0>(h, r);
            to[1] = four_of<4>(h, r);
        }
        if constexpr (s::warps > 1) workspace.places[number % 2 * s::slots + slot + r] = h.place[r];
    }
}

/// All others move up.
template <int Row>
__device__ void move_up(strip_rows<Row>& h) {
    using s = strips<Row>;
#pragma unroll
    for (int r = 0; r < s::rows; ++r)
#pragma unroll
        for (int j = 0; j + strip < s::own * strip; ++j) h.a[r][j] = h.a[r][j + strip];
}

/// Row r in the warp's strips `From` to `end`, of those from `begin` on.
template <int From, int Row>
__device__ void lay_row(float* to, const strip_rows<Row>& h, int r, int begin, int end) {
    if (From >= begin && From < end) {
        *reinterpret_cast<four_floats*>(to + From * strip) = four_of<From * strip>(h, r);
        *reinterpret_cast<four_floats*>(to + From * strip + 4) = four_of<From * strip + 4>(h, r);
    }
    if constexpr (From + 1 < strips<Row>::own) lay_row<From + 1>(to, h, r, begin, end);
}

/// The pivots' rows of strip `number`, for the warp's strips from `begin` to `end`: in shared memory, and
/// solved for U, a lane a column, with the products that the rows themselves would have.
template <int Row>
__device__ void solve(const strip_rows<Row>& h, const strip_workspace<Row>& workspace, const strip_shape& f,
                      int number, int begin, int end) {
    using s = strips<Row>;
    constexpr int pitch = strip_workspace<Row>::pitch;
    float* const upper = workspace.upper_of(f.warp);
#pragma unroll
    for (int r = 0; r < s::rows; ++r) {
        const int step = h.place[r] - number * strip;
        if (static_cast<unsigned>(step) < unsigned{strip}) lay_row<0>(upper + step * pitch, h, r, begin, end);
    }
    __syncwarp();
    const float* const lower = workspace.lower_of(number);
#pragma unroll 1
    for (int q = begin * strip + f.lane; q < end * strip; q += s::lanes) {
        float x[strip];
#pragma unroll
        for (int c = 0; c < strip; ++c) x[c] = upper[c * pitch + q];
#pragma unroll
        for (int c = 1; c < strip; ++c)
#pragma unroll
            for (int d = 0; d < c; d += 4) {
                const auto l = *reinterpret_cast<const four_floats*>(lower + c * strip + d);
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    if (d + e < c) x[c] = fma(-l.at[e], x[d + e], x[c]);
            }
#pragma unroll
        for (int c = 1; c < strip; ++c) upper[c * pitch + q] = x[c];
    }
    __syncwarp();
}

/// The steps of strip `number` on the warp's strips from Begin to End: no branches, so that all of a step's
/// words are on their way at once.
template <int Begin, int End, int Row>
__device__ void subtract(strip_rows<Row>& h, const strip_workspace<Row>& workspace, const strip_shape& f,
                         int number) {
    using s = strips<Row>;
    constexpr int pitch = strip_workspace<Row>::column_pitch;
    const int last = min(f.end, (number + 1) * strip);
    const float* from = workspace.columns + number * strip * pitch + f.lane * s::rows;
    const float* u = workspace.upper_of(f.warp) + Begin * strip;
#pragma unroll 1
    for (int k = number * strip; k < last; ++k, from += pitch, u += strip_workspace<Row>::pitch) {
        const auto factor = *reinterpret_cast<const rows_of_lane<s::rows>*>(from);
        const int first = first_open<s::lanes>(f, k);
        bool below[s::rows];  // closed rows have places up to k: a later strip's pivots only add larger ones
#pragma unroll
        for (int r = 0; r < s::rows; ++r) below[r] = h.place[r] > first;
#pragma unroll
        for (int q = 0; q < (End - Begin) * strip; q += 4) {
            const auto four = *reinterpret_cast<const four_floats*>(u + q);
#pragma unroll
            for (int e = 0; e < 4; ++e)
#pragma unroll
                for (int r = 0; r < s::rows; ++r)
                    subtract_where(below[r], h.a[r][Begin * strip + q + e], factor.at[r], four.at[e]);
        }
    }
}

/// With the number of strips as a compile-time one.
template <int Begin, int End, int Row>
__device__ void subtract_to(strip_rows<Row>& h, const strip_workspace<Row>& workspace, const strip_shape& f,
                            int number, int end) {
    if (end == End)
        subtract<Begin, End>(h, workspace, f, number);
    else if constexpr (End - 1 > Begin)
        subtract_to<Begin, End - 1>(h, workspace, f, number, end);
}

/// The steps of strip `number`, which is in shared memory, on the warp's strips from Begin to `end`.
template <int Begin, int Row>
__device__ void apply(strip_rows<Row>& h, const strip_workspace<Row>& workspace, const strip_shape& f,
                      int number, int end) {
    if (Begin >= end) return;
    solve(h, workspace, f, number, Begin, end);
    if constexpr (Begin < strips<Row>::own)
        subtract_to<Begin, strips<Row>::own>(h, workspace, f, number, end);
    __syncwarp();  // before the next strip's rows take the place of these
}

/// All strips, where a warp has the whole matrix.
template <int Row>
__device__ void factor_alone(strip_rows<Row>& h, const strip_workspace<Row>& workspace,
                             const strip_shape& f) {
#pragma unroll 1
    for (int number = 0; number < f.count; ++number) {
        eliminate_columns<0, strip>(h, workspace, f, number * strip);
        publish(h, workspace, f, number);
        __syncwarp();
        apply<1>(h, workspace, f, number, f.count - number);
        move_up(h);
    }
}

/// All strips, by the warps of the block. Behind barrier t strip t is in shared memory, and no warp reads the
/// places of strip t - 1 any more: strip t + 1 may take their memory.
template <int Row>
__device__ void factor_together(strip_rows<Row>& h, const strip_workspace<Row>& workspace,
                                const strip_shape& f) {
    using s = strips<Row>;
    int left = (f.count - f.warp + s::warps - 1) / s::warps;
    // A step before the first strip, with nothing to apply, so that the code for a strip stands once.
#pragma unroll 1
    for (int number = -1; number < f.count; ++number) {
        if (number >= 0) {
            __syncthreads();
            if (number * strip < f.end)
#pragma unroll
                for (int r = 0; r < s::rows; ++r)
                    h.place[r] = workspace.places[number % 2 * s::slots + f.lane * s::rows + r];
        }
        const int next = number + 1;
        const bool own = next < f.count && next % s::warps == f.warp;
        if (own) {
            if (number >= 0) apply<0>(h, workspace, f, number, 1);
            eliminate_columns<0, strip>(h, workspace, f, next * strip);
            publish(h, workspace, f, next);
            if (number >= 0) apply<1>(h, workspace, f, number, left);
            move_up(h);
            --left;
        } else if (number >= 0) {
            apply<0>(h, workspace, f, number, left);
        }
    }
    __syncthreads();
}

}  // namespace wale::lu::batched
