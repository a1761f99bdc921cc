// variants - the CUDA rows, best first.
#include "solvers/tree/cuda/variants.hpp"
#include "solvers/tree/hines/cuda/rows.hpp"

namespace wale::tree {

void append_hines_variants() {
    [[maybe_unused]] auto& rows = hines_variants().rows;
}

}  // namespace wale::tree
