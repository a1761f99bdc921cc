// rows - the CUDA row.
#include "solvers/reconstruction/parts/problem.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::reconstruction {

extern const catalogue::row<part_job> part_cuda_tiles;

namespace {

const catalogue::plugin_rows<part_job> cuda_rows{part_rows, {part_cuda_tiles}};

}  // namespace
}  // namespace wale::reconstruction
