// blocked_global - the kernels of shared/blocked.cuh, tiles read where they are.
#include "solvers/lu/factor/shared/blocked.cuh"
#include "solvers/lu/factor/shared/refusals.hpp"

namespace wale::lu {
namespace {

void run(factor_job& job) {
    ladder::factor_blocked<false>(job, "cuda/blocked_global");
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cuda_blocked_global{
    "cuda/blocked_global", "the same kernels without shared memory", run, refuses_pivoting};

}  // namespace wale::lu
