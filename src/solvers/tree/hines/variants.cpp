// variants - the host variants of trees, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/tree/hines/cpu.hpp"

namespace wale::tree {

hines_table& hines_variants() {
    static hines_table table{"tree",
                             "hines",
                             {
                                 {"reference/plain", backend::reference,
                                  "leaves into their parents, then from the roots back: the truth",
                                  catalogue::never_refuses, nullptr, solve_hines_reference},
                             }};
    return table;
}

}  // namespace wale::tree
