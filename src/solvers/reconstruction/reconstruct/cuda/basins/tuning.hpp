// tuning - measured choices of cuda/basins: the tile that a block contracts, and the grid that joins
// tiles.
#pragma once

#include "tuning/override.hpp"

namespace wale::reconstruction::basins {

struct tile_policy {
    int columns, rows, planes;  // of a tile; planes is 1 for flat images
    int threads;                // a flat tile: each walks down some rows; a volume: columns * rows
    int blocks;                 // on a multiprocessor, at least
    int edges;                  // between basins of a tile, kept in shared memory; more are spilled
    int crossings;              // edges that leave a tile, likewise
};

inline constexpr tuning::row<tile_policy> flat_policies[] = {
    {90, 1, {64, 64, 1, 256, 5, 1536, 384}, "untuned"},
    {0, 0, {64, 64, 1, 256, 4, 2048, 512}, "untuned"},
};
inline constexpr tuning::row<tile_policy> volume_policies[] = {
    {0, 0, {32, 8, 16, 256, 2, 2048, 1024}, "untuned"},
};

struct join_policy {
    int threads;
    int blocks;  // on a multiprocessor, at most; 0: one block in all
    int items;   // edges of a thread in flight
    int steps;   // of a walk along hooks before all nodes shorten their walks at once
};
inline constexpr tuning::row<join_policy> join_policies[] = {
    {0, 0, {1024, 1, 2, 64}, "untuned"},
    {0, 0, {256, 0, 1, 1}, "untuned"},  // never chosen: shows that one block is enough, and that walks go on
};

static_assert(tuning::well_formed(flat_policies) && tuning::well_formed(volume_policies) &&
              tuning::well_formed(join_policies));

/// The policy of a tile of images of this rank.
template <int Rank, int Row>
[[nodiscard]] consteval tile_policy tile_of() {
    if constexpr (Rank == 2)
        return flat_policies[Row].policy;
    else
        return volume_policies[Row].policy;
}

}  // namespace wale::reconstruction::basins
