// strip_pivots - the columns of one strip: which row is the pivot's, the multipliers, and what the step does
// to the columns right of it in the strip. By one warp, without a barrier.
#pragma once

#include "solvers/lu/factor/cuda/batched/tuning.hpp"
#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {

// A matrix in strips: where its parts lie, in shared memory and in registers.
inline constexpr int strip = strip_columns;

template <int Row>
struct strips {
    static constexpr strip_policy policy = strip_policies[Row].policy;
    static constexpr int lanes = policy.lanes;
    static constexpr int rows = policy.rows_per_lane;
    static constexpr int warps = policy.warps;
    static constexpr int own = policy.strips;                        // strips of a warp at most
    static constexpr int slots = lanes * rows;                       // rows of a matrix at most
    static constexpr int groups = policy.threads / (lanes * warps);  // matrices of a block
    static_assert(warps == 1 || (lanes == 32 && groups == 1));
    static constexpr int diagonal = slots < warps * own * strip ? slots : warps * own * strip;
};

/// What became of column k.
struct strip_site {
    float pivot;
    int from;   // place of the pivot's row before
    int moved;  // the pivot was, away from zero
};

/// The rows of one lane in one column.
template <int Rows>
struct alignas(Rows == 4   ? 16
               : Rows == 2 ? 8
                           : 4) rows_of_lane {
    float at[Rows];
};

struct alignas(16) four_floats {
    float at[4];
};

/// One matrix in shared memory.
template <int Row>
struct strip_workspace {
    using s = strips<Row>;
    static constexpr int pitch = s::own * strip;  // columns of a warp
    static constexpr int column_pitch =
        s::slots + s::rows;  // lines of a row-major matrix fall into many banks
    float* columns;          // [column][column_pitch] by slot: a lane's rows are neighbours
    float* lower;            // [2][step][step] by strip, in turn: its pivots' rows in it
    float* upper;            // [warp][step][pitch] the same rows in the warp's columns, then U's
    strip_site* sites;       // [diagonal]
    int* places;             // [2][slot] by strip, in turn: in P A, as that strip left them
    int* sources;            // [slot] by place: the slot that goes there

    static constexpr int fixed = (2 * strip + s::warps * pitch) * strip + 3 * s::diagonal + 3 * s::slots;
    /// Words, `width`: columns of the largest matrix, a multiple of 8. The matrices of a warp begin in
    /// different banks.
    [[nodiscard]] static WALE_HD int words(int width) {
        return (fixed + width * column_pitch + 31) / 32 * 32 + s::lanes % 32;
    }
    __device__ strip_workspace(unsigned char* base, int group, int width) {
        columns = reinterpret_cast<float*>(base) + group * words(width);
        lower = columns + width * column_pitch;
        upper = lower + 2 * strip * strip;
        sites = reinterpret_cast<strip_site*>(upper + s::warps * strip * pitch);
        places = reinterpret_cast<int*>(sites + s::diagonal);
        sources = places + 2 * s::slots;
    }
    [[nodiscard]] __device__ float* lower_of(int number) const {
        return lower + number % 2 * (strip * strip);
    }
    [[nodiscard]] __device__ float* upper_of(int warp) const { return upper + warp * (strip * pitch); }
};

/// The strips that a warp still has, the next one first.
template <int Row>
struct strip_rows {
    using s = strips<Row>;
    float a[s::rows][s::own * strip];
    int place[s::rows];  // in P A so far; -1: there is no such row
};

struct strip_shape {
    int diagonal;
    int end;          // the largest diagonal in the warp
    int count;        // strips of the widest matrix in the warp
    int lane;         // in the group
    int warp;         // of the matrix
    unsigned group;   // lanes of the warp
    unsigned reach;   // places from k on that may become a pivot's: all, or k alone
    unsigned normal;  // width of the range of ordinary pivots; 0: every pivot is decided apart
    bool pivoting;
    bool move;  // pivots below `smallest`
    double smallest;
};

/// Least place of an open row; beyond all where the matrix has no column k.
template <int Lanes>
__device__ int first_open(const strip_shape& f, int k) {
    return Lanes == 32 || k < f.diagonal ? k : none;
}

