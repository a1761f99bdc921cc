// rows - the CUDA rows of solving trees, best first.
#include "solvers/tree/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::tree {

extern const catalogue::row<hines_job> hines_cuda_contraction, hines_cuda_register_partition,
    hines_cuda_levels, hines_cuda_register_sweep, hines_cuda_one_thread_per_tree;

const catalogue::plugin_rows<hines_job> cuda_hines_rows{
    hines_rows,
    {hines_cuda_contraction, hines_cuda_register_partition, hines_cuda_levels, hines_cuda_register_sweep,
     hines_cuda_one_thread_per_tree}};

}  // namespace wale::tree
