// variants - the CUDA rows, best first.
#include "solvers/tree/cuda/variants.hpp"
#include "solvers/tree/factor/cuda/rows.hpp"

namespace wale::tree {

void append_chain_factor_variants() {
    [[maybe_unused]] auto& rows = chain_factor_variants().rows;
}

}  // namespace wale::tree
