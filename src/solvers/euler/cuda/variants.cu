// variants - the CUDA rows of the flow solver, best first.
#include "solvers/euler/cuda/rows.hpp"
#include "solvers/euler/cuda/variants.hpp"

namespace wale::euler {

void append_cuda_variants() {
    auto& rows = advance_variants().rows;
    rows.push_back({"cuda/ranks", backend::cuda,
                    "several processes, a part of the mesh each, on the devices of their host; states of its "
                    "border travel while the rest is computed",
                    why_not_ranks, suits_ranks_on_cuda, advance_ranks_on_cuda});
    rows.push_back({"cuda/resident", backend::cuda,
                    "states and geometry stay on the chip for many iterations; parts hand each other tagged "
                    "packets, without a barrier of the grid",
                    why_not_resident, nullptr, advance_resident});
    rows.push_back({"cuda/tiled", backend::cuda,
                    "three stages in one pass over tiles with three layers of neighbours in shared memory",
                    why_not_tiled, nullptr, advance_tiled});
    rows.push_back({"cuda/graph", backend::cuda,
                    "as cuda/fused, the launches of many iterations recorded in a graph", why_not_fused,
                    nullptr, advance_graph});
    rows.push_back({"cuda/fused", backend::cuda,
                    "a thread a cell; a stage's fluxes and step in one pass, three buffers", why_not_fused,
                    nullptr, advance_fused});
    rows.push_back(
        {"cuda/one_pass", backend::cuda,
         "the published schedule: copy, steps, and three times fluxes of all variables, then a stage",
         why_not_one_pass, nullptr, advance_one_pass_on_cuda});
    rows.push_back({"cuda/five_passes", backend::cuda,
                    "as cuda/one_pass, but a pass for the flux of each of the five variables",
                    why_not_five_passes, nullptr, advance_five_passes_on_cuda});
}

}  // namespace wale::euler
