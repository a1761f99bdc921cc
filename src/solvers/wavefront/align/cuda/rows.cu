// rows - the CUDA rows of alignments, of one pair and of batches.
#include "solvers/wavefront/jobs.hpp"
#include "solvers/wavefront/search_jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::wavefront {

extern const catalogue::row<alignment_job> align_cuda_strips;
extern const catalogue::row<alignment_batch_job> align_batch_cuda_binned;
extern const catalogue::row<align_pairs_job> align_pairs_cuda_binned;
extern const catalogue::row<align_cross_job> align_cross_cuda_binned;

namespace {

const catalogue::plugin_rows<alignment_job> pair{align_rows, {align_cuda_strips}};
const catalogue::plugin_rows<alignment_batch_job> batch{align_batch_rows, {align_batch_cuda_binned}};
const catalogue::plugin_rows<align_pairs_job> pairs{align_pairs_rows, {align_pairs_cuda_binned}};
const catalogue::plugin_rows<align_cross_job> cross{align_cross_rows, {align_cross_cuda_binned}};

}  // namespace
}  // namespace wale::wavefront
