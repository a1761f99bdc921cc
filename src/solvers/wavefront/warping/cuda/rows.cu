// rows - the CUDA rows of warping.
#include "solvers/wavefront/warping_jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::wavefront {

extern const catalogue::row<warping_job> warping_cuda_binned;

namespace {

const catalogue::plugin_rows<warping_job> costs{warping_rows, {warping_cuda_binned}};

}  // namespace
}  // namespace wale::wavefront
