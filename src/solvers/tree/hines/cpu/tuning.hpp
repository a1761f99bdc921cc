// tuning - measured choices of the host rows. Rows behind the first that fits are candidates that only
// WALE_TUNING reaches.
#pragma once

#include "solvers/tree/hines/shared/contraction/schedule.hpp"
#include "tuning/override.hpp"

namespace wale::tree {

/// Vectors over threads: cpu/sweep, cpu/lanes.
struct hines_threads_policy {
    index_t nodes_a_thread;  // fewer are not worth a thread
};
inline constexpr tuning::row<hines_threads_policy> hines_threads_policies[] = {{0, 0, {20000}, "untuned"}};
static_assert(tuning::well_formed(hines_threads_policies));

[[nodiscard]] inline const hines_threads_policy& chosen_hines_threads() {
    return hines_threads_policies[tuning::choose("tree/hines/threads", hines_threads_policies, 0, 0)].policy;
}

/// cpu/lanes: vectors of a row, whose divisions overlap.
struct hines_lanes_policy {
    index_t vectors;  // 1, 2 or 4
};
inline constexpr tuning::row<hines_lanes_policy> hines_lanes_policies[] = {
    {0, 0, {2}, "untuned"}, {0, 0, {1}, "untuned"}, {0, 0, {4}, "untuned"}};
static_assert(tuning::well_formed(hines_lanes_policies));

[[nodiscard]] inline const hines_lanes_policy& chosen_hines_lanes(index_t element_size) {
    return hines_lanes_policies[tuning::choose("tree/hines/lanes", hines_lanes_policies, 0,
                                               static_cast<int>(element_size))]
        .policy;
}

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
inline constexpr tuning::row<contraction_cpu_policy> contraction_cpu_policies[] = {
    {0, 0, {{4096, 16, 16}, 50000, 8, 6, 4, 512, 64}, "untuned"},
    {0, 0, {{1024, 16, 16}, 50000, 8, 6, 4, 512, 64}, "untuned"},
    {0, 0, {{2048, 16, 16}, 50000, 8, 6, 4, 512, 64}, "untuned"},
    {0, 0, {{2048, 8, 8}, 50000, 8, 6, 4, 512, 64}, "untuned"},
    {0, 0, {{2048, 32, 16}, 50000, 8, 6, 4, 512, 64}, "untuned"},
    {0, 0, {{4096, 32, 16}, 50000, 8, 6, 4, 512, 64}, "untuned"},
};
static_assert(tuning::well_formed(contraction_cpu_policies));

}  // namespace wale::tree
