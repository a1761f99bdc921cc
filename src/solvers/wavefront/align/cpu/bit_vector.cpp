// bit_vector - global alignments by unit costs: the edit distance first, then the columns of the band that a
// path of so many edits can touch, in words of 64 rows of two bits a cell, and a walk back through these
// bits.
#include "cpu/instruction_set.hpp"
#include "solvers/wavefront/align/shared/codes.hpp"
#include "solvers/wavefront/infix/shared/path.hpp"
#include "variants/run.hpp"

namespace wale::wavefront {
namespace {

std::string refusal(const alignment_job& job) {
    const alignment_options& o = *job.options;
    const bool unit = job.profile == nullptr && o.matrix.by_equality() && o.matrix.match() == 0 &&
                      o.matrix.mismatch() == -1 && o.open == 1 && o.extend >= 1;
    if (!unit || o.mode != alignment_mode::global)
        return "needs unit costs in global mode: match 0, mismatch -1, open 1, extend 1";
    return asks_heuristics(o);
}

/// Runs of equal operations.
std::vector<alignment_run> runs_of(const std::string& operations) {
    std::vector<alignment_run> out;
    for (const char operation : operations) {
        if (out.empty() || out.back().operation != operation) out.push_back({operation, 0});
        ++out.back().length;
    }
    return out;
}

void run(alignment_job& job) {
    edit_distance_job lengths{job.where, job.query, job.target};
    lengths.run = job.run;
    catalogue::select(edit_distance_rows(), backend::cpu, "automatic", lengths).run(lengths);
    job.run->policy.clear();
    job.run->device = cpu::instruction_set();
    alignment_result& out = *job.result;
    out.score = -lengths.distance;
    out.best_ends = {{job.query.size, job.target.size}};
    if (job.options->task < alignment_task::starts) return;
    out.query_begin = out.target_begin = 0;
    if (job.options->task == alignment_task::path)
        out.path = runs_of(paired_operations(job.query, job.target, lengths.distance));
}

}  // namespace

extern constinit const catalogue::row<alignment_job> align_cpu_bit_vector{
    "cpu/bit_vector", "unit costs: the distance, then a band of words that is walked back", run, refusal};

}  // namespace wale::wavefront
