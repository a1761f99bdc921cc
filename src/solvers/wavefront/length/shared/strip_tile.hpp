// strip_tile - a strip of rows against a block of columns: what the kernels of cpu/skewed_strips and cpu/band
// get.
//
// Lane l of vector k works on column t - (k * lanes + l) in step t: all vectors of a step are independent,
// and what one word passes down moves on by one lane a step. Arrays over columns run backwards, so that one
// unaligned load has the columns of all lanes: column c of n is at [strip_padding + n - 1 - c].
//
//           step   0 1 2 3 4 5
//   word 0  column 0 1 2 3 4 5     lane 0
//   word 1  column   0 1 2 3 4     lane 1
//   word 2  column     0 1 2 3     lane 2
#pragma once

#include <cstdint>
#include <wale/layout.hpp>

namespace wale::wavefront {

inline constexpr index_t strip_padding =
    48;                                 // words on either side: the skew of the tallest strip, and a load
inline constexpr int widest_strip = 4;  // vectors

struct strip_tile {
    const std::uint64_t* rows;  // plane p of word w at rows[p * words + w], words = vectors * lanes
    int planes;
    int vectors;           // 1, 2 or 4
    std::uint64_t* state;  // state s of word w at state[s * words + w]
    const std::uint64_t*
        columns;             // plane p at columns + p * pitch, backwards; all ones or zeros in the rows' bits
    std::uint64_t* carries;  // carry c at carries + c * pitch, backwards; bit 63; in from above, out below
    const std::uint64_t* active;  // backwards: all ones where a column is, zero in the padding
    index_t pitch;                // words
    index_t count;                // columns
};

/// Rows a word, the border, and the kernel of one recurrence.
struct strip_recurrence {
    int rows_a_word;
    bool forced_match;  // at bit 63
    int states, carries;
    std::uint64_t state_start[2];  // left border
    std::uint64_t carry_start[2];  // upper border
    void (*run)(const strip_tile&);
};

/// Bits 1..rows of a word that holds `most` rows.
[[nodiscard]] constexpr std::uint64_t row_bits(index_t rows, int most) {
    const index_t held = rows < 0 ? 0 : rows < most ? rows : most;
    const std::uint64_t last = std::uint64_t{1} << held;
    return (last | (last - 1)) & ~std::uint64_t{1};
}

[[nodiscard]] strip_recurrence lcs_strips();
[[nodiscard]] strip_recurrence edit_strips();

/// The codes of the rows of a strip as planes: plane p of word w to to[p * words + w], from bit 1 on.
struct code_rows {
    const std::uint32_t* codes;
    std::size_t size, rows_a_word, words;
    int planes;
    std::uint64_t* to;
};
void pack_rows(const code_rows& rows);

/// The codes of columns as planes, backwards: a word a column, all ones or zeros in `row_bits`. Bit 0 is a
/// forced mismatch.
struct code_columns {
    const std::uint32_t* codes;
    index_t count;
    int planes;
    std::uint64_t row_bits;
    std::uint64_t* to;
    index_t pitch;  // of a plane
};
void spread_columns(const code_columns& columns);

/// Words in a vector of the chosen instruction set.
[[nodiscard]] int strip_lanes();

}  // namespace wale::wavefront
