// unpivoted_f64 - the kernels of one kind and type.
#include "solvers/lu/factor/cuda/resident/launch.cuh"
#include "solvers/lu/factor/cuda/resident/unpivoted.cuh"

namespace wale::lu::resident {

template <>
shape queue_unpivoted(const cuda::context& on, const workspace<double>& in, int most_blocks) {
    return launch<unpivoted>(on, in, most_blocks);
}

}  // namespace wale::lu::resident
