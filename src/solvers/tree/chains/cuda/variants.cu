// variants - the CUDA rows, best first.
#include "solvers/tree/chains/cuda/rows.hpp"
#include "solvers/tree/cuda/variants.hpp"

namespace wale::tree {

void append_chain_variants() {
    [[maybe_unused]] auto& rows = chain_variants().rows;
}

}  // namespace wale::tree
