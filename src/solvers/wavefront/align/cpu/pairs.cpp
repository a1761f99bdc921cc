// pairs - each pair by the row of align that suits it: similar pairs take time in proportion to their cost,
// whatever the others are.
#include "solvers/wavefront/align/shared/pairwise.hpp"
#include "variants/run.hpp"

namespace wale::wavefront {
namespace {

void solve(alignment_job& job) {
    catalogue::select(align_rows(), backend::cpu, "automatic", job).run(job);
}

void run(align_pairs_job& job) {
    align_each_pair(job, solve);
}

}  // namespace

extern constinit const catalogue::row<align_pairs_job> align_pairs_cpu_pairs{
    "cpu/pairs", "each pair by the row of align that suits it; a slice of the pairs a thread", run};

}  // namespace wale::wavefront
