// tuning - the shape of a tile: rows of a chunk in registers, how far loads run ahead, threads.
#pragma once

#include "tuning/table.hpp"

namespace wale::tree::one_pass {

struct tile_policy {
    bool pivoted;
    int largest;          // rows of a chain, at most
    int rows;             // of a chunk, in registers of a thread
    int lanes;            // threads side by side; each has `words` neighbouring systems
    int words;            // of one load; 1 where the vectors are not aligned for more
    int chunks;           // at most, of a block
    int ranks;            // at most, blocks of a cluster
    int ahead;            // rows of a thread on their way; divides rows
    int blocks;           // that a multiprocessor must hold
    bool shared = false;  // one of the three numbers of a row is kept in shared memory
    [[nodiscard]] constexpr int threads() const { return lanes * chunks; }
    [[nodiscard]] constexpr int most_rows() const {
        const int held = rows * chunks * ranks;
        return held < largest ? held : largest;
    }
};
/// The first row that fits the device, the elements and the job.
inline constexpr tuning::row<tile_policy> tiles[] = {
    {90, 8, {false, 64, 8, 32, 1, 16, 1, 8, 1}, "untuned"},
    {90, 8, {false, 112, 16, 32, 1, 8, 1, 8, 2, true}, "untuned"},
    {90, 8, {false, 512, 16, 32, 1, 8, 16, 4, 2, true}, "untuned"},
    {90, 8, {false, 4096, 16, 32, 1, 16, 16, 4, 1, true}, "untuned"},
    {90, 4, {false, 1024, 16, 32, 2, 8, 16, 4, 2, true}, "untuned"},
    {90, 4, {false, 4096, 16, 32, 2, 16, 16, 4, 1}, "untuned"},
    {90, 4, {false, 4096, 16, 64, 1, 8, 16, 8, 1}, "untuned"},
    {90, 8, {true, 256, 8, 32, 1, 8, 16, 4, 2}, "untuned"},
    {90, 8, {true, 1024, 8, 32, 1, 16, 8, 4, 1}, "untuned"},
    {90, 4, {true, 512, 8, 32, 2, 8, 16, 4, 2}, "untuned"},
    {90, 4, {true, 1024, 8, 32, 2, 16, 8, 4, 1}, "untuned"},
    {90, 4, {true, 1024, 8, 64, 1, 8, 16, 8, 1}, "untuned"},
    {0, 0, {false, 128, 8, 32, 1, 16, 1, 4, 1}, "untuned"},
    {0, 0, {true, 128, 8, 32, 1, 16, 1, 4, 1}, "untuned"},
};

/// To how many rows `automatic` prefers this to two passes where there are pivots: of any number, and of
/// numbers that leave no thread of a block without rows.
struct pivoted_policy {
    int largest, largest_whole;
    int whole;  // rows
};
inline constexpr tuning::row<pivoted_policy> pivoted_sizes[] = {
    {90, 8, {256, 256, 128}, "untuned"},
    {90, 4, {256, 1024, 128}, "untuned"},
    {0, 0, {128, 128, 128}, "untuned"},
};
static_assert(tuning::well_formed(pivoted_sizes));

}  // namespace wale::tree::one_pass
