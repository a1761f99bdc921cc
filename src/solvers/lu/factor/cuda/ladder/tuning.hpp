// tuning - the blocks of threads and of elements of the ladder.
#pragma once

#include "tuning/table.hpp"

namespace wale::lu::ladder {

struct policy {
    int block;         // rows and columns of a block of the blocked rows; 16 in Rodinia's lud
    int threads;       // of a block, in the row that takes one row and one column a step in place
    int copy_threads;  // and in the one that copies
};

inline constexpr tuning::row<policy> policies[] = {
    {90, 0, {16, 32, 128}, "untuned"},
    {90, 0, {32, 64, 64}, "untuned"},
    {0, 0, {16, 32, 128}, "untuned"},
};
static_assert(tuning::well_formed(policies));

}  // namespace wale::lu::ladder
