// rows - the CUDA rows of batches, best first.
#include "solvers/wavefront/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::wavefront {

extern const catalogue::row<batch_job> lcs_batch_cuda_binned, lcs_batch_cuda_thread_per_pair,
    lcs_batch_cuda_warp_per_pair;
extern const catalogue::row<batch_job> edit_batch_cuda_binned, edit_batch_cuda_thread_per_pair,
    edit_batch_cuda_warp_per_pair;

namespace {

const catalogue::plugin_rows<batch_job> lcs{
    lcs_batch_rows, {lcs_batch_cuda_binned, lcs_batch_cuda_thread_per_pair, lcs_batch_cuda_warp_per_pair}};
const catalogue::plugin_rows<batch_job> edit{
    edit_batch_rows,
    {edit_batch_cuda_binned, edit_batch_cuda_thread_per_pair, edit_batch_cuda_warp_per_pair}};

}  // namespace
}  // namespace wale::wavefront
