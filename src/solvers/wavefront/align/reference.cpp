// reference - defines the result: the whole tables H and E in 64 bits, F a row at a time.

#include "cpu/poll.hpp"
#include "solvers/wavefront/align/shared/codes.hpp"
#include "solvers/wavefront/align/shared/kept_table.hpp"
#include "solvers/wavefront/align/shared/pairwise.hpp"

namespace wale::wavefront {
namespace {

struct whole_table {
    index_t columns;  // with the border's
    std::vector<std::int64_t> h_cells, e_cells;

    [[nodiscard]] std::size_t at(index_t i, index_t j) const {
        return static_cast<std::size_t>(i * columns + j);
    }
    [[nodiscard]] std::int64_t h(index_t i, index_t j) const { return h_cells[at(i, j)]; }
    [[nodiscard]] bool has_h(index_t i, index_t j, std::int64_t v) const { return h(i, j) == v; }
    [[nodiscard]] bool has_pair(index_t i, index_t j, std::int64_t v) const { return h(i - 1, j - 1) == v; }
    [[nodiscard]] bool has_e(index_t i, index_t j, std::int64_t v) const { return e_cells[at(i, j)] == v; }
    [[nodiscard]] alignment_end best() const {
        const index_t rows = std::ssize(h_cells) / columns;
        alignment_end best;
        for (index_t j = 0; j < columns; ++j)
            for (index_t i = 0; i < rows; ++i)
                if (h(i, j) > h(best.query, best.target)) best = {i, j};
        return best;
    }
};

whole_table filled(const alignment_problem& p) {
    whole_table t{p.columns() + 1, {}, {}};
    const std::size_t cells = t.at(p.rows() + 1, 0);
    t.h_cells.resize(cells, left_out);
    t.e_cells.resize(cells, left_out);
    std::vector<std::int64_t> f(static_cast<std::size_t>(t.columns), left_out);  // of the row below
    std::int64_t best = 0;                                                       // of the rows above
    for (index_t i = 0; i <= p.rows(); ++i) {
        cpu::poll();
        std::int64_t e = left_out, best_here = best;  // e: of the next cell
        for (index_t j = p.first_column(i); j <= p.last_column(i); ++j) {
            std::int64_t& below = f[static_cast<std::size_t>(j)];
            std::int64_t h = i == 0 ? p.top(j) : p.left(i);
            if (i > 0 && j > 0) h = std::max({t.h(i - 1, j - 1) + p.score_at(i, j), e, below});
            if (p.local()) h = std::max<std::int64_t>(h, 0);
            const bool dropped = h < left_out / 2 || (p.x_drop >= 0 && h < best - p.x_drop);
            t.e_cells[t.at(i, j)] = e;
            e = dropped ? left_out : std::max(h - p.open, e - p.extend);
            below = dropped ? left_out : std::max(h - p.open, below - p.extend);
            if (dropped) continue;
            t.h_cells[t.at(i, j)] = h;
            best_here = std::max(best_here, h);
        }
        best = best_here;
    }
    return t;
}

void solve(const alignment_problem& p, alignment_task task, alignment_result& out) {
    out.heuristic = p.heuristic();
    finish_alignment(p, filled(p), task, out);
}

void run(alignment_job& job) {
    const coded_alignment codes(job);
    solve(codes.problem(), job.options->task, *job.result);
}

template <class Job>
void run_all(Job& job) {
    for_each_pair(job, 1, [&](const alignment_problem& p) {
        alignment_result result;
        solve(p, alignment_task::score, result);
        return result.score;
    });
}

void run_pairs(align_pairs_job& job) {
    align_each_pair(job, run);
}

}  // namespace

extern constinit const catalogue::row<alignment_job> align_reference_plain{
    "reference/plain", "whole tables of 64-bit cells, walked back", run};

extern constinit const catalogue::row<alignment_batch_job> align_batch_reference_plain{
    "reference/plain", "pair by pair, whole tables of 64-bit cells", run_all<alignment_batch_job>};

extern constinit const catalogue::row<align_cross_job> align_cross_reference_plain{
    "reference/plain", "pair by pair, whole tables of 64-bit cells", run_all<align_cross_job>};

extern constinit const catalogue::row<align_pairs_job> align_pairs_reference_plain{
    "reference/plain", "pair by pair, whole tables of 64-bit cells, walked back", run_pairs};

}  // namespace wale::wavefront
