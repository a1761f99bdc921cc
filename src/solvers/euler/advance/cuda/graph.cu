// graph - as cuda/fused, the launches of many iterations recorded in a graph (shared/fused/launched.cuh).
#include "solvers/euler/advance/shared/fused/fused.hpp"

namespace wale::euler {
namespace {

std::unique_ptr<flow_session> create(advance_job& job) {
    return create_fused(job, true);
}

}  // namespace

extern constinit const flow_row advance_cuda_graph{
    "cuda/graph", "as cuda/fused, the launches of many iterations recorded in a graph", create,
    why_not_fused};

}  // namespace wale::euler
