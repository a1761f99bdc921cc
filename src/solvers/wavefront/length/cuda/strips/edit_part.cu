// edit_part - the rows of a pair that one of several devices computes, for edit distance.
#include "solvers/wavefront/length/shared/part_launch.cuh"

namespace wale::wavefront {
namespace {

template <class P>
using rows_of = edit_rows<P::value.words>;

void run(pair_part_job& job) {
    queue_part<edit_policy, rows_of, 2>(job, "wavefront/length/edit_strips", edit_policies);
}

}  // namespace

extern constinit const catalogue::row<pair_part_job> edit_part_cuda_strips{
    "cuda/strips", "as cuda/strips, words of the outermost strips from and to other devices", run};

}  // namespace wale::wavefront
