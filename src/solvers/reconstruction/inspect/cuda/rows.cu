// rows - the CUDA row.
#include "solvers/reconstruction/jobs.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::reconstruction {

extern const catalogue::row<inspect_job> inspect_cuda_lines;

namespace {

const catalogue::plugin_rows<inspect_job> cuda_rows{inspect_rows, {inspect_cuda_lines}};

}  // namespace
}  // namespace wale::reconstruction
