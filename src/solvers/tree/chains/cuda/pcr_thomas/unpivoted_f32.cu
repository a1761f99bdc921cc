// unpivoted_f32 - the kernels of cuda/pcr_thomas without exchanges, in single precision.
#include "solvers/tree/chains/cuda/pcr_thomas/launch.cuh"
#include "solvers/tree/chains/cuda/pcr_thomas/unpivoted.cuh"

namespace wale::tree::pcr_thomas {

void queue_unpivoted_f32(const cuda::context& here, const chain_job& job, const plan& p,
                         const device_status& to) {
    queue<unpivoted, float>(here, job, p, to);
}

}  // namespace wale::tree::pcr_thomas
