// tuning - the sizes of tiles on the CPU, and from where on more threads and streaming stores pay.
#pragma once

#include <wale/layout.hpp>

#include "tuning/table.hpp"

namespace wale::wavefront {

struct cpu_fill_policy {
    index_t tile_rows;  // cpu/tiles, cpu/hyperlane
    index_t tile_columns;
    index_t band_rows;          // cpu/simd, bit vectors: rows that share a thread's visit to a tile
    index_t band_columns;       // cpu/simd: columns of a tile; a multiple of 64
    index_t narrowest_columns;  // the same where threads would wait for each other
    index_t thread_cells;       // cells that are worth a thread
    index_t small_cells;        // below, a table is best filled by the plain rows
    index_t stream_bytes;       // from this size on the table goes past the caches
};

inline constexpr tuning::row<cpu_fill_policy> cpu_fill_policies[] = {
    {0, 0, {128, 2048, 16, 2048, 256, 1 << 17, 2048, index_t{1} << 25}, "untuned"},
    {0, 0, {5, 7, 3, 64, 64, 1, 0, 0}, "untuned"},  // all seams in small tables: for tests, by WALE_TUNING
};
static_assert(tuning::well_formed(cpu_fill_policies));

}  // namespace wale::wavefront
