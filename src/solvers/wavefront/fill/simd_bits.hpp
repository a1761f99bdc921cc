// simd_bits - one tile of an LCS or edit-distance table from bit vectors: a row is held as its horizontal
// differences, one bit a cell (Hyyro 2004; Myers 1999, Hyyro 2003), and spread out into numbers as it is
// stored.
#pragma once

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

}  // namespace wale::wavefront
