// thread_per_pair - the 32 lanes of a thread for each pair.
#include "solvers/wavefront/batch/shared/plan.cuh"

namespace wale::wavefront {
namespace {

template <bool Edit>
void run(batch_job& job) {
    batch::run(job, Edit, 5);
}

}  // namespace

extern constinit const catalogue::row<batch_job> lcs_batch_cuda_thread_per_pair{
    "cuda/thread_per_pair", "bit-sliced, 32 lanes of a thread for each pair, more where its rows need them",
    run<false>};

extern constinit const catalogue::row<batch_job> edit_batch_cuda_thread_per_pair{
    "cuda/thread_per_pair", "bit-sliced, 32 lanes of a thread for each pair, more where its rows need them",
    run<true>};

}  // namespace wale::wavefront
