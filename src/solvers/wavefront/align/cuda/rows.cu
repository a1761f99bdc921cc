// rows - the CUDA row of batches of alignment scores.
#include "solvers/wavefront/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::wavefront {

extern const catalogue::row<alignment_batch_job> align_batch_cuda_binned;

namespace {

const catalogue::plugin_rows<alignment_batch_job> batch{align_batch_rows, {align_batch_cuda_binned}};

}  // namespace
}  // namespace wale::wavefront
