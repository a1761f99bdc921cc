// group - cells that share vectors, one a lane, and the plan that they share. The host cuts a job into
// groups, the vector code (sweeps.cpp) takes one at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/tree/jobs.hpp"
#include "solvers/tree/topology.hpp"

namespace wale::tree {

/// The nodes in an order with parents first, and how each hands its share to its parent.
struct lane_plan {
    explicit lane_plan(const topology& t);
    enum link : std::uint8_t {
        takes_sum = 1,    // from memory; children have left their shares there
        takes_share = 2,  // of the row below, its only child, in registers
        hands_on = 4,     // to the row above, whose only child it is
        is_first = 8,     // of its siblings: there is no sum yet
        is_root = 16
    };
    std::vector<std::int32_t> parent;  // [nodes] a row, -1: root
    std::vector<std::uint8_t> links;   // [nodes]
};

/// One array of a job as a group sees it: node i of lane w is data[first + i * step + w * distance].
struct lane_place {
    index_t first = 0, step = 1, distance = 1;
};

struct lane_cells {
    const lane_plan* plan = nullptr;
    const std::int32_t* order = nullptr;  // the node of a row; null: its own number
    index_t nodes = 0;
    index_t lanes = 0;    // cells
    index_t vectors = 1;  // of a row of scratch memory: 1 or row_vectors
    lane_place at{};
    const void *upper = nullptr, *lower = nullptr, *diagonal = nullptr, *rhs = nullptr;
    void *solution = nullptr, *eliminated = nullptr;
    void* scratch = nullptr;        // lane_scratch() elements on a cache line
    index_t* lowest_bad = nullptr;  // [lanes] out: -1: none
};

/// Lanes of a vector of this machine.
[[nodiscard]] index_t tree_lanes(scalar type);
[[nodiscard]] index_t lane_scratch(index_t nodes, index_t row);
void solve_lanes(scalar type, const lane_cells& cells);

}  // namespace wale::tree
