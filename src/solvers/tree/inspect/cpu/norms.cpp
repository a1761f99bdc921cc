// norms - cpu/norms: the reference's loops over rows, which take less time than the solution that they check.
#include "solvers/tree/inspect/residual.hpp"

namespace wale::tree {

extern constinit const catalogue::row<chain_residual_job> chain_residual_cpu_norms{
    "cpu/norms", "row by row in double precision", chain_residual_host, nullptr, nullptr, true};

extern constinit const catalogue::row<hines_residual_job> hines_residual_cpu_norms{
    "cpu/norms", "row by row in double precision", hines_residual_host};

}  // namespace wale::tree
