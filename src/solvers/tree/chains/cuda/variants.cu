// variants - the CUDA rows, best first.
#include "solvers/tree/chains/cuda/rows.hpp"
#include "solvers/tree/cuda/variants.hpp"

namespace wale::tree {

void append_chain_variants() {
    auto& rows = chain_variants().rows;
    rows.push_back({"cuda/spike", backend::cuda,
                    "few long systems in the shared memory of the whole device, once through memory",
                    refuses_spike, suits_spike, solve_spike});
    rows.push_back({"cuda/recursive_partition", backend::cuda,
                    "few long systems: runs of rows reduced to two equations, joined, and solved",
                    refuses_recursive_partition, suits_recursive_partition, solve_recursive_partition});
    rows.push_back({"cuda/thomas_one_pass", backend::cuda,
                    "interleaved: a lane a system, chunks of its rows in the registers of warps, one pass",
                    refuses_one_pass, suits_one_pass, solve_one_pass});
    rows.push_back({"cuda/pcr_thomas", backend::cuda,
                    "flat: some threads a system, its rows in their registers, cyclic reduction, one pass",
                    refuses_pcr_thomas, suits_pcr_thomas, solve_pcr_thomas});
    rows.push_back({"cuda/thomas", backend::cuda,
                    "a thread a system, down and up again: any layout, periodic, pivoted, many right sides",
                    catalogue::never_refuses, nullptr, solve_thomas});
}

}  // namespace wale::tree
