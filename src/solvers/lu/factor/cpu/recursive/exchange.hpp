// exchange - the row exchanges of one panel, applied to a strip of columns at once instead of one by one: the
// rows are met once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "solvers/lu/cpu/copy.hpp"

namespace wale::lu {

/// Rows are counted from the panel's first row. What an exchange brings to the top stays there, so a row
/// below only ever takes what was in the top.
struct row_exchange {
    struct step {
        index_t from;    // row i of the top takes what was in this row,
        index_t refill;  // which, if it is below the top, takes what was in this row of the top; else -1
    };
    std::vector<step> steps;  // one for each row of the top

    row_exchange() = default;
    /// pivots[k]: row k of the top was exchanged with it, k ascending.
    row_exchange(std::span<const std::int32_t> pivots, index_t rows) {
        std::vector<index_t> holds(static_cast<std::size_t>(rows));
        std::iota(holds.begin(), holds.end(), index_t{0});
        for (std::size_t k = 0; k < pivots.size(); ++k)
            std::swap(holds[k], holds[static_cast<std::size_t>(pivots[k])]);
        for (std::size_t k = 0; k < pivots.size(); ++k) {
            const bool below = holds[k] >= std::ssize(pivots);
            steps.push_back({holds[k], below ? holds[static_cast<std::size_t>(holds[k])] : -1});
        }
    }
};

template <index_t Columns, class T>
void take_top_of_columns(const row_exchange& e, block<T> strip, block<T> top) {
    T* to = top.data;
    for (const auto& s : e.steps) {
        T* const from = strip.data + s.from;
        for (index_t c = 0; c < Columns; ++c) to[c] = from[c * strip.leading];
        if (s.refill >= 0) {
            const T* const refill = strip.data + s.refill;
            for (index_t c = 0; c < Columns; ++c) from[c * strip.leading] = refill[c * strip.leading];
        }
        to += top.leading;
    }
}

/// top <- the rows that come to the strip's top, and the rows that they leave are filled again. The strip's
/// own top rows are stale until put back. top is row-major.
template <class T>
void take_top(const row_exchange& e, block<T> strip, block<T> top, index_t columns) {
    if (strip.row_major()) {
        for (index_t i = 0; const auto& s : e.steps) {
            std::copy_n(&strip(s.from, 0), columns, &top(i++, 0));
            if (s.refill >= 0) std::copy_n(&strip(s.refill, 0), columns, &strip(s.from, 0));
        }
        return;
    }
    constexpr index_t at_once = 64 / index_t{sizeof(T)};  // a cache line of top
    index_t j = 0;
    for (; j + at_once <= columns; j += at_once)
        take_top_of_columns<at_once>(e, strip.from(0, j), top.from(0, j));
    for (; j < columns; ++j) take_top_of_columns<1>(e, strip.from(0, j), top.from(0, j));
}

/// The exchanges of the pivots from number `first` on, in `width` columns of a matrix of `rows` rows. Pivots
/// are counted from the matrix's first row.
template <class T>
void exchange_rows(block<T> columns, index_t rows, index_t width, std::span<const std::int32_t> pivots,
                   index_t first) {
    if (columns.row_major()) {
        for (index_t k = first; k < std::ssize(pivots); ++k)
            if (const index_t p = pivots[static_cast<std::size_t>(k)]; p != k)
                std::swap_ranges(&columns(k, 0), &columns(k, 0) + width, &columns(p, 0));
        return;
    }
    std::vector<index_t> holds(static_cast<std::size_t>(rows - first));
    std::iota(holds.begin(), holds.end(), first);
    for (index_t k = first; k < std::ssize(pivots); ++k)
        std::swap(holds[static_cast<std::size_t>(k - first)],
                  holds[static_cast<std::size_t>(pivots[static_cast<std::size_t>(k)] - first)]);
    std::vector<T> column(holds.size());
    for (index_t j = 0; j < width; ++j) {
        T* const from = &columns(0, j);
        for (std::size_t i = 0; i < holds.size(); ++i) column[i] = from[holds[i]];
        std::copy(column.begin(), column.end(), from + first);
    }
}

}  // namespace wale::lu
