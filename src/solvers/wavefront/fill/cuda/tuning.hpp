// tuning - the measured choices of the table kernels. Rows after the first of an architecture are candidates
// that bench/tune.py or WALE_TUNING can ask for by number.
#pragma once

#include "tuning/table.hpp"

namespace wale::wavefront {

inline constexpr int elementwise_threads =
    256;  // of the pass that widens the inputs; it is lost beside any table

struct tile_policy {
    int rows;
    int columns;
};

inline constexpr tuning::row<tile_policy> rect_global_policies[] = {
    {90, 0, {128, 256}, "untuned"},  // 0
    {90, 0, {96, 96}, "untuned"},    // 1
    {90, 0, {128, 128}, "untuned"},  // 2
    {0, 0, {96, 96}, "untuned"},     // 3
};

inline constexpr tuning::row<tile_policy> rect_shared_policies[] = {
    {90, 8, {64, 64}, "untuned"},    // 0
    {90, 0, {96, 96}, "untuned"},    // 1
    {90, 0, {128, 128}, "untuned"},  // 2
    {90, 0, {64, 64}, "untuned"},    // 3
    {0, 0, {64, 64}, "untuned"},     // 4
};

inline constexpr tuning::row<tile_policy> hyperlane_policies[] = {
    {90, 8, {128, 64}, "untuned"},   // 0
    {90, 0, {256, 128}, "untuned"},  // 1
    {90, 0, {256, 96}, "untuned"},   // 2
    {90, 0, {256, 64}, "untuned"},   // 3
    {90, 0, {192, 160}, "untuned"},  // 4
    {0, 0, {96, 48}, "untuned"},     // 5
};

struct stream_policy {
    int streams;
};
inline constexpr tuning::row<stream_policy> hyperlane_stream_policies[] = {
    {0, 0, {16}, "untuned"},  // 0
};

/// A block of 2 * warps warps: half compute, half store. A lane holds `vectors` * 16 bytes of a row.
struct strip_policy {
    int warps;    // compute warps of a block, side by side in one strip
    int vectors;  // 16-byte vectors a lane
    int group;    // rows between two barriers and a hand-over
    int ring;     // rows of shared memory a warp, a power of two
    bool bulk;    // rows leave by bulk copies (sm_90)
    bool ahead;   // the last column first, re-associated, so that the next lane need not wait for the chain
};
inline constexpr tuning::row<strip_policy> strip_policies[] = {
    {90, 0, {4, 1, 16, 64, true, true}, "untuned"},   // 0
    {90, 0, {4, 1, 16, 64, false, true}, "untuned"},  // 1
    {90, 0, {2, 2, 16, 64, true, true}, "untuned"},   // 2
    {90, 0, {2, 2, 16, 64, false, true}, "untuned"},  // 3
    {0, 0, {2, 1, 8, 64, false, true}, "untuned"},    // 4
};

/// One warp advances the bit vectors, the others expand them.
struct strip_bits_policy {
    int warps;  // of a block
    int bits;   // columns a lane, 8 to 32
    int group;  // rows between two barriers and a hand-over, at most 32
};
inline constexpr tuning::row<strip_bits_policy> strip_bits_policies[] = {
    {90, 0, {8, 16, 32}, "untuned"},   // 0
    {90, 0, {12, 16, 32}, "untuned"},  // 1
    {0, 0, {8, 16, 16}, "untuned"},    // 2
};

}  // namespace wale::wavefront
