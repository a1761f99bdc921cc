// variants - the CUDA rows, best first.
#include "solvers/lu/cuda/variants.hpp"
#include "solvers/lu/inverse/cuda/rows.hpp"

namespace wale::lu {

void append_inverse_variants() {
    inverse_variants().rows.push_back({"cuda/blocked", backend::cuda,
                                       "one matrix after the other: L^-1, then a solve with U, by products",
                                       catalogue::never_refuses, nullptr, inverse_blocked});
}

}  // namespace wale::lu