/// to -= x * y where `there`, as one predicated instruction: what a finished row would compute from an
/// infinity or a NaN must not reach it.
__device__ inline void subtract_where(bool there, float& to, float x, float y) {
    asm("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %3, 0;\n\t@p fma.rn.f32 %0, %1, %2, %0;\n\t}"
        : "+f"(to)
        : "f"(-x), "f"(y), "r"(static_cast<int>(there)));
}

/// 1 / x, correctly rounded, for magnitudes from FLT_MIN to below 2^126: the hardware's guess and one Newton
/// step, as the compiler's own division does behind its check of that range.
__device__ inline float reciprocal_of_ordinary(float x) {
    float guess;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(guess) : "f"(x));
    return fma(guess, fma(-x, guess, 1.0f), guess);
}

template <int Lanes>
__device__ unsigned largest_of_lanes(unsigned x) {
    if constexpr (Lanes == 32) {
        return cuda::largest_of_warp(x);
    } else if constexpr (Lanes == 16) {
        const bool upper = threadIdx.x % 32 >= 16;
        const unsigned one = cuda::largest_of_warp(upper ? 0 : x);
        const unsigned two = cuda::largest_of_warp(upper ? x : 0);
        return upper ? two : one;
    } else {
#pragma unroll
        for (int o = Lanes / 2; o > 0; o /= 2) x = max(x, __shfl_xor_sync(cuda::whole_warp, x, o));
        return x;
    }
}

/// Entry `which`; without an index into registers.
template <class X, int Rows>
__device__ X one_of(const X (&x)[Rows], int which) {
    X y = x[0];
#pragma unroll
    for (int r = 1; r < Rows; ++r) y = which == r ? x[r] : y;
    return y;
}

/// Which row is the pivot's: the lane of the warp that has it, and which of its rows.
struct pivot_holder {
    int lane, which;
};

/// The slow way, which covers everything: as the reference compares.
template <int Row>
__device__ pivot_holder decide(const float (&column)[strips<Row>::rows], const strip_rows<Row>& h,
                               const strip_shape& f, int k) {
    using s = strips<Row>;
    const int first = first_open<s::lanes>(f, k);
    candidate<float> mine;
    int which = 0;
#pragma unroll
    for (int r = 0; r < s::rows; ++r) {
        const candidate<float> other =
            candidate_of(column[r], h.place[r] >= first ? h.place[r] : none, k, f.pivoting);
        const bool better = r == 0 || outdoes(other, mine);
        which = better ? r : which;
        mine = better ? other : mine;
    }
    const unsigned most = largest_of_lanes<s::lanes>(mine.key);
    const unsigned place = mine.key == most ? static_cast<unsigned>(mine.place) : unsigned{none};
    const unsigned least = ~largest_of_lanes<s::lanes>(~place);
    const unsigned holders = __ballot_sync(cuda::whole_warp, mine.key == most && place == least) & f.group;
    const int lane = __ffs(static_cast<int>(holders)) - 1;
    return {lane, s::rows == 1 ? 0 : __shfl_sync(cuda::whole_warp, which, lane)};
}

/// The fast way; false where this cannot be decided.
template <int Row>
__device__ bool find(const float (&column)[strips<Row>::rows], const strip_rows<Row>& h, const strip_shape& f,
                     int k, pivot_holder& to) {
    using s = strips<Row>;
    constexpr unsigned least_normal = 0x00800000u;
    const int first = first_open<s::lanes>(f, k);
    unsigned key[s::rows], most = 0;
#pragma unroll
    for (int r = 0; r < s::rows; ++r) {
        key[r] = static_cast<unsigned>(h.place[r] - first) <= f.reach ? magnitude_bits(column[r]) : 0;
        most = max(most, key[r]);
    }
    most = largest_of_lanes<s::lanes>(most);
    unsigned all = 0, equals = 0;
    to.which = 0;
#pragma unroll
    for (int r = 0; r < s::rows; ++r) {
        const unsigned holders = __ballot_sync(cuda::whole_warp, key[r] == most) & f.group;
        equals |= all & holders;
        all |= holders;
        if (r > 0 && holders) to.which = r;
    }
    to.lane = __ffs(static_cast<int>(all)) - 1;
    const bool plain = most - least_normal < f.normal && (equals | (all & (all - 1))) == 0;
    return s::lanes == 32 ? plain : __all_sync(cuda::whole_warp, plain);
}

