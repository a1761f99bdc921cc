// variants - the host variants of chains, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/tree/chains/cpu.hpp"

namespace wale::tree {

chain_table& chain_variants() {
    static chain_table table{
        "tree",
        "tridiagonal",
        {
            {"cpu/partition", backend::cpu,
             "few long systems, runs of their rows to threads and to the lanes of vectors",
             catalogue::never_refuses, suits_partition, solve_chains_partition},
            {"cpu/lanes", backend::cpu,
             "many systems, one in each lane of the vectors, groups in a core's cache", refuses_lanes,
             suits_lanes, solve_chains_lanes},
            {"cpu/thomas", backend::cpu, "a system after the other, systems to threads; takes every job",
             catalogue::never_refuses, nullptr, solve_chains_thomas},
            {"reference/plain", backend::reference, "eliminate downwards, substitute upwards: the truth",
             catalogue::never_refuses, nullptr, solve_chains_reference},
        }};
    return table;
}

}  // namespace wale::tree
