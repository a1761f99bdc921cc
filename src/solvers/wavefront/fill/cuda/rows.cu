// rows - the CUDA rows of the table operation, best first.
#include "solvers/wavefront/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::wavefront {

extern const catalogue::row<fill_job> fill_cuda_strips_bits, fill_cuda_strips, fill_cuda_hyperlane,
    fill_cuda_hyperlane_flags, fill_cuda_hyperlane_streams, fill_cuda_rect_shared, fill_cuda_rect_global;

namespace {

const catalogue::plugin_rows<fill_job> cuda_rows{
    fill_rows,
    {fill_cuda_strips_bits, fill_cuda_strips, fill_cuda_rect_shared, fill_cuda_hyperlane,
     fill_cuda_hyperlane_flags, fill_cuda_hyperlane_streams, fill_cuda_rect_global}};

}  // namespace
}  // namespace wale::wavefront
