// warp_per_pair - the 1024 lanes of a warp for each pair.
#include "solvers/wavefront/batch/shared/plan.cuh"

namespace wale::wavefront {
namespace {

template <bool Edit>
void run(batch_job& job) {
    batch::run(job, Edit, 10);
}

}  // namespace

extern constinit const catalogue::row<batch_job> lcs_batch_cuda_warp_per_pair{
    "cuda/warp_per_pair", "bit-sliced, the 1024 lanes of a warp for each pair", run<false>};

extern constinit const catalogue::row<batch_job> edit_batch_cuda_warp_per_pair{
    "cuda/warp_per_pair", "bit-sliced, the 1024 lanes of a warp for each pair", run<true>};

}  // namespace wale::wavefront
