// group - a group of cells side by side: what the vector code works on. [x][width] means one number for each
// cell of the group.
#pragma once

#include "base/aligned.hpp"
#include "solvers/tree/cable/shared/walk.hpp"

namespace wale::tree {

struct lane_group {
    const walk* order = nullptr;
    index_t width = 0;     // cells
    bool in_place = true;  // the new voltages are the solution itself
    double stretch = 1;    // else they go this many times as far, in the stage to come
    double gate_time = 0;  // dt times the speed
    double e_na = 0, e_k = 0;
    base::aligned_vector<double> patches;  // [regions][5][width]: charge, g_leak, i_leak, g_na, g_k
    base::aligned_vector<double> v;        // [compartments][width]
    base::aligned_vector<double> gates;    // [gated][3][width]
    base::aligned_vector<double> solved;   // [compartments][width]; where not in place
    base::aligned_vector<double> factor;   // [compartments][width] of what a parent's voltage counts
    base::aligned_vector<double> pivot;    // the reciprocals, [compartments][width]; without channels only
    base::aligned_vector<double> given;    // [places][2][width]: to diagonals, to right sides; else 0

    [[nodiscard]] index_t compartments() const { return static_cast<index_t>(order->nodes.size()); }
};

/// One stage of a step of all cells of a group, whose width is one or two vectors. The currents of clamps
/// wait in `given`. `moved`: the gates are where they belong; else they lag behind the voltages by a step.
void step_group(lane_group& g, bool moved);
/// Moves the gates that lag behind.
void finish_group(lane_group& g);
/// Factors and pivots of a tree without channels, once.
void factor_group(lane_group& g);

}  // namespace wale::tree
