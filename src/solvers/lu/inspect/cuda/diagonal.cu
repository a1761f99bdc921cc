// diagonal - determinants on the device: a block a matrix.
#include "solvers/lu/cuda/finish.cuh"

namespace wale::lu {
namespace {

void determinants_on_device(determinant_job& job) {
    const cuda::context c(job.where);
    queue_determinants(c, job);
    c.synchronize();
}

}  // namespace

extern constinit const catalogue::row<determinant_job> determinant_cuda_diagonal{
    "cuda/diagonal", "a block a matrix", determinants_on_device, nullptr, nullptr, true};

}  // namespace wale::lu
