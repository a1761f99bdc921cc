// variants - the CUDA rows, best first.
#include "solvers/tree/cuda/variants.hpp"
#include "solvers/tree/factor/cuda/rows.hpp"

namespace wale::tree {

void append_chain_factor_variants() {
    auto& rows = chain_factor_variants().rows;
    rows.push_back({"cuda/thomas", backend::cuda, "a thread a system, then a thread a right side",
                    catalogue::never_refuses, nullptr, factor_thomas});
}

}  // namespace wale::tree
