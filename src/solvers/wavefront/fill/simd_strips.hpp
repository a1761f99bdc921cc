// simd_strips - one tile of a global-alignment or time-warping table with a vector on an antidiagonal: lane k
// is row k of a strip of as many rows as a vector has lanes, and lags k columns behind lane 0. The operations
// on a cell are those of problem.hpp in their order, so that floats have the same bits.
#pragma once

#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

inline constexpr int most_strip_rows = 16;

/// The vectors that a strip hands to its next tile, as bits; and its left border.
struct strip_state {
    alignas(64) std::uint32_t cell[most_strip_rows];      // of the last step
    alignas(64) std::uint32_t diagonal[most_strip_rows];  // for the next step
    alignas(64) std::uint32_t left[most_strip_rows];      // column -1
    alignas(64) std::uint32_t symbol[most_strip_rows];    // of a
};

struct strip_tile {
    const fill_job* job;
    index_t first_row;
    int rows;                        // of the table in this strip, at most strip_rows()
    index_t step_begin, step_end;    // step s: lane k in column s - k; multiples of 4
    const void* top;                 // the row above, elements of the table's type
    const std::uint32_t* backwards;  // lane k at step s is to meet b[s - k] = backwards[k - s]
    strip_state* state;
    bool stream;  // past the caches
};

/// Rows of a strip: lanes of 32 bits in a vector of this machine, at most most_strip_rows.
[[nodiscard]] int strip_rows();
void fill_strip_tile(const strip_tile&);

}  // namespace wale::wavefront
