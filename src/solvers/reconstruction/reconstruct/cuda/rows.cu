// rows - the CUDA rows, best first.
#include "solvers/reconstruction/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::reconstruction {

extern const catalogue::row<reconstruct_job> reconstruct_cuda_bits, reconstruct_cuda_basins,
    reconstruct_cuda_tiles, reconstruct_cuda_sweep, reconstruct_cuda_tiles_3d, reconstruct_cuda_elementary;

namespace {

const catalogue::plugin_rows<reconstruct_job> cuda_rows{
    reconstruct_rows,
    {reconstruct_cuda_bits, reconstruct_cuda_basins, reconstruct_cuda_tiles, reconstruct_cuda_sweep,
     reconstruct_cuda_tiles_3d, reconstruct_cuda_elementary}};

}  // namespace
}  // namespace wale::reconstruction
