// variants - the host variants of chains, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/tree/chains/cpu.hpp"

namespace wale::tree {

chain_table& chain_variants() {
    static chain_table table{
        "tree",
        "tridiagonal",
        {
            {"reference/plain", backend::reference, "eliminate downwards, substitute upwards: the truth",
             catalogue::never_refuses, nullptr, solve_chains_reference},
        }};
    return table;
}

}  // namespace wale::tree
