// problem - alignment with affine gaps (Gotoh 1982), and how its path is walked back. Cell (i, j) is about
// the first i symbols of the query and the first j of the target:
//
//   E(i, j) = max(H(i, j-1) - open, E(i, j-1) - extend)    ends in a gap of the query: 'D'
//   F(i, j) = max(H(i-1, j) - open, F(i-1, j) - extend)    ends in a gap of the target: 'I'
//   H(i, j) = max(H(i-1, j-1) + score(q_i, t_j), E(i, j), F(i, j)), local: and 0
//
// Row and column 0 are the border. With extend <= open a border gap is one gap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>
#include <wale/alignment.hpp>

namespace wale::wavefront {

/// What enters a part of a larger table: H of the row above and of the column before, from the corner on; F
/// that enters below the row, E right of the column.
struct part_border {
    std::vector<std::int64_t> top, left;          // columns + 1, rows + 1
    std::vector<std::int64_t> top_gap, left_gap;  // columns, rows
};

struct alignment_problem {
    std::span<const std::uint32_t> query, target;  // codes
    bool by_equality = true;
    std::int64_t match = 0, mismatch = -1;
    const std::int32_t* table = nullptr;  // else: table_rows x letters, row: code of the query
    std::uint32_t letters = 0;
    std::uint32_t table_rows = 0;                           // letters, or the positions of a profile
    std::span<const std::uint8_t> query_text, target_text;  // of a table: what '=' compares, upper case
    std::int64_t open = 1, extend = 1;                      // extend <= open
    alignment_mode mode = alignment_mode::global;
    free_ends ends{};                     // none but of semi_global
    const part_border* border = nullptr;  // of a part; null: a whole table
    index_t band = -1, x_drop = -1;

    [[nodiscard]] index_t rows() const { return std::ssize(query); }
    [[nodiscard]] index_t columns() const { return std::ssize(target); }
    [[nodiscard]] bool local() const { return mode == alignment_mode::local; }
    [[nodiscard]] std::int64_t score(std::uint32_t a, std::uint32_t b) const {
        if (by_equality) return a == b ? match : mismatch;
        return table[static_cast<std::size_t>(a) * letters + b];
    }
    /// Of the cell (i, j), from 1.
    [[nodiscard]] std::int64_t score_at(index_t i, index_t j) const {
        return score(query[static_cast<std::size_t>(i - 1)], target[static_cast<std::size_t>(j - 1)]);
    }
    [[nodiscard]] bool same_at(index_t i, index_t j) const {
        const auto a = static_cast<std::size_t>(i - 1);
        const auto b = static_cast<std::size_t>(j - 1);
        return by_equality ? query[a] == target[b] : query_text[a] == target_text[b];
    }
    [[nodiscard]] bool heuristic() const { return band >= 0 || x_drop >= 0; }
    /// The columns of a row that a band has.
    [[nodiscard]] index_t first_column(index_t i) const {
        return band < 0 ? 0 : std::max<index_t>(0, i + std::min<index_t>(0, columns() - rows()) - band);
    }
    [[nodiscard]] index_t last_column(index_t i) const {
        return band < 0 ? columns()
                        : std::min(columns(), i + std::max<index_t>(0, columns() - rows()) + band);
    }
    [[nodiscard]] std::int64_t gap(index_t size) const {
        return size == 0 ? 0 : -(open + (size - 1) * extend);
    }
    [[nodiscard]] std::int64_t top(index_t j) const {
        if (border != nullptr) return border->top[static_cast<std::size_t>(j)];
        return local() || ends.target_begin ? 0 : gap(j);
    }
    [[nodiscard]] std::int64_t left(index_t i) const {
        if (border != nullptr) return border->left[static_cast<std::size_t>(i)];
        return local() || ends.query_begin ? 0 : gap(i);
    }
    /// F that enters row 1 in column j, E that enters column 1 in row i; from 1.
    [[nodiscard]] std::int64_t top_gap(index_t j) const {
        return border != nullptr ? border->top_gap[static_cast<std::size_t>(j - 1)] : top(j) - open;
    }
    [[nodiscard]] std::int64_t left_gap(index_t i) const {
        return border != nullptr ? border->left_gap[static_cast<std::size_t>(i - 1)] : left(i) - open;
    }
    /// Whether an alignment may end at the cell.
    [[nodiscard]] bool may_end(index_t i, index_t j) const {
        return (i == rows() || ends.query_end) && (j == columns() || ends.target_end) &&
               (i == rows() || j == columns());
    }
};

/// The best ends of an alignment that is not local: the cells of the last row and column are offered.
class best_ends {
public:
    explicit best_ends(const alignment_problem& p) : p_(p) {}
    void offer(index_t i, index_t j, std::int64_t score) {
        if (!p_.may_end(i, j) || (!ends_.empty() && score < score_)) return;
        if (ends_.empty() || score > score_) ends_.clear();
        score_ = score;
        ends_.push_back({i, j});
    }
    /// The border's part of the last row and column: as edlib does, an alignment with nothing counts.
    void offer_border() {
        if (p_.rows() == 0 || p_.columns() == 0) {
            for (index_t j = 0; j <= p_.columns(); ++j) offer(0, j, p_.top(j));
            for (index_t i = 1; i <= p_.rows(); ++i) offer(i, 0, p_.left(i));
        } else {
            offer(p_.rows(), 0, p_.left(p_.rows()));
            offer(0, p_.columns(), p_.top(p_.columns()));
        }
    }
    [[nodiscard]] std::int64_t score() const { return score_; }
    /// By target, then query. The caller offers each cell once.
    [[nodiscard]] std::vector<alignment_end> sorted() {
        std::sort(ends_.begin(), ends_.end(), [](const alignment_end& x, const alignment_end& y) {
            return x.target != y.target ? x.target < y.target : x.query < y.query;
        });
        return std::move(ends_);
    }

private:
    const alignment_problem& p_;
    std::int64_t score_ = 0;
    std::vector<alignment_end> ends_;
};

/// Walks from an end back to the start, through one part of the table after the other. The rule of ties is
/// here and nowhere else: a pair before a gap, E before F, a gap closed as soon as its score allows.
class path_walker {
public:
    path_walker(const alignment_problem& p, alignment_end end, std::int64_t score)
        : i(end.query), j(end.target), p_(p), value_(score) {}

