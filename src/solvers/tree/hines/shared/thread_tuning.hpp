// thread_tuning - how a thread takes a whole tree.
#pragma once

#include <iterator>

#include "solvers/tree/jobs.hpp"
#include "solvers/tree/topology.hpp"
#include "tuning/table.hpp"

namespace wale::tree::thread_sweeps {

struct policy {
    int threads;  // a block
    int ahead;    // rows whose numbers are fetched together
};
inline constexpr tuning::row<policy> policies[] = {
    {90, 0, {64, 4}, "bench/results/h200/tree.csv:3"},
    {0, 0, {128, 4}, "untuned"},
};
static_assert(tuning::well_formed(policies));

/// Whether short trees are so many that a thread for each is done before another row has begun.
[[nodiscard]] inline bool many_short_trees(const hines_job& job) {
    constexpr index_t most_nodes = 24, least_trees = 1024;
    const index_t trees = std::ssize(job.tree->roots);
    return job.tree->size() <= most_nodes * trees && trees * job.rhs.count >= least_trees;
}

}  // namespace wale::tree::thread_sweeps
