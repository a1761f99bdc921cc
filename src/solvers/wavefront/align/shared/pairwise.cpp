// pairwise - a slice of the pairs a thread; paths are put one after the other when all are known.
#include "solvers/wavefront/align/shared/pairwise.hpp"

#include <algorithm>
#include <string_view>
#include <wale/pair_alignments.hpp>

#include "base/checked.hpp"
#include "solvers/wavefront/align/shared/codes.hpp"
#include "solvers/wavefront/length/shared/codes.hpp"

namespace wale::wavefront {
namespace {

constexpr std::string_view operations = "MIDNSHP=X";  // BAM's, by their numbers

void store(const alignment_result& r, index_t pair, alignment_task task, pair_alignments& out) {
    const auto k = static_cast<std::size_t>(pair);
    out.score[k] = r.score;
    if (task < alignment_task::ends) return;
    out.query_end[k] = r.best_ends.front().query;
    out.target_end[k] = r.best_ends.front().target;
    if (task < alignment_task::starts) return;
    out.query_begin[k] = r.query_begin;
    out.target_begin[k] = r.target_begin;
    if (task == alignment_task::path) out.first_run[k + 1] = std::ssize(r.path);
}

}  // namespace

std::uint32_t coded_run(const alignment_run& run) {
    return static_cast<std::uint32_t>(run.length) << 4 |
           static_cast<std::uint32_t>(operations.find(run.operation));
}

alignment_run decoded_run(std::uint32_t run) {
    return {operations[run & 15u], run >> 4};
}

void align_each_pair(align_pairs_job& job, void (*solve)(alignment_job&)) {
    const alignment_task task = job.options->task;
    pair_alignments& out = *job.result;
    std::vector<std::vector<std::uint32_t>> runs(
        static_cast<std::size_t>(base::ceil_div(job.count, slice_of_pairs)));
    const int threads = threads_asked(job.where);
    run_slices(job.count, threads, *job.run, [&](index_t first, index_t last) {
        std::vector<std::uint32_t>& of_slice = runs[static_cast<std::size_t>(first / slice_of_pairs)];
        for (index_t k = first; k < last; ++k) {
            alignment_result result;
            alignment_job pair{
                job.where,  sequence(job.query, k), sequence(job.target, k), job.options, &result,
                &result.run};
            solve(pair);
            store(result, k, task, out);
            for (const alignment_run& run : result.path) of_slice.push_back(coded_run(run));
        }
    });
    if (task != alignment_task::path) return;
    for (std::size_t k = 1; k < out.first_run.size(); ++k) out.first_run[k] += out.first_run[k - 1];
    out.runs.reserve(static_cast<std::size_t>(out.first_run.back()));
    for (const auto& of_slice : runs) out.runs.insert(out.runs.end(), of_slice.begin(), of_slice.end());
}

}  // namespace wale::wavefront
