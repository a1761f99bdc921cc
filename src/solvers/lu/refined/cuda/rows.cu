// rows - the CUDA rows, best first.
#include "solvers/lu/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::lu {

extern const catalogue::row<refined_job> refined_cuda_iterative;

[[maybe_unused]] const catalogue::plugin_rows<refined_job> cuda_rows{refined_rows, {refined_cuda_iterative}};

}  // namespace wale::lu
