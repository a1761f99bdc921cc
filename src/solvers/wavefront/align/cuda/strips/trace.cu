// trace - walks back through a table of which lines were kept: the device computes the parts that the path
// crosses again, with more lines, and the host the parts between these.
#include <algorithm>

#include "solvers/wavefront/align/cpu/diagonals/tile.hpp"
#include "solvers/wavefront/align/cuda/strips/sweeper.cuh"
#include "solvers/wavefront/align/cuda/strips/trace.hpp"

namespace wale::wavefront::strips {
namespace {

int low(word v) {
    return static_cast<std::int16_t>(v & 0xffffu);
}
int high(word v) {
    return static_cast<std::int16_t>(v >> 16);
}

class tracer {
public:
    tracer(sweeper& s, const cuda::context& c, const alignment_problem& p) : s_(s), c_(c), p_(p) {}

    /// To the border of the part of which `lines` were kept.
    void walk(const kept_part& lines, path_walker& walker) {
        levels_.push_back(&lines);
        const index_t unit = fine_unit(s_.policy());
        while (walker.i > lines.of.row && walker.j > lines.of.column && !walker.at_border()) {
            const part of = part_before(lines, walker);
            const index_t step = step_of_lines(of.rows, of.columns, fine_bytes(), unit);
            if (lines.step <= 2 * unit || step >= lines.step) {
                walk_on_host(of, walker);
                continue;
            }
            const kept_part finer(c_, of, step, s_.policy(), unit);
            s_.run(of, level_of_row(of.row), level_of_column(of.column), finer);
            walk(finer, walker);
        }
        levels_.pop_back();
    }

private:
    /// From the lines before the walker's cell to this cell.
    static part part_before(const kept_part& lines, const path_walker& walker) {
        part of;
        of.row = lines.of.row + (walker.i - 1 - lines.of.row) / lines.step * lines.step;
        of.column = lines.of.column + (walker.j - 1 - lines.of.column) / lines.step * lines.step;
        of.rows = walker.i - of.row;
        of.columns = walker.j - of.column;
        return of;
    }

    /// The finest lines that have this row or column; null: the table's border.
    [[nodiscard]] const kept_part* level_of_row(index_t row) const {
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
            if ((*level)->has_row(row)) return *level;
        return nullptr;
    }
    [[nodiscard]] const kept_part* level_of_column(index_t column) const {
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level)
            if ((*level)->has_column(column)) return *level;
        return nullptr;
    }

    void walk_on_host(const part& of, path_walker& walker) const {
        const part_border border = border_of(of);
        alignment_problem part = p_;
        const auto cut = [](auto all, index_t first, index_t count) {
            return all.empty()
                       ? all
                       : all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
        };
        part.query = cut(p_.query, of.row, of.rows);
        part.target = cut(p_.target, of.column, of.columns);
        part.query_text = cut(p_.query_text, of.row, of.rows);
        part.target_text = cut(p_.target_text, of.column, of.columns);
        part.border = &border;
        walk_part(part, diagonal_kernels(), walker, of.row, of.column);
    }

    template <class T>
    [[nodiscard]] std::vector<T> fetched(const T* from, index_t count) const {
        std::vector<T> to(static_cast<std::size_t>(count));
        cuda::check(
            cudaMemcpyAsync(to.data(), from, to.size() * sizeof(T), cudaMemcpyDeviceToHost, c_.stream()));
        c_.synchronize();
        return to;
    }

    [[nodiscard]] part_border border_of(const part& of) const {
        part_border out;
        if (of.column == 0) {
            for (index_t i = of.row; i <= of.row + of.rows; ++i) out.left.push_back(p_.left(i));
            for (std::size_t i = 1; i < out.left.size(); ++i) out.left_gap.push_back(out.left[i] - p_.open);
        } else {
            take_left(*level_of_column(of.column), of, out);
        }
        out.top.push_back(of.row == 0 ? p_.top(of.column) : out.left.front());
        if (of.row == 0) {
            out.left.front() = out.top.front();
            for (index_t j = of.column + 1; j <= of.column + of.columns; ++j) {
                out.top.push_back(p_.top(j));
                out.top_gap.push_back(p_.top(j) - p_.open);
            }
        } else {
            take_top(*level_of_row(of.row), of, out);
        }
        return out;
    }

    /// Words are H and F of a column relative to the corner of their block.
    void take_top(const kept_part& lines, const part& of, part_border& out) const {
        const auto words = fetched(lines.row_words(of.row, of.column), of.columns);
        const auto corners =
            fetched(lines.row_corners(of.row, of.column), (of.columns - 1) / lines.block + 1);
        for (index_t k = 0; k < of.columns; ++k) {
            const std::int64_t base =
                corners[static_cast<std::size_t>(k / lines.block)] - p_.extend * (k % lines.block + 1);
            out.top.push_back(base + low(words[static_cast<std::size_t>(k)]));
            out.top_gap.push_back(base + high(words[static_cast<std::size_t>(k)]));
        }
    }

    /// Words of a strip are [h, e][words][lane]; a lane has `words` rows in its low halves, then in its high
    /// ones. E is that of the next column, which is stored with one extension more.
    void take_left(const kept_part& lines, const part& of, part_border& out) const {
        const index_t half = lines.words, lane_rows = 2 * half, strip_rows = warp_size * lane_rows;
        const index_t strips = (of.rows - 1) / strip_rows + 1;
        const auto words = fetched(lines.state_words(of.row, of.column), strips * strip_rows);
        const auto corners = fetched(lines.state_corners(of.row, of.column), strips);
        out.left.push_back(corners[0]);
        for (index_t i = 0; i < of.rows; ++i) {
            const index_t strip = i / strip_rows, lane = i % strip_rows / lane_rows, r = i % lane_rows;
            const index_t at = strip * strip_rows + r % half * warp_size + lane;
            const std::int64_t corner = corners[static_cast<std::size_t>(strip)];
            const auto cell = [&](index_t k) {
                const word v = words[static_cast<std::size_t>(k)];
                return corner + (r < half ? low(v) : high(v));
            };
            out.left.push_back(cell(at));
            out.left_gap.push_back(cell(at + half * warp_size) - p_.extend);
        }
    }

    sweeper& s_;
    const cuda::context& c_;
    const alignment_problem& p_;
    std::vector<const kept_part*> levels_;  // from the whole table's
};

}  // namespace

void trace(sweeper& s, const cuda::context& c, const alignment_problem& p, const kept_part& whole,
           const swept& found, bool with_path, alignment_result& out) {
    path_walker walker(p, found.ends.front(), found.score);
    tracer(s, c, p).walk(whole, walker);
    walker.finish(out, with_path);
}

}  // namespace wale::wavefront::strips
