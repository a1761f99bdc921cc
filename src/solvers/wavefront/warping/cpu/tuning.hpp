// tuning - sizes of the host rows of warping and warping_path.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::wavefront {

struct warping_policy {
    index_t strip_bytes;     // cpu/diagonals: of one diagonal of a strip; five of them lie in the first cache
    index_t thin;            // rows or columns of a strip that is done row by row
    index_t least_rows;      // of a strip whose diagonals are kept for the way back
    index_t kept_cells;      // of a table that is kept whole for the gradient
    index_t decision_bytes;  // of a table whose decisions are kept whole for the path
    index_t pairs;           // that a thread takes at a time
    index_t block_bytes;     // cpu/lanes: of a row of a block and of the targets' columns in it
    index_t queries;         // that a thread takes at a time
    index_t most_pairs;      // cpu/pair_lanes: listed one by one
    index_t thread_cells;    // cells that are worth a thread
};

inline constexpr tuning::row<warping_policy> warping_policies[] = {
    {0,
     0,
     {.strip_bytes = 1 << 12,
      .thin = 4,
      .least_rows = 128,
      .kept_cells = 1 << 20,
      .decision_bytes = 1 << 26,
      .pairs = 16,
      .block_bytes = 1 << 15,
      .queries = 32,
      .most_pairs = 1 << 18,
      .thread_cells = 1 << 16},
     "untuned"},
    // Strips of one row and of a few, blocks of a column and of a few, threads for little: for tests, by
    // WALE_TUNING.
    {0,
     0,
     {.strip_bytes = 8,
      .thin = 0,
      .least_rows = 1,
      .kept_cells = 0,
      .decision_bytes = 0,
      .pairs = 1,
      .block_bytes = 1,
      .queries = 1,
      .most_pairs = 1 << 18,
      .thread_cells = 1},
     "untuned"},
    {0,
     0,
     {.strip_bytes = 56,
      .thin = 3,
      .least_rows = 5,
      .kept_cells = 0,
      .decision_bytes = 0,
      .pairs = 2,
      .block_bytes = 4000,
      .queries = 2,
      .most_pairs = 1 << 18,
      .thread_cells = 1},
     "untuned"},
};
static_assert(tuning::well_formed(warping_policies));

[[nodiscard]] inline const warping_policy& chosen_warping() {
    return warping_policies[tuning::choose("wavefront/warping/cpu", warping_policies, 0, 0)].policy;
}

}  // namespace wale::wavefront
