// tuning - the blocks of threads and of elements of the ladder, on the host and on the device.
#pragma once

#include <wale/layout.hpp>

#include "tuning/override.hpp"

namespace wale::lu {

/// `block`: of cpu/blocked.
struct ladder_policy {
    index_t block;
    double elements_a_thread;  // of the matrix
};

inline constexpr ladder_policy chosen_ladder{64, 65536};  // untuned

}  // namespace wale::lu

namespace wale::lu::ladder {

struct policy {
    int block;         // rows and columns of a block of the blocked rows; 16 in Rodinia's lud
    int threads;       // of a block, in the row that takes one row and one column a step in place
    int copy_threads;  // and in the one that copies
};

inline constexpr tuning::row<policy> policies[] = {
    {0, 0, {16, 32, 128}, "untuned"},
};
static_assert(tuning::well_formed(policies));

}  // namespace wale::lu::ladder
