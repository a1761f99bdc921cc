// tuning - measured choices of cuda/contraction.
#pragma once

#include "solvers/tree/hines/shared/contraction/schedule.hpp"
#include "tuning/override.hpp"

namespace wale::tree {

struct contraction_policy {
    contraction_limits limits;
    int threads;          // of a block, which works on one window
    int blocks;           // of a multiprocessor, for which registers are left
    index_t fewer_trees;  // than these in all vectors together: `automatic` takes this row
};

inline constexpr tuning::row<contraction_policy> contraction_policies[] = {
    {90, 0, {{1024, 8, 4}, 128, 6, 4096}, "untuned"},
    {0, 0, {{1024, 8, 4}, 128, 3, 4096}, "untuned"},
};
static_assert(tuning::well_formed(contraction_policies));

}  // namespace wale::tree
