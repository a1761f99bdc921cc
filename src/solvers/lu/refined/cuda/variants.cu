// variants - the CUDA rows, best first.
#include "solvers/lu/cuda/variants.hpp"
#include "solvers/lu/refined/cuda/rows.hpp"

namespace wale::lu {

void append_refined_variants() {
    refined_variants().rows.push_back(
        {"cuda/iterative", backend::cuda,
         "factors in a lower precision, GMRES in f64, f64 factors where it fails", catalogue::never_refuses,
         nullptr, refined_iterative});
}

}  // namespace wale::lu
