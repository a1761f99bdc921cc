// hyperlane_flags - as hyperlane, with a flag for each tile. lanes.cuh has the four answers.
#include "solvers/wavefront/fill/shared/lanes.cuh"

namespace wale::wavefront {
namespace {

template <class R>
__global__ void hyperlane_flags(const R r, const lanes_call<typename R::value_type> call) {
    take_lanes<signal::flags>(r, call);
}

void run(fill_job& job) {
    persistent(job, signal::flags, []<class R>(const R&) { return hyperlane_flags<R>; });
}

}  // namespace

extern constinit const catalogue::row<fill_job> fill_cuda_hyperlane_flags{
    "cuda/hyperlane_flags", "the same with a flag for each tile", run, hyperlane_refusal};

}  // namespace wale::wavefront
