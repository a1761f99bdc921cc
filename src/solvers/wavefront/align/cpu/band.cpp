// band - the cells that options.band and options.x_drop leave, row by row: heuristic. Each row keeps its
// range of columns and the cells H and E in it, for the walk back.
//
//   row 0   h h h . . .     .  outside of the band, or x_drop below the best cell of the rows above
//   row 1   . h h h . .     A row begins where the one above does, and ends behind it as soon as no gap
//   row 2   . . h h h h     goes on.
#include "cpu/poll.hpp"
#include "solvers/wavefront/align/shared/codes.hpp"
#include "solvers/wavefront/align/shared/kept_table.hpp"

namespace wale::wavefront {
namespace {

class banded_table {
public:
    explicit banded_table(const alignment_problem& p) : p_(p), below_(size_of(p.columns()), left_out) {
        rows_.reserve(size_of(p.rows()));
        for (index_t i = 0; i <= p.rows(); ++i) fill(i);
    }
    [[nodiscard]] std::int64_t h(index_t i, index_t j) const { return at(i, j, h_); }
    [[nodiscard]] bool has_h(index_t i, index_t j, std::int64_t v) const { return h(i, j) == v; }
    [[nodiscard]] bool has_pair(index_t i, index_t j, std::int64_t v) const { return h(i - 1, j - 1) == v; }
    [[nodiscard]] bool has_e(index_t i, index_t j, std::int64_t v) const { return at(i, j, e_) == v; }
    [[nodiscard]] index_t cells() const { return std::ssize(h_); }
    /// The leftmost column that has the largest H, then the uppermost row.
    [[nodiscard]] alignment_end best() const {
        alignment_end best;
        std::int64_t score = h(0, 0);
        for (index_t i = 0; i <= p_.rows(); ++i) {
            const row& r = rows_[static_cast<std::size_t>(i)];
            for (index_t j = r.first; j <= r.last; ++j) {
                const std::int64_t here = h(i, j);
                if (here < score || (here == score && j >= best.target)) continue;
                score = here;
                best = {i, j};
            }
        }
        return best;
    }

private:
    struct row {
        index_t first, last;  // columns; none: last = first - 1
        std::size_t start;    // of the cells
    };
    [[nodiscard]] static std::size_t size_of(index_t n) { return static_cast<std::size_t>(n + 1); }
    [[nodiscard]] std::int64_t at(index_t i, index_t j, const std::vector<std::int64_t>& of) const {
        const row& r = rows_[static_cast<std::size_t>(i)];
        return j < r.first || j > r.last ? left_out : of[r.start + static_cast<std::size_t>(j - r.first)];
    }
    void fill(index_t i);

    const alignment_problem& p_;
    std::vector<row> rows_;
    std::vector<std::int64_t> h_, e_;
    std::vector<std::int64_t> below_;  // F of the row that comes, a column each
    std::int64_t best_ = 0;            // of the rows above
};

void banded_table::fill(index_t i) {
    cpu::poll();
    const row above = i == 0 ? row{0, p_.columns(), 0} : rows_.back();
    // An x_drop that has left the border out never comes back to it: the border falls, the best cell rises.
    const bool begins = i == 0 || p_.x_drop < 0 || p_.left(i) >= best_ - p_.x_drop;
    row r{std::max(p_.first_column(i), begins ? 0 : above.first), 0, h_.size()};
    std::int64_t e = left_out, best = best_;
    for (index_t j = r.first; j <= p_.last_column(i) && (j <= above.last + 1 || e > left_out); ++j) {
        std::int64_t& f = below_[static_cast<std::size_t>(j)];
        std::int64_t h = i == 0 ? p_.top(j) : p_.left(i);
        if (i > 0 && j > 0) h = std::max({this->h(i - 1, j - 1) + p_.score_at(i, j), e, f});
        if (p_.local()) h = std::max<std::int64_t>(h, 0);
        const bool dropped = h < left_out / 2 || (p_.x_drop >= 0 && h < best_ - p_.x_drop);
        if (dropped && h_.size() == r.start) {
            r.first = j + 1;
        } else {
            h_.push_back(dropped ? left_out : h);
            e_.push_back(e);
        }
        e = dropped ? left_out : std::max(h - p_.open, e - p_.extend);
        f = dropped ? left_out : std::max(h - p_.open, f - p_.extend);
        if (!dropped) best = std::max(best, h);
    }
    while (h_.size() > r.start && h_.back() == left_out) {
        h_.pop_back();
        e_.pop_back();
    }
    r.last = r.first + static_cast<index_t>(h_.size() - r.start) - 1;
    rows_.push_back(r);
    best_ = best;
}

std::string refusal(const alignment_job& job) {
    return job.options->band < 0 && job.options->x_drop < 0 ? "needs a band or an x_drop" : "";
}

void run(alignment_job& job) {
    const coded_alignment codes(job);
    const alignment_problem& p = codes.problem();
    const banded_table t(p);
    job.run->policy = "cells=" + std::to_string(t.cells());
    job.result->heuristic = true;
    finish_alignment(p, t, job.options->task, *job.result);
}

}  // namespace

extern constinit const catalogue::row<alignment_job> align_cpu_band{
    "cpu/band", "the cells of a band, or above an X-drop, row by row: heuristic", run, refusal};

}  // namespace wale::wavefront
