// diagonals - lanes are groups of rows, each a column behind the group above: no lane waits for a lane of its
// own step. Cells have 8 bits (local, while the best score is below 127), 16, or 32.
#include "cpu/instruction_set.hpp"
#include "solvers/wavefront/align/cpu/diagonals/tile.hpp"
#include "solvers/wavefront/align/shared/codes.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {
namespace {

std::string refusal(const alignment_options& o) {
    if (diagonal_kernels().wide.run == nullptr) return "needs vectors";
    // Rows below the last one must not gain, as the best cell of a tile is sought in all of its lanes.
    if (o.mode == alignment_mode::local && o.matrix.by_equality() && o.matrix.mismatch() > 0)
        return "needs a mismatch of at most 0 in local mode";
    return asks_heuristics(o);
}

template <class Job>
std::string refusal_of(const Job& job) {
    return refusal(*job.options);
}

/// Small local tables pay for the vectors' edges: cell by cell they take a third of the time. "untuned"
bool suits(const alignment_job& job) {
    constexpr index_t few_cells = 512;
    return job.options->mode != alignment_mode::local || job.query.size > few_cells ||
           job.query.size * job.target.size > few_cells;
}

void run(alignment_job& job) {
    const coded_alignment codes(job);
    job.run->device = cpu::instruction_set();
    job.run->policy = align_in_tiles(codes.problem(), diagonal_kernels(), job.options->task, *job.result);
}

template <class Job>
void run_all(Job& job) {
    const tile_kernels kernels = diagonal_kernels();
    for_each_pair(job, threads_asked(job.where), [&](const alignment_problem& p) {
        alignment_result result;
        (void)align_in_tiles(p, kernels, alignment_task::score, result);
        return result.score;
    });
}

}  // namespace

extern constinit const catalogue::row<alignment_job> align_cpu_diagonals{
    "cpu/diagonals", "a lane a column behind the lane above, in tiles of narrow cells", run, refusal_of,
    suits};

extern constinit const catalogue::row<alignment_batch_job> align_batch_cpu_diagonals{
    "cpu/diagonals", "pair by pair, a lane a column behind the lane above; a slice a thread",
    run_all<alignment_batch_job>, refusal_of};

extern constinit const catalogue::row<align_cross_job> align_cross_cpu_diagonals{
    "cpu/diagonals", "pair by pair, a lane a column behind the lane above; a slice a thread",
    run_all<align_cross_job>, refusal_of};

}  // namespace wale::wavefront