    index_t i, j;  // the cell

    [[nodiscard]] bool at_border() const { return i == 0 || j == 0 || started(); }

    /// While the cell is below row `first_i` and right of column `first_j`. cells.has_h(i, j, v) says whether
    /// H is v, where it is at most v, from these border cells on; cells.has_e(i, j, v) inside; has_pair(i, j,
    /// v) is has_h(i - 1, j - 1, v).
    template <class Cells>
    void walk(const Cells& cells, index_t first_i, index_t first_j) {
        while (i > first_i && j > first_j && !started()) {
            if (state_ == in::pairs) choose(cells);
            if (state_ == in::deletion) {
                add('D', 1);
                --j;
                close(cells);
            } else if (state_ == in::insertion) {
                add('I', 1);
                --i;
                close(cells);
            }
        }
    }
    /// From a border cell of the whole table to the start; fills in where it is, and the path.
    void finish(alignment_result& out, bool with_path) {
        if (!p_.local()) {
            if (j > 0 && i == 0 && !p_.ends.target_begin) add('D', std::exchange(j, 0));
            if (i > 0 && j == 0 && !p_.ends.query_begin) add('I', std::exchange(i, 0));
        }
        out.query_begin = i;
        out.target_begin = j;
        if (with_path) out.path.assign(path_.rbegin(), path_.rend());
    }

private:
    enum class in { pairs, deletion, insertion };

    [[nodiscard]] bool started() const { return p_.local() && state_ == in::pairs && value_ == 0; }
    void add(char operation, index_t count) {
        if (path_.empty() || path_.back().operation != operation) path_.push_back({operation, 0});
        path_.back().length += count;
    }
    template <class Cells>
    void choose(const Cells& cells) {
        const std::int64_t diagonal = value_ - p_.score_at(i, j);
        if (cells.has_pair(i, j, diagonal)) {
            add(p_.same_at(i, j) ? '=' : 'X', 1);
            --i;
            --j;
            value_ = diagonal;
        } else {
            state_ = cells.has_e(i, j, value_) ? in::deletion : in::insertion;
        }
    }
    /// The cell is the one at which the gap would begin if it were closed now.
    template <class Cells>
    void close(const Cells& cells) {
        if (cells.has_h(i, j, value_ + p_.open)) {
            value_ += p_.open;
            state_ = in::pairs;
        } else {
            value_ += p_.extend;
        }
    }

    const alignment_problem& p_;
    std::int64_t value_;  // H of the cell, or of E and F while in a gap
    in state_ = in::pairs;
    std::vector<alignment_run> path_;  // from the end
};

}  // namespace wale::wavefront
