// variants - the host variants, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/lu/refined/cpu.hpp"

namespace wale::lu {

refined_table& refined_variants() {
    static refined_table table{
        "lu",
        "refined",
        {
            {"cpu/iterative", backend::cpu, "f32 factors, refinement in f64, f64 factors where that fails",
             refuses_tensor_precision, nullptr, refined_iterative},
            {"reference/plain", backend::reference, "f64 factors and refinement: the truth",
             refuses_lower_precision, nullptr, refined_reference},
        }};
    return table;
}

}  // namespace wale::lu
