// schedule - the order of work that contracts a forest of any form in logarithmically many steps (rake and
// compress: Miller and Reif 1985), made once from the parents alone and read by every backend.
//
// The nodes stand in depth-first order and are cut into windows. The nodes of a window whose children lie in
// later windows are all ancestors of the next window's first node: they stay. All others are eliminated
// inside the window: runs of nodes with at most one child each, from the leaves (rake) or between two nodes
// that stay for now (compress; the fill is one edge between these two, so what is left is a tree). What
// stays, and one sum for each parent outside that lost a child here, are the items of the next level.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/tree/topology.hpp"

namespace wale::tree {

struct contraction_limits {
    int window;     // items of a window; at least 128, so that every level is smaller than the one before
    int first_run;  // nodes of a run in a window's first step
    int later_run;  // in its later steps
    static constexpr int least_window = 128, most_window = 4096;
};

/// Nodes that one worker eliminates one after the other, the last first. Slots number the items of a window,
/// then its accumulators.
struct contraction_run {
    std::uint16_t first;   // slot, or where `in_list`: place in the window's list
    std::uint16_t count;   // with the bit `in_list`
    std::uint16_t bottom;  // the slot below the last node, or none
    std::uint16_t parent;  // the slot above the first node, or none
    static constexpr std::uint16_t none = 0xffff, in_list = 0x8000;
};

/// Adds what up to three children leave to their parent.
struct contraction_sum {
    std::uint16_t target;
    std::uint16_t source[3];  // the first node of a run; with the bit `plain`: a sum made before; or none
    static constexpr std::uint16_t none = 0xffff, plain = 0x8000;
};

/// All runs of a step, then all its sums. Places in the window's cells.
struct contraction_step {
    std::uint16_t run, runs_end, sum, sums_end;
};

/// One of the three above, as it lies in memory: what a window needs is read as one piece.
struct alignas(8) contraction_cell {
    std::uint16_t word[4];
};

struct contraction_window {
    std::int32_t item, items;  // of the level
    std::int32_t cell, cells;  // of the level: steps first, then runs, sums, the list of slots
    std::int32_t link, links;  // of the level
    std::int32_t steps;
    std::int32_t list;  // cells before the list
};

/// From a slot that stays to the next level and back.
struct contraction_link {
    std::int32_t slot;
    std::int32_t place;  // the item of the next level that it becomes
    std::int32_t from;   // the item whose unknown comes back: itself, or of a sum its parent
};

struct contraction_level {
    std::vector<contraction_window> windows;
    std::vector<contraction_cell> cells;
    std::vector<contraction_link> links;
    std::vector<std::int32_t> node;  // of an item, -1 of a sum; empty: the item's own number
    index_t items = 0;
    int most_items = 0, most_slots = 0, most_cells = 0;  // of a window
};

struct contraction_schedule {
    /// O(n). Limits out of range are an error in the caller.
    contraction_schedule(const topology& tree, const contraction_limits& limits);
    std::vector<contraction_level> levels;  // the last leaves nothing; none where there are no nodes
};

}  // namespace wale::tree
