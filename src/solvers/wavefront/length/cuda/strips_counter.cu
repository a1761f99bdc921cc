// strips_counter - one monotone counter a strip, released and acquired, for comparison.
#include "solvers/wavefront/length/shared/launch.cuh"

namespace wale::wavefront {

extern const catalogue::row<lcs_length_job> lcs_length_cuda_strips_counter;
constinit const catalogue::row<lcs_length_job> lcs_length_cuda_strips_counter{
    "cuda/strips_counter",
    backend::cuda,
    "as cuda/strips, but one monotone counter a strip, released and acquired",
    needs_31_bit_sizes<lcs_length_job>,
    nullptr,
    lcs_length_strips_with<counted_hand_over>};

}  // namespace wale::wavefront
