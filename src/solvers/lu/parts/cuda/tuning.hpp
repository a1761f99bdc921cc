// tuning - the choices of cuda/block_cyclic.
#pragma once

#include "solvers/lu/factor/cuda/lookahead/tuning.hpp"

namespace wale::lu {

/// Panels that are joined are the columns that one device gets at a time.
struct cyclic_policy {
    lookahead_policy panels;
    int least;  // pivots from which several devices are faster than one
};
// 0: joined panels of 256 columns below 16000 rows, which a tall panel's cluster brings up to date faster
// than wider ones; 1: of 512 columns down to 8000 rows; 2: four narrow panels joined; 3: wide ones to the
// end; 4: not joined; 5: small ones, for the tests.
inline constexpr tuning::row<cyclic_policy> cyclic_policies[] = {
    {90, 0, {{128, 16000, 256, 0, 2, 8000}, 8192}, "bench/results/h100/devices.csv:40"},  // 0
    {90, 0, {{128, 8000, 256, 0, 2, 4000}, 8192}, "bench/results/h100/devices.csv:43"},   // 1
    {90, 0, {{128, 1 << 30, 128, 0, 4, 4000}, 8192}, "untuned"},                          // 2
    {90, 0, {{128, 0, 256, 0, 2, 0}, 8192}, "untuned"},                                   // 3
    {90, 0, {{128, 8000, 256, 0, 1, 0}, 8192}, "untuned"},                                // 4
    {90, 0, {{32, 1 << 30, 32, 0, 2, 100}, 1}, "untuned"},                                // 5
    {0, 0, {{128, 16000, 256, 0, 2, 8000}, 8192}, "untuned"},
};

}  // namespace wale::lu
