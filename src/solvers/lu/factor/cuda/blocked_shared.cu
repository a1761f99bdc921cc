// blocked_shared - the kernels of shared/blocked.cuh, tiles in shared memory.
#include "solvers/lu/factor/shared/blocked.cuh"
#include "solvers/lu/factor/shared/refusals.hpp"

namespace wale::lu {
namespace {

void run(factor_job& job) {
    ladder::factor_blocked<true>(job, "cuda/blocked_shared");
}

}  // namespace

extern const catalogue::row<factor_job> factor_cuda_blocked_shared;
constinit const catalogue::row<factor_job> factor_cuda_blocked_shared{
    "cuda/blocked_shared",
    backend::cuda,
    "Rodinia's diagonal, perimeter and internal kernels, tiles in shared memory",
    refuses_pivoting,
    nullptr,
    run};

}  // namespace wale::lu
