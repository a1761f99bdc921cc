// lanes - how a warp, or a part of one, sweeps some rows of a table of warping costs. A lane has `Rows` rows
// in registers and does `Columns` columns of them at a time, a tile; it is a tile behind the lane above:
//
//     lane 0   0 1 2 3 4        step in which each tile is computed. Within a tile the cells of an
//     lane 1     1 2 3 4 5      antidiagonal do not wait for each other, so that one warp keeps its
//     lane 2       2 3 4 5 6    scheduler busy.
//
// Columns lie behind `offset` columns of infinity, 1 to Columns of them, so that a table's last column is the
// last of a tile and its corner is above such a column. No step of a sweep is special: a lane before its
// first tile has infinite cells, whatever its points are, as all that they are made of is infinite; and no
// lane uses what another one computes behind its last tile.
#pragma once

#include "cuda/warp.cuh"
#include "solvers/wavefront/warping/cuda/tuning.hpp"
#include "solvers/wavefront/warping/shared/cells.cuh"

namespace wale::wavefront::warping {

using cuda::whole_warp;

inline constexpr int warp_size = 32;

/// One pair, packed (series.cuh).
template <class T>
struct packed_pair {
    const T* rows;     // (strips x dimensions x rows of a lane x lanes)
    const T* columns;  // (dimensions x pitch)
    int row_count, column_count;
    int pitch, offset;  // columns: offset + column_count = pitch, a multiple of a tile's
    int below, above;   // cells with i - j <= below and j - i <= above; others are infinite
    bool banded;
    T *answer, *mirror;   // where the cost goes; mirror may be null
    index_t first_state;  // strips: of those of all pairs
};

/// The tiles of a strip of rows from `first_row` on that have cells within the band, and before them the one
/// in which the strip finds what is above its first cell.
template <class T>
__host__ __device__ inline int first_tile(const packed_pair<T>& p, int first_row, int columns) {
    const int j = first_row - p.below - 1;
    return j <= 0 ? 0 : min(j + p.offset, p.pitch - 1) / columns;
}
template <class T>
__host__ __device__ inline int end_tile(const packed_pair<T>& p, int last_row, int columns) {
    const int j = min(p.column_count - 1, last_row + p.above);
    return (j + p.offset) / columns + 1;
}

/// The band of a window, or of none.
template <class T>
__host__ __device__ __forceinline__ void set_band(packed_pair<T>& p, index_t window) {
    const warping_band band(p.row_count, p.column_count, window);
    p.below = static_cast<int>(band.below);
    p.above = static_cast<int>(band.above);
    p.banded = window >= 0 && window < max(p.row_count, p.column_count);
}

/// Blocks of a multiprocessor, whose registers hold half as many numbers of eight bytes.
template <class T>
constexpr int blocks_of(const sweep_policy& p) {
    return p.blocks * 4 / int{sizeof(T)};
}

/// The rows of a lane.
template <class Cell, int Rows, int Columns, bool One>
class lane_rows {
    using T = typename Cell::number;

public:
    /// `from`: (dimensions x Rows x lanes), this lane's. `first`: the lane's first row.
    __device__ __forceinline__ lane_rows(const Cell& cell, const packed_pair<T>& pair, const T* from,
                                         int lanes, int first)
        : cell_(cell),
          rows_(from),
          columns_(pair.columns),
          pitch_(pair.pitch),
          lanes_(lanes),
          from_band_(pair.below - first),
          band_(static_cast<unsigned>(pair.below) + static_cast<unsigned>(pair.above)) {
        if constexpr (One) {
#pragma unroll
            for (int r = 0; r < Rows; ++r) a_[r] = from[r * lanes];
        }
#pragma unroll
        for (int r = 0; r < Rows; ++r) h[r] = infinity<T>();
    }

