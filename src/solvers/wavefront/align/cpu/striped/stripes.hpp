// stripes - a query in vectors, and one target after the other.
#pragma once

#include <algorithm>
#include <optional>

#include "solvers/wavefront/align/cpu/lanes/groups.hpp"
#include "solvers/wavefront/align/cpu/striped/kernel.hpp"
#include "solvers/wavefront/align/shared/scratch.hpp"

namespace wale::wavefront {

using letter_span = std::span<const std::uint8_t>;  // codes of a lane_scoring

/// What is wanted of a target beside its score.
struct striped_wanted {
    bool last_row = false, last_column = false;  // of tables that are not local
    bool cells = false, swapped = false;         // swapped: the rows are the target
};

template <class T>
class stripes {
public:
    /// `scoring`: of own rows, or by equality with all bytes numbered; its rows are those of the stripes.
    stripes(const lane_scoring& scoring, const striped_kernel<T>& kernel) : s_(scoring), kernel_(kernel) {
        q_.lanes = kernel.lanes;
        q_.by_equality = scoring.kind == lane_scores::equality;
        q_.match = static_cast<std::int8_t>(scoring.match);
        q_.mismatch = static_cast<std::int8_t>(scoring.mismatch);
        q_.table = scoring.table.data();
    }

    [[nodiscard]] std::size_t lanes() const { return q_.lanes; }
    void set_query(letter_span codes) {
        constexpr std::size_t margin = 64;
        const std::size_t lanes = q_.lanes, least = (codes.size() + lanes - 1) / lanes;
        const std::size_t depth =
            least == 3 ? 4 : least;  // 1, 2 and 4 have kernels that keep all in registers
        q_.rows = std::ssize(codes);
        q_.depth = depth;
        const std::uint8_t none = q_.by_equality ? 255 : static_cast<std::uint8_t>(s_.letters);
        q_.codes.assign(depth * lanes + margin, none);
        for (std::size_t row = 0, lane = 0; lane < lanes; ++lane)
            for (std::size_t s = 0; s < depth && row < codes.size(); ++s)
                q_.codes[s * lanes + lane] = codes[row++];
        room(scores_, s_.letters * depth * lanes * sizeof(T));
        q_.scores = scores_.template as<T>();
        q_.rows_of_letters.assign(s_.letters, nullptr);
        q_.made = 0;
    }

    /// Fills in what is wanted. False: a local score is the largest that cells hold, or above.
    bool run(letter_span target, striped_wanted wanted) {
        const index_t rows = q_.rows, columns = std::ssize(target);
        base_ = s_.base<T>(s_.local ? 0 : rows, s_.local ? 0 : columns);
        t_ = {};
        t_.codes = target.data();
        t_.columns = columns;
        last_row_.resize(wanted.last_row ? target.size() : 0);
        last_column_.resize(wanted.last_column ? static_cast<std::size_t>(rows) : 0);
        if (wanted.last_row) t_.last_row = last_row_.data();
        if (wanted.last_column) t_.last_column = last_column_.data();
        if (wanted.cells) {
            const std::size_t cells = q_.depth * q_.lanes * target.size();
            room(cells_, cells * sizeof(T));
            room(gaps_, cells / 8 + 8);
            t_.cells = cells_.template as<T>();
            t_.is_gap = gaps_.template as<std::uint8_t>();
            t_.swapped = wanted.swapped;
            best_columns_.resize(s_.local ? target.size() : 0);
            t_.best_columns = best_columns_.data();
        }
        kernel_.run(q_, prices(), s_.local, t_, columns_);
        return !s_.local || t_.best != std::numeric_limits<T>::max();
    }

    /// Of a local table; else of the last row and column.
    [[nodiscard]] std::int64_t best() const { return base_ + t_.best; }
    [[nodiscard]] std::int64_t in_last_row(index_t column) const {  // from 0
        return base_ + last_row_[static_cast<std::size_t>(column)];
    }
    [[nodiscard]] std::int64_t in_last_column(index_t row) const {
        return base_ + last_column_[static_cast<std::size_t>(row)];
    }
    /// The best cell of a local table whose cells are kept: of the first column of the target that has it,
    /// the uppermost.
    [[nodiscard]] alignment_end best_cell() const {
        alignment_end first{};
        for (index_t k = 0; k < (t_.swapped ? t_.best_count : 1); ++k) {
            const index_t j = best_columns_[static_cast<std::size_t>(k)] + 1;
            index_t i = 1;
            while (i <= q_.rows && cell(i, j) != best()) ++i;
            if (i > q_.rows) continue;  // below the last row
            const alignment_end found = t_.swapped ? alignment_end{j, i} : alignment_end{i, j};
            if (first.target == 0 || found.target < first.target) first = found;
        }
        return first;
    }
    /// H of a cell that is kept; i and j from 1.
    [[nodiscard]] std::int64_t cell(index_t i, index_t j) const { return base_ + t_.cells[place(i, j)]; }
    [[nodiscard]] bool is_gap(index_t i, index_t j) const {
        const std::size_t at = place(i, j);
        return (t_.is_gap[at / 8] >> at % 8 & 1) != 0;
    }

private:
    static void room(scratch& memory, std::size_t bytes) {
        if (memory.bytes() < static_cast<index_t>(bytes)) memory = scratch(static_cast<index_t>(bytes));
    }
    [[nodiscard]] std::size_t place(index_t i, index_t j) const {
        const auto row = static_cast<std::uint32_t>(i - 1), depth = static_cast<std::uint32_t>(q_.depth);
        return (static_cast<std::size_t>(j - 1) * q_.depth + row % depth) * q_.lanes + row / depth;
    }
    [[nodiscard]] striped_prices<T> prices() const {
        const std::int64_t first = -s_.open - base_, free = -base_;
        const auto step = static_cast<T>(-s_.extend);
        striped_prices<T> p{static_cast<T>(s_.open), static_cast<T>(s_.extend), 0, 0, 0, 0, 0,
                            s_.best_pair()};
        if (s_.local) return p;
        p.corner = static_cast<T>(free);
        p.top_first = static_cast<T>(s_.top_is_free ? free : first);
        p.top_step = s_.top_is_free ? T{0} : step;
        p.left_first = static_cast<T>(s_.left_is_free ? free : first);
        p.left_step = s_.left_is_free ? T{0} : step;
        return p;
    }

    const lane_scoring& s_;
    const striped_kernel<T> kernel_;
    striped_query<T> q_;
    striped_target<T> t_{};
    striped_columns<T> columns_;
    std::vector<T> last_row_, last_column_;
    std::vector<index_t> best_columns_;
    scratch scores_, cells_, gaps_;
    std::int64_t base_ = 0;
};

}  // namespace wale::wavefront
