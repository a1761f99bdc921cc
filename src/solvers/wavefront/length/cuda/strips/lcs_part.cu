// lcs_part - the rows of a pair that one of several devices computes, for LCS.
#include "solvers/wavefront/length/shared/part_launch.cuh"

namespace wale::wavefront {
namespace {

template <class P>
using rows_of = lcs_rows<P::value.words, P::value.one_carry>;

void run(pair_part_job& job) {
    queue_part<lcs_policy, rows_of, 1>(job, "wavefront/length/lcs_strips", lcs_policies);
}

}  // namespace

extern constinit const catalogue::row<pair_part_job> lcs_part_cuda_strips{
    "cuda/strips", "as cuda/strips, words of the outermost strips from and to other devices", run};

}  // namespace wale::wavefront
