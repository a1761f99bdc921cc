// variants - the host variants of trees, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/tree/hines/cpu.hpp"

namespace wale::tree {

hines_table& hines_variants() {
    static hines_table table{
        "tree",
        "hines",
        {
            {"cpu/contraction", backend::cpu,
             "a big tree in windows over threads: rake and compress inside each, then what "
             "is left of all",
             refuses_contraction, suits_contraction, solve_hines_contraction},
            {"cpu/lanes", backend::cpu, "a cell a lane of the vectors, groups of cells over threads",
             catalogue::never_refuses, suits_hines_lanes, solve_hines_lanes},
            {"cpu/sweep", backend::cpu, "a thread a vector, leaves into parents and back, as the nodes stand",
             catalogue::never_refuses, nullptr, solve_hines_sweep},
            {"reference/plain", backend::reference,
             "leaves into their parents, then from the roots back: the truth", catalogue::never_refuses,
             nullptr, solve_hines_reference},
        }};
    return table;
}

}  // namespace wale::tree
