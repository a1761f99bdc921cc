// vectors - cells and faces in the lanes of vectors. Tetrahedra to first order have a schedule of their own,
// in which no flux is stored; everything else goes from block to block.
#include "solvers/euler/advance/cpu/vectors/blocks.hpp"

namespace wale::euler {
namespace {

std::string refusal(const advance_job& job) {
    return why_not_blocks(*job.system);
}

std::unique_ptr<flow_session> create(advance_job& job) {
    return why_not_lanes(*job.system).empty() ? create_tetrahedra(job) : create_blocks(job);
}

}  // namespace

extern constinit const flow_row advance_cpu_vectors{
    "cpu/vectors",
    "a cell or a face in each lane of a vector; stage and step in one pass over blocks of cells", create,
    refusal};

}  // namespace wale::euler
