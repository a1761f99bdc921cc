// variants - the CUDA rows, best first.
#include "solvers/lu/cuda/variants.hpp"
#include "solvers/lu/inverse/cuda/rows.hpp"

namespace wale::lu {

void append_inverse_variants() {
    inverse_variants().rows.push_back(
        {"cuda/batched", backend::cuda,
         "many matrices: a block one, solved for the columns of P, strip by strip", refuses_inverse_batched,
         suits_inverse_batched, inverse_batched});
    inverse_variants().rows.push_back({"cuda/blocked", backend::cuda,
                                       "one matrix after the other: L^-1, then a solve with U, by products",
                                       catalogue::never_refuses, nullptr, inverse_blocked});
}

}  // namespace wale::lu
