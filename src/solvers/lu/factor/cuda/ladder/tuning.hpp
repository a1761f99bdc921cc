// tuning - the blocks of threads and of elements of the ladder.
#pragma once

#include "tuning/table.hpp"

namespace wale::lu::ladder {

struct policy {
    int block;    // rows and columns of a block of the blocked rows; 16 in Rodinia's lud
    int threads;  // of a block, in the rows that take one row and one column a step
};

inline constexpr tuning::row<policy> policies[] = {
    {90, 0, {16, 32}, "untuned"},
    {90, 0, {32, 128}, "untuned"},
    {0, 0, {16, 32}, "untuned"},
};
static_assert(tuning::well_formed(policies));

}  // namespace wale::lu::ladder
