// variants - the CUDA rows, best first.
#include "solvers/tree/cuda/variants.hpp"
#include "solvers/tree/hines/cuda/rows.hpp"

namespace wale::tree {

void append_hines_variants() {
    auto& rows = hines_variants().rows;
    rows.push_back({"cuda/contraction", backend::cuda,
                    "a few big trees: rake and compress inside windows, a block each, two launches a level",
                    refuses_contraction_cuda, suits_contraction_cuda, solve_contraction_cuda});
    rows.push_back(
        {"cuda/register_partition", backend::cuda,
         "flat trees read once: a team of lanes keeps its trees' chains in registers, and what joins "
         "them is contracted in rounds",
         refuses_register_partition, nullptr, solve_register_partition});
    rows.push_back(
        {"cuda/levels", backend::cuda,
         "a block a tree, in each step the deepest nodes whose children are done; shares are gathered",
         refuses_levels, suits_levels, solve_levels});
    rows.push_back(
        {"cuda/register_sweep", backend::cuda,
         "a thread a tree, heaviest child first: the running parent's sums stay in registers, those "
         "of open branch points in shared memory",
         catalogue::never_refuses, nullptr, solve_register_sweep});
    rows.push_back({"cuda/one_thread_per_tree", backend::cuda,
                    "a thread a tree, every child finds its parent in memory: the two passes of cuHinesBatch",
                    catalogue::never_refuses, nullptr, solve_one_thread_per_tree});
}

}  // namespace wale::tree
