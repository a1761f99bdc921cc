// variants - the host variants, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/lu/solve/cpu.hpp"

namespace wale::lu {

using catalogue::never_refuses;

solve_table& solve_variants() {
    static solve_table table{
        "lu",
        "solve",
        {
            {"cpu/small", backend::cpu, "in one core's cache: blocks in registers, systems to threads",
             never_refuses, suits_small, solve_small},
            {"cpu/recursive", backend::cpu,
             "strips of right-hand sides, triangles by halves, OpenBLAS for products", refuses_long_lines,
             nullptr, solve_recursive},
            {"reference/plain", backend::reference,
             "forward and back substitution, a right-hand side at a time: the truth", never_refuses, nullptr,
             solve_reference},
        }};
    return table;
}

}  // namespace wale::lu
