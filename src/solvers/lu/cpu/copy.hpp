// copy - parts of matrices between the two storage orders.
#pragma once

#include <algorithm>

#include "cpu/blas.hpp"

namespace wale::lu {

using cpu::blas::block;

/// to <- from, any order. Between orders in tiles that both sides' cache lines fit.
template <class T, class U>
void copy_block(block<const T> from, block<U> to, index_t rows, index_t columns) {
    constexpr index_t tile = 16;
    if (to.row_major()) return copy_block<T, U>(from.transposed(), to.transposed(), columns, rows);
    if (!from.row_major()) {
        for (index_t j = 0; j < columns; ++j)
            std::copy_n(from.data + j * from.leading, rows, to.data + j * to.leading);
        return;
    }
    for (index_t j = 0; j < columns; j += tile)  // `to` column by column: few pages at a time
        for (index_t i = 0; i < rows; i += tile) {
            const index_t i_end = std::min(i + tile, rows), j_end = std::min(j + tile, columns);
            for (index_t c = j; c < j_end; ++c)
                for (index_t r = i; r < i_end; ++r)
                    to.data[c * to.leading + r] = static_cast<U>(from.data[r * from.leading + c]);
        }
}

}  // namespace wale::lu
