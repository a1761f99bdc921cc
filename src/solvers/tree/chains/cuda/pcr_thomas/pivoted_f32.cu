// pivoted_f32 - the kernels of cuda/pcr_thomas with exchanges, in single precision.
#include "solvers/tree/chains/cuda/pcr_thomas/launch.cuh"
#include "solvers/tree/chains/cuda/pcr_thomas/pivoted.cuh"

namespace wale::tree::pcr_thomas {

void queue_pivoted_f32(const cuda::context& here, const chain_job& job, const plan& p,
                       const device_status& to) {
    queue<pivoted, float>(here, job, p, to);
}

}  // namespace wale::tree::pcr_thomas
