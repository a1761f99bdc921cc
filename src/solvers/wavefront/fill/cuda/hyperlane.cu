// hyperlane - skewed tiles, persistent blocks, one counter a row of tiles. lanes.cuh has the four answers.
#include "solvers/wavefront/fill/shared/lanes.cuh"

namespace wale::wavefront {
namespace {

template <class R>
__global__ void hyperlane(const R r, const lanes_call<typename R::value_type> call) {
    take_lanes<signal::counter>(r, call);
}

void run(fill_job& job) {
    persistent(job, signal::counter, []<class R>(const R&) { return hyperlane<R>; });
}

}  // namespace

extern constinit const catalogue::row<fill_job> fill_cuda_hyperlane{
    "cuda/hyperlane", "skewed tiles in shared memory, persistent blocks, one counter a row of tiles", run,
    hyperlane_refusal};

}  // namespace wale::wavefront
