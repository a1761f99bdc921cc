// strips_counter - one monotone counter a strip, released and acquired, for comparison.
#include "solvers/wavefront/length/shared/launch.cuh"

namespace wale::wavefront {

extern constinit const catalogue::row<lcs_length_job> lcs_length_cuda_strips_counter{
    "cuda/strips_counter", "as cuda/strips, but one monotone counter a strip, released and acquired",
    lcs_length_strips_with<counted_hand_over>, needs_31_bit_sizes<lcs_length_job>};

}  // namespace wale::wavefront
