// wavefronts - cost after cost, how far each diagonal gets: for similar pairs, whose cost is far below their
// lengths.
#include <cmath>

#include "cpu/instruction_set.hpp"
#include "solvers/wavefront/align/cpu/tuning.hpp"
#include "solvers/wavefront/align/cpu/wavefronts/waves.hpp"
#include "solvers/wavefront/align/shared/codes.hpp"
#include "solvers/wavefront/length/shared/short_pair.hpp"

namespace wale::wavefront {
namespace {

std::string refusal(const alignment_job& job) {
    if (job.profile != nullptr) return "needs match and mismatch, not a profile";
    if (job.query.bytes != 1) return "needs symbols of one byte";
    if (std::string why = asks_heuristics(*job.options); !why.empty()) return why;
    return wave_costs::refusal(*job.options);
}

/// What path_walker asks of cells.
struct wave_table {
    waves& rows;
    const wave_costs& costs;
    const alignment_problem& problem;

    /// The cost at which H or E of the cell is `value`; below 0: never.
    [[nodiscard]] index_t cost(index_t i, index_t j, std::int64_t value) const {
        const std::int64_t cost = costs.match * (i + j) - 2 * value;
        return cost < 0 ? -1 : cost / costs.unit;
    }
    [[nodiscard]] bool has_h(index_t i, index_t j, std::int64_t value) const {
        return rows.has_h(i, j, cost(i, j, value));
    }
    /// Equal symbols are always the best pair: costs do not fall along a diagonal.
    [[nodiscard]] bool has_pair(index_t i, index_t j, std::int64_t value) const {
        return problem.same_at(i, j) || has_h(i - 1, j - 1, value);
    }
    [[nodiscard]] bool has_e(index_t i, index_t j, std::int64_t value) const {
        return rows.has_e(i, j, cost(i, j, value));
    }
};

/// Costs rise until no end can be better than, or as good as, the best one.
void find_ends(const alignment_problem& p, const wave_costs& costs, waves& rows, alignment_result& out) {
    best_ends ends(p);
    const std::int64_t most = costs.match * (p.rows() + p.columns());
    bool found = false;
    const bool global = p.mode == alignment_mode::global;
    const index_t last = p.columns() - p.rows();
    for (;;) {
        if (!rows.advance()) break;  // cannot be: a bound is the cost of an alignment
        const std::int64_t cost = rows.cost() * costs.unit;
        if (found && (global || most - cost < 2 * ends.score())) break;
        const index_t from = std::max(rows.first_diagonal(), global ? last : -p.rows());
        const index_t to = std::min(rows.last_diagonal(), global ? last : p.columns());
        for (index_t d = from; d <= to; ++d)
            if (const index_t i = rows.new_end(d); i >= 0 && p.may_end(i, i + d)) {
                ends.offer(i, i + d, (costs.match * (2 * i + d) - cost) / 2);
                found = true;
            }
    }
    out.score = ends.score();
    out.best_ends = ends.sorted();
}

/// Whose few costs take no longer than a bound on them.
bool is_small(const alignment_job& job) {
    return job.query.size < chosen_waves.least_cells / std::max<index_t>(job.target.size, 1);
}

void run(alignment_job& job) {
    const coded_alignment codes(job);
    alignment_problem p = codes.problem();
    p.mismatch = wave_costs::least_mismatch(*job.options);
    const wave_costs costs(*job.options);
    const alignment_task task = job.options->task;
    const bool global = p.mode == alignment_mode::global;
    const index_t bound = global && !is_small(job) ? wave_bound(job.query, job.target, costs, -1) : -1;
    waves rows(job.query, job.target, costs, task >= alignment_task::starts, bound);
    find_ends(p, costs, rows, *job.result);
    job.run->device = cpu::instruction_set();
    job.run->policy =
        "cost=" + std::to_string(rows.cost()) + ", rows=" + std::to_string(rows.bytes()) + " bytes";
    if (task < alignment_task::starts) return;
    if (global) rows.end_here();
    path_walker walker(p, job.result->best_ends[0], job.result->score);
    walker.walk(wave_table{rows, costs, p}, 0, 0);
    walker.finish(*job.result, task == alignment_task::path);
}

/// The cost up to which rows take less time than a whole table: they fill half of a square of diagonals and
/// costs.
index_t worthwhile_cost(const alignment_job& job, const wave_costs& costs) {
    const wave_policy& policy = chosen_waves;
    const bool walks = job.options->task >= alignment_task::starts;
    const double table = static_cast<double>(job.query.size) * static_cast<double>(job.target.size);
    const double cells =
        table * policy.seconds_a_table_cell / (walks ? policy.seconds_walked : policy.seconds_a_cell);
    return static_cast<index_t>(std::sqrt(2 * cells * static_cast<double>(costs.extend)));
}

/// Whether the first symbols differ so little that the whole pair, differing as much everywhere, costs little
/// enough: they take a fraction of a microsecond, where the costs of a pair that is not similar take a fifth
/// of its table.
bool begins_alike(const alignment_job& job, const wave_costs& costs, index_t worthwhile) {
    constexpr index_t first = 64;
    symbols a = job.query, b = job.target;
    a.size = std::min(a.size, first);
    b.size = std::min(b.size, first);
    const index_t longest = std::max(job.query.size, job.target.size);
    const index_t edits = short_distance(a, b, -1)->value;
    return edits * (costs.unequal + costs.open) * longest <= worthwhile * std::max(a.size, b.size);
}

bool suits(const alignment_job& job) {
    const index_t m = job.query.size, n = job.target.size;
    if (job.options->mode != alignment_mode::global || m < 1 || n < 1) return false;
    const wave_costs costs(*job.options);
    const index_t worthwhile = worthwhile_cost(job, costs);
    if (is_small(job) && !begins_alike(job, costs, worthwhile)) return false;
    return wave_bound(job.query, job.target, costs, worthwhile) >= 0;
}

}  // namespace

extern constinit const catalogue::row<alignment_job> align_cpu_wavefronts{
    "cpu/wavefronts", "cost after cost, how far each diagonal gets: O(n s) for similar pairs", run, refusal,
    suits};

}  // namespace wale::wavefront
