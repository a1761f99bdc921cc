// compartments - one cell whose compartments stand level by level from the root: what the vector code works
// on.
#pragma once

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

/// Everything is [padded].
struct level_cell {
    const level_order* order = nullptr;
    int stages = 1;  // as in cable_system
    double stretch[2] = {1, 1};
    double gate_time = 0;  // dt times the speed
    double e_na = 0, e_k = 0;
    base::aligned_vector<double> charge, leak_current, na, k;  // [uS], [nA] of whole compartments
    base::aligned_vector<double> injected;                     // [nA]
    base::aligned_vector<double> fixed;                        // axial conductances, leak and charge
    base::aligned_vector<double> v, gates[3];
    base::aligned_vector<double> diagonal, right, factor, pivot, solved;
};

void step_cell(level_cell& c);
/// Factors and pivots of a cell without channels, once.
void factor_cell(level_cell& c);

}  // namespace wale::tree
