// rows - the plugin's rows of each operation, best first.
#include "solvers/tree/cable/job.hpp"
#include "solvers/tree/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::tree {

extern const catalogue::row<chain_job> chains_cuda_spike, chains_cuda_pcr, chains_cuda_recursive_partition,
    chains_cuda_thomas_one_pass, chains_cuda_pcr_thomas, chains_cuda_thomas;
extern const catalogue::row<chain_factor_job> factor_cuda_thomas;
extern const catalogue::row<hines_job> hines_cuda_contraction, hines_cuda_register_partition,
    hines_cuda_levels, hines_cuda_register_sweep, hines_cuda_one_thread_per_tree;
extern const cable_row cable_cuda_resident, cable_cuda_cells;
extern const catalogue::row<chain_residual_job> chain_residual_cuda_norms;
extern const catalogue::row<hines_residual_job> hines_residual_cuda_norms;

namespace {

const catalogue::plugin_rows<chain_job> chain{
    chain_rows,
    {chains_cuda_spike, chains_cuda_pcr, chains_cuda_recursive_partition, chains_cuda_thomas_one_pass,
     chains_cuda_pcr_thomas, chains_cuda_thomas}};
const catalogue::plugin_rows<chain_factor_job> chain_factor{chain_factor_rows, {factor_cuda_thomas}};
const catalogue::plugin_rows<hines_job> hines{
    hines_rows,
    {hines_cuda_contraction, hines_cuda_register_partition, hines_cuda_levels, hines_cuda_register_sweep,
     hines_cuda_one_thread_per_tree}};
const catalogue::plugin_rows<cable_job, std::unique_ptr<cable_session>> cable{
    cable_rows, {cable_cuda_resident, cable_cuda_cells}};
const catalogue::plugin_rows<chain_residual_job> chain_residual{chain_residual_rows,
                                                                {chain_residual_cuda_norms}};
const catalogue::plugin_rows<hines_residual_job> hines_residual{hines_residual_rows,
                                                                {hines_residual_cuda_norms}};

}  // namespace
}  // namespace wale::tree
