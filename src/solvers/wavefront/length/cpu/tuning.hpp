// tuning - measured choices of the host rows.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::wavefront {

/// cpu/skewed_strips and cpu/band: the tallest strip (vectors: 1, 2 or 4) and the columns of a block.
struct strip_policy {
    int vectors;
    index_t columns;
};

inline constexpr tuning::row<strip_policy> strip_policies[] = {
    {0, 0, {4, 4096}, "bench/results/intel_xeon_6_167/tuning.csv:6"},
};
static_assert(tuning::well_formed(strip_policies));

[[nodiscard]] inline const strip_policy& chosen_strips() {
    return strip_policies[tuning::choose("wavefront/length/cpu_strips", strip_policies, 0, 0)].policy;
}

/// Where one method hands over to the next.
struct method_policy {
    index_t strip_cells;      // of edit distances; fewer: the plain bit vector
    index_t cells_a_thread;   // a thread must have so many to be worth its start
    index_t blocks_a_thread;  // of columns, at least, so that threads end together
    index_t narrowest_block;  // columns
    index_t band_columns;     // block of cpu/band
    index_t band_first;       // first bound of cpu/band, as a divisor of the longer size
    index_t band_rows;        // that the strips of a band hold beside twice its bound
    double cells_a_step;      // of a table in strips, in the time of a step of cpu/diagonals
    index_t traced_words;  // cpu/hirschberg stores the bit matrix of a part below this, and walks back in it
    index_t lane_slice;    // pairs that a thread of cpu/lanes sorts and takes at a time
    index_t lane_rows;     // longer pairs of a batch go one by one,
    index_t word_rows_lcs, word_rows_edit;  // and pairs of a mean length up to this,
    index_t word_rows_letters;              // LCS of more than four symbols up to this
};

inline constexpr method_policy chosen_methods{.strip_cells = 80'000,
                                              .cells_a_thread = 50'000'000,
                                              .blocks_a_thread = 6,
                                              .narrowest_block = 1024,
                                              .band_columns = 512,
                                              .band_first = 64,
                                              .band_rows = 1500,
                                              .cells_a_step = 150,
                                              .traced_words = 1 << 13,
                                              .lane_slice = 256,
                                              .lane_rows = 1000,
                                              .word_rows_lcs = 128,
                                              .word_rows_edit = 32,
                                              .word_rows_letters = 384};  // untuned

}  // namespace wale::wavefront
