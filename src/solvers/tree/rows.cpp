// rows - the host's rows of each operation, best first. The plugin appends those of cuda/rows.cu.
// Tables are not destroyed: static destructors, and threads that outlive main(), may call.
#include "solvers/tree/cable/job.hpp"
#include "solvers/tree/jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::tree {

extern const catalogue::row<chain_job> chains_cpu_partition, chains_cpu_lanes, chains_cpu_thomas,
    chains_reference_plain;

chain_table& chain_rows() {
    static chain_table& table =
        *new chain_table{"tree",
                         "tridiagonal",
                         {chains_cpu_partition, chains_cpu_lanes, chains_cpu_thomas, chains_reference_plain}};
    return table;
}

extern const catalogue::row<chain_factor_job> factor_cpu_lanes, factor_cpu_thomas, factor_reference_plain;

chain_factor_table& chain_factor_rows() {
    static chain_factor_table& table = *new chain_factor_table{
        "tree", "tridiagonal_factor", {factor_cpu_lanes, factor_cpu_thomas, factor_reference_plain}};
    return table;
}

extern const catalogue::row<chain_lu_job> lapack_cpu_thomas, lapack_reference_plain;

chain_lu_table& chain_lu_rows() {
    static chain_lu_table& table =
        *new chain_lu_table{"tree", "tridiagonal_lu", {lapack_cpu_thomas, lapack_reference_plain}};
    return table;
}

extern const catalogue::row<hines_job> hines_cpu_contraction, hines_cpu_lanes, hines_cpu_sweep,
    hines_reference_plain;

hines_table& hines_rows() {
    static hines_table& table = *new hines_table{
        "tree", "hines", {hines_cpu_contraction, hines_cpu_lanes, hines_cpu_sweep, hines_reference_plain}};
    return table;
}

extern const cable_row cable_cpu_lanes, cable_cpu_compartments, cable_reference_plain;

cable_table& cable_rows() {
    static cable_table& table =
        *new cable_table{"tree", "cable", {cable_cpu_lanes, cable_cpu_compartments, cable_reference_plain}};
    return table;
}

// Internal tables: the study, the tests and hines_residual() ask for their rows.
extern const catalogue::row<chain_residual_job> chain_residual_cpu_norms, chain_residual_reference_norms;
extern const catalogue::row<hines_residual_job> hines_residual_cpu_norms, hines_residual_reference_norms;

chain_residual_table& chain_residual_rows() {
    static chain_residual_table& table = *new chain_residual_table{
        "tree", "tridiagonal_residual", {chain_residual_cpu_norms, chain_residual_reference_norms}};
    return table;
}

hines_residual_table& hines_residual_rows() {
    static hines_residual_table& table = *new hines_residual_table{
        "tree", "hines_residual", {hines_residual_cpu_norms, hines_residual_reference_norms}};
    return table;
}

[[maybe_unused]] static const bool enlisted =
    catalogue::enlist(chain_rows, chain_factor_rows, chain_lu_rows, hines_rows, cable_rows);

}  // namespace wale::tree
