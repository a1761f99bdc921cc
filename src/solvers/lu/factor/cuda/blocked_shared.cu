// blocked_shared - the kernels of shared/blocked.cuh, tiles in shared memory.
#include "solvers/lu/factor/shared/blocked.cuh"
#include "solvers/lu/factor/shared/refusals.hpp"

namespace wale::lu {
namespace {

void run(factor_job& job) {
    ladder::factor_blocked<true>(job, "cuda/blocked_shared");
}

}  // namespace

extern constinit const catalogue::row<factor_job> factor_cuda_blocked_shared{
    "cuda/blocked_shared", "Rodinia's diagonal, perimeter and internal kernels, tiles in shared memory", run,
    refuses_pivoting};

}  // namespace wale::lu
