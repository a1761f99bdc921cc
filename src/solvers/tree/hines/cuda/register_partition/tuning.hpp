// tuning - teams of lanes that keep trees in registers: the first row that a tree fits is taken.
#pragma once

#include "tuning/table.hpp"

namespace wale::tree::register_partition {

struct policy {
    int lanes;  // of a team
    int rows;   // of a lane: nodes of chains that it keeps in registers
    int cells;  // equal trees that a team takes together, so that one waits while the other computes
    int teams;  // of a block, at most; as many as shared memory holds
    int pitch;  // words of an array of a tree in shared memory; a multiple of 4
    static constexpr int spare = 12;  // of them beyond the tree: alignment, and what idle lanes read
    [[nodiscard]] constexpr int idle() const { return pitch - 4; }
};
inline constexpr tuning::row<policy> policies[] = {
    {0, 0, {32, 4, 2, 14, 160}, "untuned"},
    {0, 0, {32, 10, 2, 8, 352}, "untuned"},
    {0, 0, {32, 22, 1, 8, 712}, "bench/results/h200/tree.csv:7"},
    {0, 0, {64, 11, 1, 8, 712}, "untuned"},
    {0, 0, {64, 16, 1, 5, 1088}, "untuned"},
    {0, 0, {128, 16, 1, 2, 2176}, "untuned"},
};

}  // namespace wale::tree::register_partition
