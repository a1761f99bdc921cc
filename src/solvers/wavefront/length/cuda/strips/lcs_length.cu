// lcs_length - cuda/strips: strips hand over tagged words.
#include "solvers/wavefront/length/shared/launch.cuh"

namespace wale::wavefront {

extern const catalogue::row<lcs_length_job> lcs_length_cuda_strips;
constinit const catalogue::row<lcs_length_job> lcs_length_cuda_strips{
    "cuda/strips",
    backend::cuda,
    "rows in bits, a warp a strip, strips by ticket, tagged words between them",
    needs_31_bit_sizes<lcs_length_job>,
    nullptr,
    lcs_length_strips_with<tagged_hand_over>};

}  // namespace wale::wavefront
