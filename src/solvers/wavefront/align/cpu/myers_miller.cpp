// myers_miller - a path in memory linear in the target (Hirschberg 1975; with affine gaps Myers & Miller
// 1988): the table is swept a row at a time, the cell at which the path crosses the middle row is found, and
// both halves are aligned in the same way; twice the cells of the table in all.
//
//   q  ------.------------   The crossing is carried forward with each cell below the middle row, where Myers
//   and
//      ======X======.=====   Miller sweep the lower half backwards: of several best paths it is then the one
//      of
//      ------.------X-----   the rule of ties. A gap of the target may cross the row: the halves then share
//      it.
#include "cpu/poll.hpp"
#include "solvers/wavefront/align/cpu/tuning.hpp"
#include "solvers/wavefront/align/shared/codes.hpp"
#include "solvers/wavefront/align/shared/kept_table.hpp"

namespace wale::wavefront {
namespace {

/// From cell (i0, j0) to cell (i1, j1). gap_in: the gap of an 'I' is open at the first cell and goes on;
/// gap_out: the last column is an 'I' whose gap goes on.
struct part {
    index_t i0, j0, i1, j1;
    bool gap_in, gap_out;
    [[nodiscard]] index_t rows() const { return i1 - i0; }
    [[nodiscard]] index_t columns() const { return j1 - j0; }
};

/// What a cell's values were made of.
enum choice : std::uint8_t { from_pair = 0, from_e = 1, from_f = 2, h_mask = 3, e_closes = 4, f_closes = 8 };

class halves {
public:
    explicit halves(const alignment_problem& p) : p_(p), row_(static_cast<std::size_t>(p.columns() + 1)) {}

    std::int64_t score() { return sweep({0, 0, p_.rows(), p_.columns(), false, false}, none, false).h; }
    std::int64_t path(alignment_result& out) {
        const std::int64_t found = solve({0, 0, p_.rows(), p_.columns(), false, false});
        out.path.assign(path_.rbegin(), path_.rend());
        return found;
    }

private:
    static constexpr index_t none = -2;  // no middle row
    /// H and F of a column, F entering the row, and where their paths crossed the middle row: 2 * column, and
    /// 1 more where they did in F.
    struct cell {
        std::int64_t h = left_out, f = left_out;
        index_t h_crossed = 0, f_crossed = 0;
    };

    cell sweep(const part& t, index_t middle, bool keep);
    void sweep_row(const part& t, index_t i, std::uint8_t* choices);
    std::int64_t solve(const part& t);
    void walk(const part& t);
    void add(char operation, index_t count) {
        if (count == 0) return;
        if (path_.empty() || path_.back().operation != operation) path_.push_back({operation, 0});
        path_.back().length += count;
    }

