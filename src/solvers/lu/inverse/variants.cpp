// variants - the host variants, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/lu/inverse/cpu.hpp"

namespace wale::lu {

using catalogue::never_refuses;

inverse_table& inverse_variants() {
    static inverse_table table{
        "lu",
        "inverse",
        {
            {"cpu/small", backend::cpu, "in one core's cache: blocks in registers, matrices to threads",
             never_refuses, suits_small, invert_small},
            {"cpu/recursive", backend::cpu,
             "U^-1, then a solve with L, strips to threads, OpenBLAS for products", refuses_long_lines,
             nullptr, inverse_recursive},
            {"reference/plain", backend::reference, "solves with every unit vector: the truth", never_refuses,
             nullptr, inverse_reference},
        }};
    return table;
}

}  // namespace wale::lu
