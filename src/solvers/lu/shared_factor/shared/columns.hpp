// columns - which rank of a group holds which columns of a matrix: blocks in turn, 1-D block-cyclic.
#pragma once

#include <algorithm>
#include <wale/matrix.hpp>

namespace wale::lu {

struct dealt_columns {
    index_t columns = 0, block = 1;  // of the whole matrix
    int rank = 0, size = 1;

    dealt_columns() = default;
    dealt_columns(const matrix_shape& whole, int own_rank, int ranks);

    [[nodiscard]] index_t blocks() const { return (columns + block - 1) / block; }
    [[nodiscard]] int owner(index_t number) const { return static_cast<int>(number % size); }
    [[nodiscard]] bool owns(index_t number) const { return owner(number) == rank; }
    [[nodiscard]] index_t start(index_t number) const { return std::min(number * block, columns); }
    /// The columns of this rank that lie left of column `column` of the whole matrix: where that column, if
    /// the rank has it, lies in the rank's own matrix.
    [[nodiscard]] index_t own_before(index_t column) const {
        const index_t full = column / block;
        return (full + size - 1 - rank) / size * block + (owns(full) ? column % block : 0);
    }
    [[nodiscard]] index_t own() const { return own_before(columns); }
};

}  // namespace wale::lu
