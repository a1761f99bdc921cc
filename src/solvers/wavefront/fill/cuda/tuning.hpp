// tuning - the measured choices of the table kernels.
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
    {90, 0, {128, 256}, "untuned"},
    {0, 0, {96, 96}, "untuned"},
};

inline constexpr tuning::row<tile_policy> rect_shared_policies[] = {
    {90, 8, {64, 64}, "untuned"},
    {90, 0, {96, 96}, "untuned"},
    {0, 0, {64, 64}, "untuned"},
};

inline constexpr tuning::row<tile_policy> hyperlane_policies[] = {
    {90, 8, {128, 64}, "untuned"},
    {90, 0, {256, 128}, "untuned"},
    {0, 0, {96, 48}, "untuned"},
};

struct stream_policy {
    int streams;
};
inline constexpr tuning::row<stream_policy> hyperlane_stream_policies[] = {
    {0, 0, {16}, "untuned"},  // 0
};

/// A block of 2 * warps warps: half compute, half store. A lane holds 16 bytes of a row.
struct strip_policy {
    int warps;  // compute warps of a block, side by side in one strip
    int group;  // rows between two barriers and a hand-over
    int ring;   // rows of shared memory a warp, a power of two
    bool bulk;  // rows leave by bulk copies (sm_90)
};
inline constexpr tuning::row<strip_policy> strip_policies[] = {
    {90, 0, {4, 16, 64, true}, "untuned"},
    {0, 0, {2, 8, 64, false}, "untuned"},
};

/// One warp advances the bit vectors, the others expand them.
struct strip_bits_policy {
    int warps;  // of a block
    int bits;   // columns a lane, 8 to 32
    int group;  // rows between two barriers and a hand-over, at most 32
};
inline constexpr tuning::row<strip_bits_policy> strip_bits_policies[] = {
    {90, 0, {8, 16, 32}, "untuned"},
    {0, 0, {8, 16, 16}, "untuned"},
};

}  // namespace wale::wavefront
