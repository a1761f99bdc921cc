// variants - the CUDA rows, best first.
#include "solvers/tree/chains/cuda/rows.hpp"
#include "solvers/tree/cuda/variants.hpp"

namespace wale::tree {

void append_chain_variants() {
    auto& rows = chain_variants().rows;
    rows.push_back({"cuda/thomas", backend::cuda,
                    "a thread a system, down and up again: any layout, periodic, pivoted, many right sides",
                    catalogue::never_refuses, nullptr, solve_thomas});
}

}  // namespace wale::tree
