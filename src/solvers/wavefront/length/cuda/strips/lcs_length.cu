// lcs_length - cuda/strips: strips hand over tagged words.
#include "solvers/wavefront/length/cuda/strips/one_strip.cuh"
#include "solvers/wavefront/length/shared/launch.cuh"

namespace wale::wavefront {
namespace {

void run(lcs_length_job& job) {
    if (job.a.size == 0 || job.b.size == 0 || !fits_one_strip(job)) return lcs_length_by_strips(job);
    const bool tall = job.a.size >= job.b.size;
    job.length = one_strip<lcs_column>(job, tall ? job.b : job.a, tall ? job.a : job.b);
}

}  // namespace

extern constinit const catalogue::row<lcs_length_job> lcs_length_cuda_strips{
    "cuda/strips", "rows in bits, a warp a strip, strips by ticket, tagged words between them", run,
    needs_31_bit_sizes<lcs_length_job>};

}  // namespace wale::wavefront
