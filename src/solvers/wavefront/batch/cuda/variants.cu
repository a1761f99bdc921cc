// variants - the CUDA rows, best first.
#include "solvers/wavefront/batch/cuda/run.cuh"
#include "solvers/wavefront/cuda/variants.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {
namespace {

template <bool Edit, int Log2Lanes>
void sliced(batch_job& job) {
    batch::run(job, Edit, Log2Lanes);
}

template <bool Edit>
void append(batch_table& table) {
    using catalogue::never_refuses;
    table.rows.push_back({"cuda/binned", backend::cuda,
                          "bit-sliced: short pairs share the words of a thread, long ones spread over a warp",
                          never_refuses<batch_job>, nullptr, sliced<Edit, batch::lanes_by_length>});
    table.rows.push_back({"cuda/thread_per_pair", backend::cuda,
                          "bit-sliced, 32 lanes of a thread for each pair, more where its rows need them",
                          never_refuses<batch_job>, nullptr, sliced<Edit, 5>});
    table.rows.push_back({"cuda/warp_per_pair", backend::cuda,
                          "bit-sliced, the 1024 lanes of a warp for each pair", never_refuses<batch_job>,
                          nullptr, sliced<Edit, 10>});
}

}  // namespace

void append_batch_variants() {
    append<false>(lcs_batch_variants());
    append<true>(edit_batch_variants());
}

}  // namespace wale::wavefront
