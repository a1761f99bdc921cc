// rows - the CUDA rows of residuals.
#include "solvers/tree/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::tree {

extern const catalogue::row<chain_residual_job> chain_residual_cuda_norms;
extern const catalogue::row<hines_residual_job> hines_residual_cuda_norms;

const catalogue::plugin_rows<chain_residual_job> cuda_chain_residual_rows{chain_residual_rows,
                                                                          {chain_residual_cuda_norms}};
const catalogue::plugin_rows<hines_residual_job> cuda_hines_residual_rows{hines_residual_rows,
                                                                          {hines_residual_cuda_norms}};

}  // namespace wale::tree