/// The multipliers of a pivot that is out of the ordinary: moved away from zero if asked to. Apart, so that
/// nothing of its divisions is done in an ordinary step.
template <int Rows>
__device__ bool unusual_factors(float (&factor)[Rows], const float (&column)[Rows], const strip_shape& f,
                                float& pivot) {
    bool moved = false;
    if (f.move) {
        const float away = perturbed_pivot(pivot, static_cast<float>(f.smallest));
        moved = away != pivot && away == away;
        pivot = away;
    }
    const bool divides = pivot != 0.0f && !has_reciprocal(pivot);
    const float inverse = pivot == 0.0f || divides ? 1.0f : 1.0f / pivot;
#pragma unroll
    for (int r = 0; r < Rows; ++r) factor[r] = divides ? column[r] / pivot : column[r] * inverse;
    return moved;
}

/// Column k, register I, and what it does to the columns behind it up to register Last.
template <int I, int Last, int Row>
__device__ void eliminate(strip_rows<Row>& h, const strip_workspace<Row>& workspace, const strip_shape& f,
                          int k) {
    using s = strips<Row>;
    float column[s::rows];
#pragma unroll
    for (int r = 0; r < s::rows; ++r) column[r] = h.a[r][I];
    pivot_holder holder;
    const bool plain = find(column, h, f, k, holder);
    if (!plain) [[unlikely]]
        holder = decide(column, h, f, k);
    float pivot = __shfl_sync(cuda::whole_warp, one_of(column, holder.which), holder.lane);
    const int from = __shfl_sync(cuda::whole_warp, one_of(h.place, holder.which), holder.lane);
    const int first = first_open<s::lanes>(f, k);
    const bool active = s::lanes == 32 || k < f.diagonal;
    const bool holds = active && static_cast<int>(threadIdx.x) % 32 == holder.lane;
    bool moved = false;
    float factor[s::rows];
    if (plain) [[likely]] {
        const float inverse = reciprocal_of_ordinary(pivot);
#pragma unroll
        for (int r = 0; r < s::rows; ++r) factor[r] = column[r] * inverse;
    } else {
        moved = unusual_factors(factor, column, f, pivot);
#pragma unroll
        for (int r = 0; r < s::rows; ++r)
            if (holds && holder.which == r) column[r] = pivot;
    }
    bool below[s::rows];
#pragma unroll
    for (int r = 0; r < s::rows; ++r) {
        const bool pivots_row = holds && holder.which == r;
        h.place[r] = pivots_row ? k : h.place[r] == first ? from : h.place[r];
        below[r] = h.place[r] > first;
        h.a[r][I] = below[r] ? factor[r] : column[r];
    }
#pragma unroll
    for (int c = I + 1; c < Last; ++c) {
        float mine[s::rows];
#pragma unroll
        for (int r = 0; r < s::rows; ++r) mine[r] = h.a[r][c];
        const float u = __shfl_sync(cuda::whole_warp, one_of(mine, holder.which), holder.lane);
#pragma unroll
        for (int r = 0; r < s::rows; ++r) subtract_where(below[r], h.a[r][c], factor[r], u);
    }
    if (active && f.lane == 0) workspace.sites[k] = {pivot, from, moved};
}

/// Registers I to Last, the first of them column `first` + I.
template <int I, int Last, int Row>
__device__ void eliminate_columns(strip_rows<Row>& h, const strip_workspace<Row>& workspace,
                                  const strip_shape& f, int first) {
    if (first + I < f.end) eliminate<I, Last>(h, workspace, f, first + I);
    if constexpr (I + 1 < Last) eliminate_columns<I + 1, Last>(h, workspace, f, first);
}

}  // namespace wale::lu::batched
