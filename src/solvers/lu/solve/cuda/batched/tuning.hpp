// tuning - how many warps and right-hand sides a block takes, by the size of the matrices.
#pragma once

#include "tuning/table.hpp"

namespace wale::lu {

struct substitute_policy {
    int largest;  // rows
    int warps;    // of a block, at most: one for each 32 rows is enough
    int columns;  // right-hand sides in shared memory at a time, at most
};
/// The first row with room.
inline constexpr tuning::row<substitute_policy> substitute_policies[] = {
    {0, 0, {32, 1, 32}, "untuned"},  {0, 0, {64, 2, 32}, "untuned"},  {0, 0, {128, 4, 32}, "untuned"},
    {0, 0, {256, 8, 32}, "untuned"}, {0, 0, {512, 8, 16}, "untuned"}, {0, 0, {1024, 8, 16}, "untuned"},
};

/// From how many matrices on `automatic` takes a batch of them.
struct substitute_batch_policy {
    int largest;
    int least_count;
};
inline constexpr tuning::row<substitute_batch_policy> substitute_batch_policies[] = {
    {0, 0, {32, 1}, "untuned"},
    {0, 0, {256, 2}, "untuned"},
    {0, 0, {1024, 16}, "untuned"},
};

}  // namespace wale::lu
