// rows - the plugin's rows of each operation, best first.
#include "solvers/euler/advance/session.hpp"
#include "variants/plugin_rows.hpp"

namespace wale::euler {

extern const flow_row advance_cuda_ranks, advance_cuda_parts, advance_cuda_colours, advance_cuda_resident,
    advance_cuda_tiled, advance_cuda_second_order, advance_cuda_graph, advance_cuda_fused,
    advance_cuda_one_pass, advance_cuda_five_passes;

namespace {

const catalogue::plugin_rows<advance_job, std::unique_ptr<flow_session>> advance{
    advance_rows,
    {advance_cuda_ranks, advance_cuda_parts, advance_cuda_colours, advance_cuda_resident, advance_cuda_tiled,
     advance_cuda_second_order, advance_cuda_graph, advance_cuda_fused, advance_cuda_one_pass,
     advance_cuda_five_passes}};

}  // namespace
}  // namespace wale::euler
