// binned - each with each as a batch of pairs that are found by their number: the sequences are not repeated.
#include "solvers/wavefront/batch/shared/plan.cuh"

namespace wale::wavefront {
namespace {

template <bool Edit>
void run(cross_job& job) {
    batch::run(job, Edit);
}

}  // namespace

extern constinit const catalogue::row<cross_job> lcs_cross_cuda_binned{
    "cuda/binned",
    "the pairs as a batch: short ones share the words of a thread, long ones spread over a warp", run<false>};

extern constinit const catalogue::row<cross_job> edit_cross_cuda_binned{
    "cuda/binned",
    "the pairs as a batch: short ones share the words of a thread, long ones spread over a warp", run<true>};

}  // namespace wale::wavefront
