// tuning - the choices of cuda/block_cyclic.
#pragma once

#include "solvers/lu/factor/cuda/lookahead/tuning.hpp"

namespace wale::lu {

/// Panels that are joined are the columns that one device gets at a time.
struct cyclic_policy {
    lookahead_policy panels;
    int least;  // pivots from which several devices are faster than one
};
// 0 to 3: joined panels of 512, then 256 columns; 4: of 256; 5: small ones, for the tests.
inline constexpr tuning::row<cyclic_policy> cyclic_policies[] = {
    {90, 0, {{128, 8000, 256, 0, 2, 4000}, 8192}, "untuned"},   // 0
    {90, 0, {{128, 16000, 256, 0, 2, 8000}, 8192}, "untuned"},  // 1
    {90, 0, {{128, 4000, 256, 0, 2, 2000}, 8192}, "untuned"},   // 2
    {90, 0, {{128, 0, 256, 0, 2, 0}, 8192}, "untuned"},         // 3
    {90, 0, {{128, 8000, 256, 0, 1, 0}, 8192}, "untuned"},      // 4
    {90, 0, {{32, 1 << 30, 32, 0, 2, 100}, 1}, "untuned"},      // 5
    {0, 0, {{128, 8000, 256, 0, 2, 4000}, 8192}, "untuned"},
};

/// Blocks that store panels into another device's memory. Not tuned.
inline constexpr int copy_blocks = 32, copy_threads = 512;

}  // namespace wale::lu
