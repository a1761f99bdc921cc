// cell - one cell as the vector code of cpu/compartments sees it: its compartments are in level order.
#pragma once

#include "solvers/tree/cable/shared/level_order.hpp"

namespace wale::tree {

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