    /// A tile from what is above its columns; x: the points of its columns where they are one number, else
    /// `tile` says where they are.
    template <bool Masked>
    __device__ __forceinline__ void advance(const T (&above)[Columns], const T (&x)[Columns], int tile,
                                            int first_column, T (&lowest)[Columns]) {
        T sums[One ? 1 : Rows][Columns];
        if constexpr (!One) add_up(tile, sums);
        const int from_band = first_column + from_band_;
#pragma unroll
        for (int c = 0; c < Columns; ++c) {
            T before = c == 0 ? diagonal : above[c - 1];
            T up = above[c];
#pragma unroll
            for (int r = 0; r < Rows; ++r) {
                T cost;
                if constexpr (One)
                    cost = cell_.part(a_[r], x[c]);
                else
                    cost = sums[r][c];
                T now = cost + cell_.least(before, up, h[r]);
                if (Masked && static_cast<unsigned>(from_band + c - r) > band_) now = infinity<T>();
                before = h[r];
                h[r] = up = now;
            }
            lowest[c] = up;
        }
        diagonal = above[Columns - 1];
    }

    T h[Rows];                   // of the last column
    T diagonal = infinity<T>();  // above it

private:
    __device__ __forceinline__ void add_up(int tile, T (&sums)[One ? 1 : Rows][Columns]) const {
#pragma unroll
        for (int r = 0; r < Rows; ++r)
#pragma unroll
            for (int c = 0; c < Columns; ++c) sums[r][c] = 0;
        const T* a = rows_;
        const T* b = columns_ + tile * Columns;
        for (index_t d = 0; d < cell_.dimensions; ++d, b += pitch_) {
#pragma unroll
            for (int r = 0; r < Rows; ++r, a += lanes_) {
                const T point = *a;
#pragma unroll
                for (int c = 0; c < Columns; ++c) sums[r][c] += cell_.part(point, b[c]);
            }
        }
    }

