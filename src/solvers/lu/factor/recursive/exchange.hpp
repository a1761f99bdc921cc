// exchange - the row exchanges of one panel, applied to a strip of columns at once instead of one by one.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "solvers/lu/cpu/copy.hpp"

namespace wale::lu {

/// Rows are counted from the panel's first row. A row that leaves the panel's top only ever comes from the
/// top: what an exchange brings up stays.
struct row_exchange {
    struct move {
        index_t to, from;  // below the top, of the top
    };
    std::vector<index_t> into;  // row i of the top takes what was in row into[i]
    std::vector<move> out;

    row_exchange() = default;
    /// pivots[k]: row k of the top was exchanged with it, k ascending.
    row_exchange(std::span<const std::int32_t> pivots, index_t rows) : into(pivots.size()) {
        std::vector<index_t> holds(static_cast<std::size_t>(rows));
        std::iota(holds.begin(), holds.end(), index_t{0});
        for (std::size_t k = 0; k < pivots.size(); ++k)
            std::swap(holds[k], holds[static_cast<std::size_t>(pivots[k])]);
        std::copy_n(holds.begin(), into.size(), into.begin());
        for (const std::int32_t p : pivots) {
            const auto at = static_cast<std::size_t>(p);
            if (at < into.size() || holds[at] == p) continue;
            out.push_back({p, holds[at]});
            holds[at] = p;  // taken down once
        }
    }
};

/// top <- the rows that come to the strip's top; then moves down what goes down. The strip's own top rows
/// are stale until put back. top is row-major.
template <class T>
void take_top(const row_exchange& e, block<T> strip, block<T> top, index_t columns) {
    const auto height = static_cast<index_t>(e.into.size());
    if (strip.row_major()) {
        for (index_t i = 0; i < height; ++i)
            std::copy_n(&strip(e.into[static_cast<std::size_t>(i)], 0), columns, &top(i, 0));
        for (const auto& m : e.out) std::copy_n(&strip(m.from, 0), columns, &strip(m.to, 0));
        return;
    }
    constexpr index_t together = 64 / index_t{sizeof(T)};  // a cache line of top
    for (index_t j = 0; j < columns; j += together) {
        const index_t end = std::min(j + together, columns);
        for (index_t i = 0; i < height; ++i)
            for (index_t c = j; c < end; ++c) top(i, c) = strip(e.into[static_cast<std::size_t>(i)], c);
        for (index_t c = j; c < end; ++c)
            for (const auto& m : e.out) strip(m.to, c) = strip(m.from, c);
    }
}

}  // namespace wale::lu
