// rows - rows of a matrix in the order of its pivots.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "solvers/lu/cpu/copy.hpp"

namespace wale::lu {

/// Row i of P A is row permutation[i] of A. pivots null: P = I.
[[nodiscard]] inline std::vector<index_t> permutation_of(const std::int32_t* pivots, index_t steps,
                                                         index_t rows) {
    std::vector<index_t> p(static_cast<std::size_t>(rows));
    std::iota(p.begin(), p.end(), index_t{0});
    for (index_t k = 0; pivots && k < steps; ++k)
        std::swap(p[static_cast<std::size_t>(k)], p[static_cast<std::size_t>(pivots[k])]);
    return p;
}

/// f(row-major side, other side) for every element of rows order[i] of `rows` and i of `lines`, in an order
/// that both sides' cache lines fit. `lines` is row-major.
template <class T, class U, class F>
void for_rows(const std::vector<index_t>& order, block<T> rows, block<U> lines, index_t columns, F&& f) {
    constexpr index_t at_once = 16;
    for (index_t j = 0; j < columns; j += rows.row_major() ? columns : at_once) {
        const index_t end = rows.row_major() ? columns : std::min(j + at_once, columns);
        for (std::size_t i = 0; i < order.size(); ++i) {
            T* const row = rows.data + order[i] * rows.row_step();
            U* const line = lines.data + static_cast<index_t>(i) * lines.leading;
            const index_t step = rows.column_step();
            for (index_t c = j; c < end; ++c) f(row[c * step], line[c]);
        }
    }
}

/// Line i of `lines` <- row order[i] of `rows`; and back.
template <class T>
void take_rows(const std::vector<index_t>& order, block<const T> rows, block<T> lines, index_t columns) {
    for_rows(order, rows, lines, columns, [](const T& row, T& line) { line = row; });
}
template <class T>
void put_rows(const std::vector<index_t>& order, block<T> rows, block<const T> lines, index_t columns) {
    for_rows(order, rows, lines, columns, [](T& row, const T& line) { row = line; });
}

}  // namespace wale::lu
