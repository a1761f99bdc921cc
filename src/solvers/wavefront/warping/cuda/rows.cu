// rows - the CUDA rows of warping.
#include "solvers/wavefront/warping_jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::wavefront {

extern const catalogue::row<warping_job> warping_cuda_binned;
extern const catalogue::row<warping_path_job> warping_path_cuda_strips;

namespace {

const catalogue::plugin_rows<warping_job> costs{warping_rows, {warping_cuda_binned}};
const catalogue::plugin_rows<warping_path_job> paths{warping_path_rows, {warping_path_cuda_strips}};

}  // namespace
}  // namespace wale::wavefront
