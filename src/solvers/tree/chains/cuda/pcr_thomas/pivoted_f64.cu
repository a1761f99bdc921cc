// pivoted_f64 - the kernels of cuda/pcr_thomas with exchanges, in double precision.
#include "solvers/tree/chains/cuda/pcr_thomas/launch.cuh"
#include "solvers/tree/chains/cuda/pcr_thomas/pivoted.cuh"

namespace wale::tree::pcr_thomas {

void queue_pivoted_f64(const cuda::context& here, const chain_job& job, const plan& p,
                       const device_status& to) {
    queue<pivoted, double>(here, job, p, to);
}

}  // namespace wale::tree::pcr_thomas
