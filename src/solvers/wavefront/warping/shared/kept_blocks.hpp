// kept_blocks - a table of warping costs of which a device has kept some rows and columns: the cells between
// two of each are computed again on the host where a path crosses them, and only those above and at the left
// of the path.
#pragma once

#include <vector>

#include "cpu/poll.hpp"
#include "solvers/wavefront/warping/shared/backward.hpp"

namespace wale::wavefront::warping {

/// The rows before each multiple of `rows`, and the columns before `first_column` and each `columns` further.
struct kept_spacing {
    index_t rows, columns;
    index_t first_column;  // the second block's, at least 1
    [[nodiscard]] index_t block_row(index_t i) const { return i / rows; }
    [[nodiscard]] index_t block_column(index_t j) const {
        return j < first_column ? 0 : (j - first_column) / columns + 1;
    }
    [[nodiscard]] index_t first_of(index_t block) const {
        return block == 0 ? 0 : first_column + (block - 1) * columns;
    }
};

/// Lines has
///     void row(block, j, count, T* to)     cells j on of the row before block row `block`, 1 or more
///     void column(block, i, count, T* to)  cells i on of the column before block column `block`, 1 or more
template <class T, class Lines>
class kept_blocks {
public:
    kept_blocks(const series_pair<T>& pair, const kept_spacing& spacing, Lines lines)
        : pair_(pair), spacing_(spacing), lines_(lines) {}

    /// Asked from the table's end on along a path, at first for the diagonal neighbour of a cell.
    [[nodiscard]] T operator()(index_t i, index_t j) {
        if (i < first_row_ - 1 || j < first_column_ - 1 || cells_.empty()) compute(i + 1, j + 1);
        return at(i, j);
    }

private:
    [[nodiscard]] T& at(index_t i, index_t j) {
        return cells_[static_cast<std::size_t>((i - first_row_ + 1) * width_ + j - first_column_ + 1)];
    }

    /// The block of cell (i, j), up to its row and column.
    void compute(index_t i, index_t j) {
        cpu::poll();
        const index_t block_row = spacing_.block_row(i), block_column = spacing_.block_column(j);
        first_row_ = block_row * spacing_.rows;
        first_column_ = spacing_.first_of(block_column);
        const index_t rows = i - first_row_ + 1, columns = j - first_column_ + 1;
        width_ = columns + 1;
        cells_.assign(static_cast<std::size_t>((rows + 1) * width_), warping_cell<T>::infinity);
        enter(block_row, block_column, rows, columns);
        const warping_band& band = pair_.band;
        for (index_t r = first_row_; r <= i; ++r)
            for (index_t c = std::max(first_column_, band.first(r)); c <= std::min(j, band.last(r)); ++c)
                at(r, c) = pair_.cost(r, c) + pair_.cell.least(at(r - 1, c - 1), at(r - 1, c), at(r, c - 1));
    }

    /// What is above the block and at its left; out of the band lines hold anything.
    void enter(index_t block_row, index_t block_column, index_t rows, index_t columns) {
        const warping_band& band = pair_.band;
        if (block_row == 0 && block_column == 0) at(-1, -1) = 0;
        if (block_row > 0) {
            const index_t i = first_row_ - 1, before = block_column > 0 ? 1 : 0;
            lines_.row(block_row, first_column_ - before, columns + before, &at(i, first_column_ - before));
            for (index_t j = first_column_ - before; j < first_column_ + columns; ++j)
                if (!band.has(i, j)) at(i, j) = warping_cell<T>::infinity;
        }
        if (block_column == 0) return;
        const index_t j = first_column_ - 1;
        column_.resize(static_cast<std::size_t>(rows));
        lines_.column(block_column, first_row_, rows, column_.data());
        for (index_t r = 0; r < rows; ++r)
            if (band.has(first_row_ + r, j)) at(first_row_ + r, j) = column_[static_cast<std::size_t>(r)];
    }

    const series_pair<T>& pair_;
    const kept_spacing spacing_;
    Lines lines_;
    index_t first_row_ = 0, first_column_ = 0, width_ = 0;
    std::vector<T> cells_, column_;  // from the row and the column before the block on
};

}  // namespace wale::wavefront::warping
