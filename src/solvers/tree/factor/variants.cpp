// variants - the host variants of factoring chains, best first. The CUDA plugin appends its own.
#include "solvers/tree/factor/cpu.hpp"

namespace wale::tree {

chain_factor_table& chain_factor_variants() {
    static chain_factor_table table{
        "tree",
        "tridiagonal_factor",
        {
            {"reference/plain", backend::reference, "one system after the other: the truth",
             catalogue::never_refuses, nullptr, factor_chains_reference},
        }};
    return table;
}

}  // namespace wale::tree
