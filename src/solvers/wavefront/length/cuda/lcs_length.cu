// lcs_length - cuda/strips: strips hand over tagged words.
#include "solvers/wavefront/length/cuda/lcs_length.cuh"
#include "solvers/wavefront/length/cuda/variants.hpp"

namespace wale::wavefront {

void lcs_length_strips(lcs_length_job& job) {
    lcs_length_strips_with<tagged_hand_over>(job);
}

}  // namespace wale::wavefront
