// rows - the host rows of solving chains, best first.
#include "solvers/tree/jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::tree {

extern const catalogue::row<chain_job> chains_cpu_partition, chains_cpu_lanes, chains_cpu_thomas,
    chains_reference_plain;

chain_table& chain_rows() {
    static chain_table table{
        "tree",
        "tridiagonal",
        {chains_cpu_partition, chains_cpu_lanes, chains_cpu_thomas, chains_reference_plain}};
    return table;
}

[[maybe_unused]] static const bool enlisted = catalogue::enlist(chain_rows);

}  // namespace wale::tree
