// lookahead - which of its two forms the row cuda/lookahead takes.
#include "solvers/lu/factor/cuda/lookahead/lookahead.hpp"

#include <cuda_runtime.h>

#include <algorithm>

#include "solvers/lu/factor/cuda/tile_dag/tuning.hpp"
#include "solvers/lu/factor/shared/refusals.hpp"

namespace wale::lu {

std::string refuses_lookahead(const factor_job& job) {
    if (std::string no = refuses_tournament(job); !no.empty()) return no;
    if (job.pivoting == pivoting::none) return "";
    if (job.is_complex()) return "factors complex numbers without pivots only";
    const index_t most = most_pivoted_rows(job.a.type());
    if (job.a.largest_rows() > most)
        return "holds panels of at most " + std::to_string(most) + " rows in registers";
    int cluster = 0;
    const auto& on = std::get<on_cuda>(job.where);
    if (cudaDeviceGetAttribute(&cluster, cudaDevAttrClusterLaunch, on.device) != cudaSuccess || cluster == 0)
        return "needs clusters of thread blocks";
    return "";
}

namespace {

void run(factor_job& job) {
    job.pivoting == pivoting::none ? factor_unpivoted(job) : factor_pivoted(job);
}

/// Complex matrices that cuda/tile_dag leaves; batches of them by cuda/panels, all at once.
bool suits(const factor_job& job) {
    return !job.is_complex() ||
           (job.a.count() == 1 &&
            std::min(job.a.largest_rows(), job.a.largest_columns()) > tile_dag::suits_up_to);
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cuda_lookahead{
    "cuda/lookahead",
    "large matrices: a panel in the registers of a cluster, one exchange a column, behind cuBLAS's product "
    "of the panel before; iterations are panels; row-major by a copy",
    run,
    refuses_lookahead,
    suits,
    true};

}  // namespace wale::lu
