// tuning - the sizes of cuda/panels.
#pragma once

#include "tuning/override.hpp"

namespace wale::lu::panels {

inline constexpr int most_width = 32;      // columns of a panel: a thread keeps a row or a column of so many
inline constexpr int panel_threads = 512;  // of a block of the cluster that factors a panel
inline constexpr int panel_blocks = 16;    // of a cluster, at most
inline constexpr int plain_threads = 128;  // without pivots
inline constexpr int beside_threads = 64;
inline constexpr int small_threads = 512;  // of a matrix in shared memory, at most

/// As many as the registers of panel_threads hold.
template <class T>
inline constexpr int most_held = sizeof(T) > 8 ? 4 : 8;

struct policy {
    int width;          // columns of a panel, 32 at most
    int joined;         // columns of panels that share the product of what lies right of them,
    int joined_from;    // from so many rows on
    int small_bytes;    // a matrix up to this size is factored whole in shared memory,
    int lone_bytes;     // a matrix alone up to this size
    int small_threads;  // by so many; a smaller one by a half or a quarter of them, beside others
    int held;           // rows of a panel that a thread keeps a part of in registers, at most; 0: none
    [[nodiscard]] constexpr int threads_for(long long bytes) const {
        return bytes > (64 << 10)   ? small_threads
               : bytes > (24 << 10) ? small_threads / 2
                                    : small_threads / 4;
    }
};
inline constexpr tuning::row<policy> policies[] = {
    {0, 8, {32, 128, 2048, 200 << 10, 200 << 10, 512, 8}, "untuned"},  // 0
    {0, 0, {32, 128, 1024, 200 << 10, 200 << 10, 512, 4}, "untuned"},  // 1
    {0, 0, {32, 32, 0, 200 << 10, 200 << 10, 256, 1}, "untuned"},      // 2
    {0, 0, {16, 128, 0, 4 << 10, 4 << 10, 256, 0}, "untuned"},         // 3
    {0, 0, {32, 256, 4096, 4 << 10, 4 << 10, 256, 8}, "untuned"},      // 4
};
static_assert(tuning::well_formed(policies));

}  // namespace wale::lu::panels
