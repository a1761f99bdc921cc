// rows - the plugin's rows of each operation, best first.
#include "solvers/reconstruction/jobs.hpp"
#include "solvers/reconstruction/parts/problem.hpp"
#include "solvers/reconstruction/prepare/problem.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::reconstruction {

extern const catalogue::row<reconstruct_job> reconstruct_cuda_bits, reconstruct_cuda_basins,
    reconstruct_cuda_tiles, reconstruct_cuda_sweep, reconstruct_cuda_tiles_3d, reconstruct_cuda_elementary;
extern const catalogue::row<inspect_job> inspect_cuda_lines;
extern const catalogue::row<prepare_job> prepare_cuda_lines;
extern const catalogue::row<part_job> part_cuda_tiles;

namespace {

const catalogue::plugin_rows<reconstruct_job> reconstruct{
    reconstruct_rows,
    {reconstruct_cuda_bits, reconstruct_cuda_basins, reconstruct_cuda_tiles, reconstruct_cuda_sweep,
     reconstruct_cuda_tiles_3d, reconstruct_cuda_elementary}};
const catalogue::plugin_rows<inspect_job> inspect{inspect_rows, {inspect_cuda_lines}};
const catalogue::plugin_rows<prepare_job> prepare{prepare_rows, {prepare_cuda_lines}};
const catalogue::plugin_rows<part_job> part{part_rows, {part_cuda_tiles}};

}  // namespace
}  // namespace wale::reconstruction