    const Cell cell_;
    // Values, not the pair: an object that holds an address of a part of itself is kept in memory.
    const T *rows_, *columns_;
    int pitch_, lanes_;
    int from_band_;  // of the lane's first row and column 0: how far it is within the lower border
    unsigned band_;
    T a_[One ? Rows : 1];
};

/// The points of a tile, by one or two loads.
template <int Columns, class T>
__device__ __forceinline__ void load_tile(const T* from, T (&to)[Columns]) {
    constexpr int each = Columns < 16 / int{sizeof(T)} ? Columns : 16 / int{sizeof(T)};
    struct alignas(each * sizeof(T)) part {
        T x[each];
    };
#pragma unroll
    for (int k = 0; k < Columns; k += each) {
        const part got = *reinterpret_cast<const part*>(from + k);
#pragma unroll
        for (int c = 0; c < each; ++c) to[k + c] = got.x[c];
    }
}

/// A sweep of `lanes` lanes, a divisor of 32. Borders has, called by all lanes of the warp:
///     bool take()                        before each `steps` steps; false ends the sweep
///     void above(step, T (&)[Columns])   what is above the tile of the first lane
///     void points(tile, T (&)[Columns])  of a tile, where they are one number
///     void put(tile, T (&)[Columns])     the lowest row of a tile; the last lane's counts
/// called by single lanes:
///     void enter()                       before tile `entrance`, where `enters`
///     void happen(tile)                  behind tile `event`
/// and, where `plain`:
///     int plain_begin, plain_end         in these steps no lane enters, and nothing happens
///     void put_plain(tile, T (&)[Columns])   put() without a branch
/// Plain steps within the band have no branch, and the next step's points and what is above its tiles are
/// loaded before the cells of a step: half the time of a lone warp with 8 rows a lane (H200).
template <int Rows, int Columns, bool One, class Lane, class Borders, class T>
class sweeping {
public:
    __device__ __forceinline__ sweeping(const packed_pair<T>& pair, Lane& lane, Borders& borders, int lanes,
                                        int first_row, int begin)
        : pair_(pair),
          lane_(lane),
          borders_(borders),
          lanes_(lanes),
          number_(static_cast<int>(threadIdx.x) % lanes),
          tile_(begin - number_),
          highest_(begin * Columns + Columns - 1 - pair.offset - first_row),
          behind_((lanes - 1) * (Rows + Columns) + Rows - 1 + Columns - 1) {
#pragma unroll
        for (int c = 0; c < Columns; ++c) passed_[c] = infinity<T>();
    }
    __device__ __forceinline__ bool run(int steps) {
        plain_range plain{0, 0};
        if constexpr (Borders::plain) plain = plain_steps_within_band();
        for (int s = 0; s < steps; s += Borders::steps) {
            if (!borders_.take()) return false;
            if constexpr (Borders::plain) {
                if (s >= plain.begin && s < plain.end) {
                    plain_steps();
                    continue;
                }
            }
#pragma unroll 1
            for (int k = 0; k < Borders::steps; ++k, ++tile_) step(s + k);
        }
        return true;
    }

private:
    struct plain_range {
        int begin, end;
    };
    /// The steps that may begin a group of plain ones.
    [[nodiscard]] __device__ __forceinline__ plain_range plain_steps_within_band() const {
        plain_range r{borders_.plain_begin, borders_.plain_end};
        if (pair_.banded) {
            r.begin = max(r.begin, (behind_ - pair_.below - highest_ + Columns - 1) / Columns);
            r.end = min(r.end, pair_.above < highest_ ? 0 : (pair_.above - highest_) / Columns + 1);
        }
        r.end -= Borders::steps - 1;
        return r;
    }
    /// Whether tiles of a step have cells outside of the band.
    [[nodiscard]] __device__ __forceinline__ bool crosses_border(int s) const {
        const int most = highest_ + s * Columns;
        return pair_.banded && (most > pair_.above || most - behind_ < -pair_.below);
    }
    /// What is above a tile: of the first lane `above`, else what the lane above has passed on.
    __device__ __forceinline__ void choose(T (&above)[Columns]) const {
#pragma unroll
        for (int c = 0; c < Columns; ++c)
            if (number_ != 0) above[c] = passed_[c];
    }
    __device__ __forceinline__ void pass(const T (&lowest)[Columns]) {
#pragma unroll
        for (int c = 0; c < Columns; ++c) passed_[c] = __shfl_up_sync(whole_warp, lowest[c], 1, lanes_);
    }
    __device__ __forceinline__ void step(int s) {
        T above[Columns], x[Columns], lowest[Columns];
        borders_.above(s % Borders::steps, above);
        if constexpr (One) borders_.points(tile_, x);
        choose(above);
        if constexpr (Borders::enters)
            if (tile_ == borders_.entrance) borders_.enter();
        const int column = tile_ * Columns - pair_.offset;
        if (crosses_border(s))
            lane_.template advance<true>(above, x, tile_, column, lowest);
        else
            lane_.template advance<false>(above, x, tile_, column, lowest);
        if (tile_ == borders_.event) borders_.happen(tile_);
        borders_.put(tile_, lowest);
        pass(lowest);
    }
    __device__ __forceinline__ void plain_steps() {
        constexpr int together = Borders::unrolled;
        T above[Columns], x[Columns];
        borders_.above(0, above);
        borders_.points(tile_, x);
#pragma unroll(together)
        for (int k = 0; k < Borders::steps; ++k, ++tile_) {
            T next_above[Columns], next[Columns], lowest[Columns];
            borders_.above(k + 1, next_above);
            borders_.points(tile_ + 1, next);
            choose(above);
            lane_.template advance<false>(above, x, tile_, 0, lowest);
            borders_.put_plain(tile_, lowest);
            pass(lowest);
#pragma unroll
            for (int c = 0; c < Columns; ++c) above[c] = next_above[c], x[c] = next[c];
        }
    }

    const packed_pair<T>& pair_;
    Lane& lane_;
    Borders& borders_;
    const int lanes_, number_;
    int tile_;
    // The greatest j - i of a cell of the lanes' tiles in step 0, and how much the least one is below it.
    const int highest_, behind_;
    T passed_[Columns];
};

template <int Rows, int Columns, bool One, class Lane, class Borders, class T>
__device__ __forceinline__ bool sweep(const packed_pair<T>& pair, Lane& lane, Borders& borders, int lanes,
                                      int first_row, int begin, int steps) {
    return sweeping<Rows, Columns, One, Lane, Borders, T>(pair, lane, borders, lanes, first_row, begin)
        .run(steps);
}

}  // namespace wale::wavefront::warping
