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
    int blocks;           // of a multiprocessor that must have room
    bool shared = false;  // one of the three numbers of a row is kept in shared memory
    [[nodiscard]] constexpr int threads() const { return lanes * chunks; }
    [[nodiscard]] constexpr int most_rows() const {
        const int held = rows * chunks * ranks;
        return held < largest ? held : largest;
    }
};
/// The first row that fits the device, the elements and the job.
inline constexpr tuning::row<tile_policy> tiles[] = {
    {90, 8, {false, 128, 8, 32, 1, 16, 1, 8, 1}, "untuned"},
    {90, 8, {false, 4096, 16, 32, 1, 8, 16, 4, 2, true}, "untuned"},
    {90, 8, {false, 128, 16, 32, 1, 8, 1, 8, 2, true}, "untuned"},
    {90, 8, {false, 4096, 16, 32, 1, 16, 16, 4, 1, true}, "untuned"},
    {90, 8, {false, 2048, 8, 32, 1, 16, 16, 8, 1}, "untuned"},
    {90, 4, {false, 128, 8, 32, 2, 16, 1, 8, 1}, "untuned"},
    {90, 4, {false, 4096, 16, 32, 2, 8, 16, 4, 2, true}, "untuned"},
    {90, 4, {false, 4096, 16, 32, 2, 16, 16, 4, 1}, "untuned"},
    {90, 4, {false, 4096, 16, 64, 1, 8, 16, 8, 1}, "untuned"},
    {90, 8, {true, 1024, 8, 32, 1, 16, 8, 4, 1}, "untuned"},
    {90, 8, {true, 1024, 8, 32, 1, 8, 16, 4, 2}, "untuned"},
    {90, 4, {true, 1024, 8, 32, 2, 16, 8, 4, 1}, "untuned"},
    {90, 4, {true, 1024, 8, 32, 2, 8, 16, 4, 2}, "untuned"},
    {90, 4, {true, 512, 8, 64, 1, 8, 8, 8, 1}, "untuned"},
    {0, 0, {false, 128, 8, 32, 1, 16, 1, 4, 1}, "untuned"},
    {0, 0, {true, 128, 8, 32, 1, 16, 1, 4, 1}, "untuned"},
};

}  // namespace wale::tree::one_pass
