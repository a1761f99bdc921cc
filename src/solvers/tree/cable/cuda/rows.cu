// rows - the CUDA rows of cables, best first.
#include "solvers/tree/cable/job.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::tree {

extern const cable_row cable_cuda_resident, cable_cuda_cells;

const catalogue::plugin_rows<cable_job, std::unique_ptr<cable_session>> cuda_cable_rows{
    cable_rows, {cable_cuda_resident, cable_cuda_cells}};

}  // namespace wale::tree
