// fused - a thread a cell; a stage's fluxes and step in one pass (shared/fused).
#include "solvers/euler/advance/shared/fused/fused.hpp"

namespace wale::euler {
namespace {

std::unique_ptr<flow_session> create(advance_job& job) {
    return create_fused(job, false);
}

}  // namespace

extern constinit const flow_row advance_cuda_fused{
    "cuda/fused", "a thread a cell; a stage's fluxes and step in one pass, three buffers", create,
    why_not_fused};

}  // namespace wale::euler
