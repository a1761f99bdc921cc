// strip_workspace - a matrix in strips: where its parts lie, in shared memory and in registers.
#pragma once

#include "solvers/lu/factor/cuda/batched/tuning.hpp"
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

}  // namespace wale::lu::batched
