// rows - the CUDA row.
#include "solvers/lu/parts/problem.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::lu {

extern const catalogue::row<divided_job> divided_cuda_block_cyclic;

[[maybe_unused]] const catalogue::plugin_rows<divided_job> cuda_divided_rows{divided_rows,
                                                                             {divided_cuda_block_cyclic}};

}  // namespace wale::lu
