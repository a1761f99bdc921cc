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
// than wider ones; 1: small ones, for the tests.
inline constexpr tuning::row<cyclic_policy> cyclic_policies[] = {
    {90, 0, {{128, 16000, 256, 0, 2, 8000}, 8192}, "bench/results/h100/devices.csv:40"},
    {90, 0, {{32, 1 << 30, 32, 0, 2, 100}, 1}, "untuned"},
    {0, 0, {{128, 16000, 256, 0, 2, 8000}, 8192}, "untuned"},
};

}  // namespace wale::lu
