// lcs_length_counter - cuda/strips_counter: one monotone counter a strip, released and acquired, for
// comparison.
#include "solvers/wavefront/length/cuda/lcs_length.cuh"
#include "solvers/wavefront/length/cuda/variants.hpp"

namespace wale::wavefront {

void lcs_length_strips_counter(lcs_length_job& job) {
    lcs_length_strips_with<counted_hand_over>(job);
}

}  // namespace wale::wavefront
