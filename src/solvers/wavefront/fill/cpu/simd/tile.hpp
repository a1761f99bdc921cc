// tile - what simd.cpp hands to the vector kernels for one tile of a table.
//
// bits.cpp: LCS and edit distance. A row is kept as its horizontal differences, one bit a cell (Hyyro 2004;
// Myers 1999, Hyyro 2003), and spread out into numbers when it is stored. strips.cpp: global alignment and
// time warping, a vector on an antidiagonal. Lane k is row k of a strip of as many rows as a vector has
// lanes, and lags k columns behind lane 0. The operations on a cell are those of problem.hpp in their order,
// so that floats have the same bits.
#pragma once

#include <cstdint>
#include <type_traits>

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

/// What a row hands to its next tile.
struct bit_row {
    std::int32_t value;  // of the cell left of the tile
    std::uint64_t plus,
        minus;  // edit: the vertical difference there is +1 or -1; lcs: plus is the sum's carry
};

/// Differences of the row above, 64 cells a word: bit set in `plus` +1, in `minus` -1 (edit only).
struct bit_differences {
    std::uint64_t* plus;
    std::uint64_t* minus;
};

struct bit_tile {
    const fill_job* job;
    tile_range range;  // column_begin is a multiple of 64
    bit_differences above;
    bit_row* rows;  // one for each row of the range
    bool stream;    // past the caches, where the row's address allows
};

void fill_bit_tile(const bit_tile&);

inline constexpr int most_strip_rows = 16;

/// What a lane holds of a table of T, as bits.
template <class T>
using strip_word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// The vectors that a strip hands to its next tile, as bits; and its left border.
template <class Word>
struct strip_state {
    alignas(64) Word cell[most_strip_rows];      // of the last step
    alignas(64) Word diagonal[most_strip_rows];  // for the next step
    alignas(64) Word left[most_strip_rows];      // column -1
    alignas(64) Word symbol[most_strip_rows];    // of a
};

template <class Word>
struct strip_tile {
    const fill_job* job;
    index_t first_row;
    int rows;                      // of the table in this strip, at most strip_rows()
    index_t step_begin, step_end;  // step s: lane k in column s - k; multiples of 4
    const void* top;               // the row above, elements of the table's type
    const Word* backwards;         // backwards[k - s] is b[s - k], the symbol of lane k at step s
    strip_state<Word>* state;
    bool stream;  // past the caches
};

/// Rows of a strip: lanes of 4 or 8 bytes in a vector of this machine, at most most_strip_rows.
[[nodiscard]] int strip_rows(int lane_bytes);
void fill_strip_tile(const strip_tile<std::uint32_t>&);
void fill_strip_tile(const strip_tile<std::uint64_t>&);

}  // namespace wale::wavefront
