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

#include "solvers/lu/factor/cuda/batched/ptx.cuh"
#include "solvers/lu/factor/cuda/batched/tuning.hpp"
#include "solvers/lu/factor/cuda/batched/verdict.cuh"
#include "solvers/lu/factor/cuda/batched/work.cuh"

namespace wale::lu::batched {

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
struct strip_room {
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
    __device__ strip_room(unsigned char* base, int group, int width) {
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

struct strip_facts {
    int diagonal;
    int end;          // the largest diagonal in the warp
    int count;        // strips of the widest matrix in the warp
    int lane;         // in the group
    int warp;         // of the matrix
    unsigned group;   // lanes of the warp
    unsigned normal;  // width of the range of ordinary pivots; 0: every pivot is decided apart
    bool pivoting;
    bool move;  // pivots below `smallest`
    double smallest;
};

/// Least place of an open row; beyond all where the matrix has no column k.
template <int Lanes>
__device__ int first_open(const strip_facts& f, int k) {
    return Lanes == 32 || k < f.diagonal ? k : none;
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
                               const strip_facts& f, int k) {
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

/// The fast way; false where it cannot tell.
template <int Row>
__device__ bool find(const float (&column)[strips<Row>::rows], const strip_rows<Row>& h, const strip_facts& f,
                     int k, pivot_holder& to) {
    using s = strips<Row>;
    constexpr unsigned least_normal = 0x00800000u;
    const int first = first_open<s::lanes>(f, k);
    unsigned key[s::rows], most = 0;
#pragma unroll
    for (int r = 0; r < s::rows; ++r) {
        key[r] = h.place[r] >= first ? magnitude_bits(column[r]) : 0;
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
__device__ bool unusual_factors(float (&factor)[Rows], const float (&column)[Rows], const strip_facts& f,
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
__device__ void eliminate(strip_rows<Row>& h, const strip_room<Row>& room, const strip_facts& f, int k) {
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
    if (active && f.lane == 0) room.sites[k] = {pivot, from, moved};
}

/// Registers I to Last, the first of them column `first` + I.
template <int I, int Last, int Row>
__device__ void eliminate_columns(strip_rows<Row>& h, const strip_room<Row>& room, const strip_facts& f,
                                  int first) {
    if (first + I < f.end) eliminate<I, Last>(h, room, f, first + I);
    if constexpr (I + 1 < Last) eliminate_columns<I + 1, Last>(h, room, f, first);
}

/// Four of a lane's columns in row r, from register `First` on.
template <int First, int Row>
__device__ four_floats four_of(const strip_rows<Row>& h, int r) {
    return {h.a[r][First], h.a[r][First + 1], h.a[r][First + 2], h.a[r][First + 3]};
}

/// The first strip is done: to shared memory, with the places that its pivots made, and once more the rows of
/// these pivots.
template <int Row>
__device__ void publish(const strip_rows<Row>& h, const strip_room<Row>& room, const strip_facts& f,
                        int number) {
    using s = strips<Row>;
    const int slot = f.lane * s::rows;
#pragma unroll
    for (int c = 0; c < strip; ++c) {
        rows_of_lane<s::rows> out;
#pragma unroll
        for (int r = 0; r < s::rows; ++r) out.at[r] = h.a[r][c];
        *reinterpret_cast<rows_of_lane<s::rows>*>(
            room.columns + (number * strip + c) * strip_room<Row>::column_pitch + slot) = out;
    }
#pragma unroll
    for (int r = 0; r < s::rows; ++r) {
        const int step = h.place[r] - number * strip;
        if (s::warps * s::own > 1 && static_cast<unsigned>(step) < unsigned{strip}) {
            auto* const to = reinterpret_cast<four_floats*>(room.lower_of(number) + step * strip);
            to[0] = four_of<0>(h, r);
            to[1] = four_of<4>(h, r);
        }
        if constexpr (s::warps > 1) room.places[number % 2 * s::slots + slot + r] = h.place[r];
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
__device__ void solve(const strip_rows<Row>& h, const strip_room<Row>& room, const strip_facts& f, int number,
                      int begin, int end) {
    using s = strips<Row>;
    constexpr int pitch = strip_room<Row>::pitch;
    float* const upper = room.upper_of(f.warp);
#pragma unroll
    for (int r = 0; r < s::rows; ++r) {
        const int step = h.place[r] - number * strip;
        if (static_cast<unsigned>(step) < unsigned{strip}) lay_row<0>(upper + step * pitch, h, r, begin, end);
    }
    __syncwarp();
    const float* const lower = room.lower_of(number);
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
__device__ void subtract(strip_rows<Row>& h, const strip_room<Row>& room, const strip_facts& f, int number) {
    using s = strips<Row>;
    constexpr int pitch = strip_room<Row>::column_pitch;
    const int last = min(f.end, (number + 1) * strip);
    const float* from = room.columns + number * strip * pitch + f.lane * s::rows;
    const float* u = room.upper_of(f.warp) + Begin * strip;
#pragma unroll 1
    for (int k = number * strip; k < last; ++k, from += pitch, u += strip_room<Row>::pitch) {
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
__device__ void subtract_to(strip_rows<Row>& h, const strip_room<Row>& room, const strip_facts& f, int number,
                            int end) {
    if (end == End)
        subtract<Begin, End>(h, room, f, number);
    else if constexpr (End - 1 > Begin)
        subtract_to<Begin, End - 1>(h, room, f, number, end);
}

/// The steps of strip `number`, which is in shared memory, on the warp's strips from Begin to `end`.
template <int Begin, int Row>
__device__ void apply(strip_rows<Row>& h, const strip_room<Row>& room, const strip_facts& f, int number,
                      int end) {
    if (Begin >= end) return;
    solve(h, room, f, number, Begin, end);
    if constexpr (Begin < strips<Row>::own) subtract_to<Begin, strips<Row>::own>(h, room, f, number, end);
    __syncwarp();  // before the next strip's rows take the place of these
}

/// All strips, where a warp has the whole matrix.
template <int Row>
__device__ void factor_alone(strip_rows<Row>& h, const strip_room<Row>& room, const strip_facts& f) {
#pragma unroll 1
    for (int number = 0; number < f.count; ++number) {
        eliminate_columns<0, strip>(h, room, f, number * strip);
        publish(h, room, f, number);
        __syncwarp();
        apply<1>(h, room, f, number, f.count - number);
        move_up(h);
    }
}

/// All strips, by the warps of the block. Behind barrier t strip t is in shared memory, and nobody reads the
/// places of strip t - 1 any more: strip t + 1 may take their memory.
template <int Row>
__device__ void factor_together(strip_rows<Row>& h, const strip_room<Row>& room, const strip_facts& f) {
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
                    h.place[r] = room.places[number % 2 * s::slots + f.lane * s::rows + r];
        }
        const int next = number + 1;
        const bool own = next < f.count && next % s::warps == f.warp;
        if (own) {
            if (number >= 0) apply<0>(h, room, f, number, 1);
            eliminate_columns<0, strip>(h, room, f, next * strip);
            publish(h, room, f, next);
            if (number >= 0) apply<1>(h, room, f, number, left);
            move_up(h);
            --left;
        } else if (number >= 0) {
            apply<0>(h, room, f, number, left);
        }
    }
    __syncthreads();
}

}  // namespace wale::lu::batched
