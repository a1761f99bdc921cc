// lookahead - which of its two forms the row cuda/lookahead takes.
#include <cuda_runtime.h>

#include "solvers/lu/factor/cuda/lookahead/pivoted.hpp"
#include "solvers/lu/factor/cuda/lookahead/unpivoted.hpp"
#include "solvers/lu/factor/cuda/rows.hpp"

namespace wale::lu {

std::string refuses_lookahead(const factor_job& job) {
    if (job.pivoting == pivoting::tournament) return "pivots by columns, not by tournament";
    if (job.pivoting == pivoting::none) return "";
    const index_t most = most_pivoted_rows(job.a.type());
    if (job.a.largest_rows() > most)
        return "holds panels of at most " + std::to_string(most) + " rows in registers";
    int cluster = 0;
    const auto& on = std::get<on_cuda>(job.where);
    if (cudaDeviceGetAttribute(&cluster, cudaDevAttrClusterLaunch, on.device) != cudaSuccess || cluster == 0)
        return "needs clusters of thread blocks";
    return "";
}

void factor_lookahead(factor_job& job) {
    job.pivoting == pivoting::none ? factor_unpivoted(job) : factor_pivoted(job);
}

}  // namespace wale::lu
