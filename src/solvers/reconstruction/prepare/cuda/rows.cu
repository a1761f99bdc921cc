// rows - the CUDA row.
#include "solvers/reconstruction/prepare/problem.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::reconstruction {

extern const catalogue::row<prepare_job> prepare_cuda_lines;

namespace {

const catalogue::plugin_rows<prepare_job> cuda_rows{prepare_rows, {prepare_cuda_lines}};

}  // namespace
}  // namespace wale::reconstruction
