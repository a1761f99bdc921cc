// tuning - measured choices of the host rows.
#pragma once

#include "solvers/tree/hines/shared/contraction/schedule.hpp"

namespace wale::tree {

/// Vectors over threads: cpu/sweep, cpu/lanes.
struct hines_threads_policy {
    index_t nodes_a_thread;  // fewer are not worth a thread
};
inline constexpr hines_threads_policy chosen_hines_threads{20000};  // untuned

/// cpu/lanes: vectors of a row, whose divisions overlap.
inline constexpr index_t row_vectors = 2;  // untuned

/// cpu/contraction.
struct contraction_cpu_policy {
    contraction_limits limits;
    index_t nodes_a_thread;
    index_t fewer_vectors;  // than these, and
    index_t least_run;      // nodes between forks and leaves on average: `automatic` takes this row
    index_t few_vectors;    // or in so few vectors at most,
    index_t path_nodes;     // of so many nodes at least,
    index_t path_run;       // runs of these on average
};
inline constexpr contraction_cpu_policy chosen_contraction{
    {4096, 16, 16}, 50000, 8, 6, 4, 512, 64};  // untuned

}  // namespace wale::tree
