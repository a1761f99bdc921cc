// rows - the host rows of residuals. They are internal: the study, tests and hines_residual() ask for them.
#include "solvers/tree/jobs.hpp"

namespace wale::tree {

extern const catalogue::row<chain_residual_job> chain_residual_cpu_norms, chain_residual_reference_norms;
extern const catalogue::row<hines_residual_job> hines_residual_cpu_norms, hines_residual_reference_norms;

chain_residual_table& chain_residual_rows() {
    static chain_residual_table table{
        "tree", "tridiagonal_residual", {chain_residual_cpu_norms, chain_residual_reference_norms}};
    return table;
}

hines_residual_table& hines_residual_rows() {
    static hines_residual_table table{
        "tree", "hines_residual", {hines_residual_cpu_norms, hines_residual_reference_norms}};
    return table;
}

}  // namespace wale::tree
