// rows - the CUDA rows of solving chains, best first.
#include "solvers/tree/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::tree {

extern const catalogue::row<chain_job> chains_cuda_spike, chains_cuda_pcr, chains_cuda_recursive_partition,
    chains_cuda_thomas_one_pass, chains_cuda_pcr_thomas, chains_cuda_thomas;

const catalogue::plugin_rows<chain_job> cuda_chains_rows{
    chain_rows,
    {chains_cuda_spike, chains_cuda_pcr, chains_cuda_recursive_partition, chains_cuda_thomas_one_pass,
     chains_cuda_pcr_thomas, chains_cuda_thomas}};

}  // namespace wale::tree
