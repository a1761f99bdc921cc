// level_order - the compartments of a cell level by level from the root.
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned.hpp"
#include "solvers/tree/cable/system.hpp"

namespace wale::tree {

/// The order in which compartments stand, the same for all cells.
struct level_order {
    explicit level_order(const cable_system& s);
    std::vector<std::int32_t> caller;  // [size] the caller's number of each
    std::vector<std::int32_t> place;   // [size] of each of the caller's
    std::vector<std::int32_t> parent;  // [size] lower than the own number
    base::aligned_vector<double> axial;
    index_t size = 0, padded = 0;      // padded: whole vectors, the last of them without membrane
    std::vector<std::int32_t> active;  // first compartments of vectors with channels
};

}  // namespace wale::tree
