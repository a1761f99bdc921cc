// rows - the CUDA rows of factoring chains, best first.
#include "solvers/tree/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::tree {

extern const catalogue::row<chain_factor_job> factor_cuda_thomas;

const catalogue::plugin_rows<chain_factor_job> cuda_factor_rows{chain_factor_rows, {factor_cuda_thomas}};

}  // namespace wale::tree