    const alignment_problem& p_;
    std::vector<cell> row_;
    std::vector<std::uint8_t> choices_;
    std::vector<alignment_run> path_;  // from the end
};

/// One row from the one above, both in row_.
void halves::sweep_row(const part& t, index_t i, std::uint8_t* choices) {
    std::int64_t diagonal = left_out, e = left_out;
    index_t diagonal_crossed = 0, e_crossed = 0;
    bool closes_e = false;
    for (index_t j = t.j0; j <= t.j1; ++j) {
        cell& c = row_[static_cast<std::size_t>(j - t.j0)];
        const bool closes_f = c.h - p_.open >= c.f - p_.extend;
        const std::int64_t f = closes_f ? c.h - p_.open : c.f - p_.extend;
        const index_t f_crossed = closes_f ? c.h_crossed : c.f_crossed;
        const std::int64_t pair = j > t.j0 ? diagonal + p_.score_at(i, j) : left_out;
        const std::int64_t h = std::max({pair, e, f});
        const int from = h == pair ? from_pair : h == e ? from_e : from_f;
        if (choices != nullptr)
            choices[j - t.j0] =
                static_cast<std::uint8_t>(from | (closes_e ? e_closes : 0) | (closes_f ? f_closes : 0));
        const index_t crossed = from == from_pair ? diagonal_crossed : from == from_e ? e_crossed : f_crossed;
        diagonal = c.h;
        diagonal_crossed = c.h_crossed;
        c = {h, f, crossed, f_crossed};
        closes_e = h - p_.open >= e - p_.extend;
        e_crossed = closes_e ? crossed : e_crossed;
        e = std::max(h - p_.open, e - p_.extend);
    }
}

/// The last cell. `keep`: choices_ has all rows but the first.
halves::cell halves::sweep(const part& t, index_t middle, bool keep) {
    const index_t width = t.columns() + 1;
    if (keep) choices_.resize(static_cast<std::size_t>(t.rows() * width));
    for (index_t k = 0; k < width; ++k)
        row_[static_cast<std::size_t>(k)] = {t.gap_in ? left_out : p_.gap(k), left_out, 0, 0};
    if (t.gap_in) row_[0].f = 0;
    for (index_t i = t.i0 + 1; i <= t.i1; ++i) {
        cpu::poll();
        sweep_row(t, i, keep ? choices_.data() + (i - t.i0 - 1) * width : nullptr);
        for (index_t k = 0; i == middle && k < width; ++k) {
            row_[static_cast<std::size_t>(k)].h_crossed = 2 * k;
            row_[static_cast<std::size_t>(k)].f_crossed = 2 * k + 1;
        }
    }
    return row_[static_cast<std::size_t>(t.columns())];
}

/// Adds the part's path, its end first; the score of a part that does not end in a gap.
std::int64_t halves::solve(const part& t) {
    const double cells = static_cast<double>(t.rows()) * static_cast<double>(t.columns() + 1);
    if (t.rows() <= 1 || cells <= static_cast<double>(chosen_myers_miller().kept_cells)) {
        const std::int64_t found = sweep(t, none, true).h;
        walk(t);
        return found;
    }
    const index_t middle = t.i0 + t.rows() / 2;
    const cell last = sweep(t, middle, false);
    const index_t crossed = t.gap_out ? last.f_crossed : last.h_crossed;
    const index_t column = t.j0 + crossed / 2;
    const bool in_gap = crossed % 2 == 1;
    (void)solve({middle, column, t.i1, t.j1, in_gap, t.gap_out});
    (void)solve({t.i0, t.j0, middle, column, t.gap_in, in_gap});
    return last.h;
}

/// As path_walker: a pair before a gap, E before F, a gap closed as soon as its score allows.
void halves::walk(const part& t) {
    index_t i = t.i1, j = t.j1;
    int state = t.gap_out ? from_f : from_pair;
    while (i > t.i0 && j > t.j0) {
        const auto at = [&] {
            return choices_[static_cast<std::size_t>((i - t.i0 - 1) * (t.columns() + 1) + j - t.j0)];
        };
        if (state == from_pair) state = at() & h_mask;
        if (state == from_pair) {
            add(p_.same_at(i, j) ? '=' : 'X', 1);
            --i, --j;
        } else if (state == from_e) {
            add('D', 1);
            if ((at() & e_closes) != 0) state = from_pair;
            --j;
        } else {
            add('I', 1);
            if ((at() & f_closes) != 0) state = from_pair;
            --i;
        }
    }
    add('D', j - t.j0);
    add('I', i - t.i0);
}

std::string refusal(const alignment_job& job) {
    if (job.options->mode != alignment_mode::global) return "aligns both sequences whole: mode global only";
    return asks_heuristics(*job.options);
}

void run(alignment_job& job) {
    const coded_alignment codes(job);
    const alignment_problem& p = codes.problem();
    alignment_result& out = *job.result;
    halves table(p);
    out.score = job.options->task == alignment_task::path ? table.path(out) : table.score();
    out.best_ends = {{p.rows(), p.columns()}};
    if (job.options->task >= alignment_task::starts) out.query_begin = out.target_begin = 0;
}

}  // namespace

extern constinit const catalogue::row<alignment_job> align_cpu_myers_miller{
    "cpu/myers_miller",
    "halves of the query about the cell where the path crosses its middle: memory linear in the target", run,
    refusal};

}  // namespace wale::wavefront
