// binned - as many lanes for each pair as its length needs; few short pairs a word a lane, in one launch.
#include "solvers/wavefront/batch/shared/plan.cuh"

namespace wale::wavefront {
namespace {

template <bool Edit>
void run(batch_job& job) {
    batch::run(job, Edit, batch::lanes_by_length);
}

}  // namespace

extern constinit const catalogue::row<batch_job> lcs_batch_cuda_binned{
    "cuda/binned",
    "bit-sliced: short pairs share the words of a thread, long ones spread over a warp; few pairs take a "
    "lane a word of rows; where few pairs are much longer than the rest, these one by one as cuda/strips",
    run<false>};

extern constinit const catalogue::row<batch_job> edit_batch_cuda_binned{
    "cuda/binned",
    "bit-sliced: short pairs share the words of a thread, long ones spread over a warp; few pairs take a "
    "lane a word of rows; where few pairs are much longer than the rest, these one by one as cuda/strips",
    run<true>};

}  // namespace wale::wavefront
