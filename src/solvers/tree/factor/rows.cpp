// rows - the host rows of factoring chains, best first.
#include "solvers/tree/jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::tree {

extern const catalogue::row<chain_factor_job> factor_cpu_lanes, factor_cpu_thomas, factor_reference_plain;

chain_factor_table& chain_factor_rows() {
    static chain_factor_table table{
        "tree", "tridiagonal_factor", {factor_cpu_lanes, factor_cpu_thomas, factor_reference_plain}};
    return table;
}

[[maybe_unused]] static const bool enlisted = catalogue::enlist(chain_factor_rows);

}  // namespace wale::tree
