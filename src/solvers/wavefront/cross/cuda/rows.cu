// rows - the CUDA rows of each with each.
#include "solvers/wavefront/search_jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::wavefront {

extern const catalogue::row<cross_job> lcs_cross_cuda_binned, edit_cross_cuda_binned;

namespace {

const catalogue::plugin_rows<cross_job> lcs{lcs_cross_rows, {lcs_cross_cuda_binned}};
const catalogue::plugin_rows<cross_job> edit{edit_cross_rows, {edit_cross_cuda_binned}};

}  // namespace
}  // namespace wale::wavefront
