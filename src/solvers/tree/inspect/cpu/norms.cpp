// norms - cpu/norms: the reference's loops over rows, which take less time than the solution that they check.
#include "solvers/tree/inspect/residual.hpp"

namespace wale::tree {

extern const catalogue::row<chain_residual_job> chain_residual_cpu_norms;
constinit const catalogue::row<chain_residual_job> chain_residual_cpu_norms{
    "cpu/norms",         backend::cpu, "row by row in double precision", catalogue::never_refuses, nullptr,
    chain_residual_host, true};

extern const catalogue::row<hines_residual_job> hines_residual_cpu_norms;
constinit const catalogue::row<hines_residual_job> hines_residual_cpu_norms{
    "cpu/norms", backend::cpu,       "row by row in double precision", catalogue::never_refuses,
    nullptr,     hines_residual_host};

}  // namespace wale::tree
