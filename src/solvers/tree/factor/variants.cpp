// variants - the host variants of factoring chains, best first. The CUDA plugin appends its own.
#include "solvers/tree/factor/cpu.hpp"

namespace wale::tree {

chain_factor_table& chain_factor_variants() {
    static chain_factor_table table{
        "tree",
        "tridiagonal_factor",
        {
            {"cpu/lanes", backend::cpu, "systems kept in the lanes of vectors, a right side of each at once",
             refuses_lane_factors, suits_lane_factors, factor_chains_lanes},
            {"cpu/thomas", backend::cpu, "a system after the other, its right sides in the lanes of vectors",
             catalogue::never_refuses, nullptr, factor_chains_thomas},
            {"reference/plain", backend::reference, "one system after the other: the truth",
             catalogue::never_refuses, nullptr, factor_chains_reference},
        }};
    return table;
}

}  // namespace wale::tree
