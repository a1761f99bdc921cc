// blocks - five by five matrices, row after row: what a change of one cell's state does to a cell's balance.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/euler/advance/problem.hpp"

namespace wale::euler {

using block = std::array<double, static_cast<std::size_t>(variables) * variables>;
using balance = std::array<double, variables>;  // of a cell; or a change of its state

[[nodiscard]] constexpr std::size_t block_place(int row, int column) noexcept {
    return static_cast<std::size_t>(variables * row + column);
}

/// sum += scale a x
inline void add_product(balance& sum, double scale, const block& a, const balance& x) {
    for (int i = 0; i < variables; ++i) {
        double part = 0;
        for (int j = 0; j < variables; ++j) part += a[block_place(i, j)] * x[static_cast<std::size_t>(j)];
        sum[static_cast<std::size_t>(i)] += scale * part;
    }
}

/// sum -= a b c
inline void subtract_product(block& sum, const block& a, const block& b, const block& c) {
    const auto product = [](const block& l, const block& r) {
        block p{};
        for (int i = 0; i < variables; ++i)
            for (int e = 0; e < variables; ++e)
                for (int j = 0; j < variables; ++j)
                    p[block_place(i, j)] += l[block_place(i, e)] * r[block_place(e, j)];
        return p;
    };
    const block abc = product(product(a, b), c);
    for (std::size_t i = 0; i < abc.size(); ++i) sum[i] -= abc[i];
}

/// By Gauss and Jordan's elimination, the largest pivot of each column in units of its row, so that no choice
/// of units exchanges rows; of a singular matrix not finite.
[[nodiscard]] inline block inverse_of(block a, balance units) {
    block b{};
    for (int i = 0; i < variables; ++i) b[block_place(i, i)] = 1;
    const auto at = [](block& m, int row) { return m.begin() + variables * row; };
    const auto size = [&](int row, int column) {
        return std::fabs(a[block_place(row, column)]) / units[static_cast<std::size_t>(row)];
    };
    for (int c = 0; c < variables; ++c) {
        int pivot = c;
        for (int r = c + 1; r < variables; ++r)
            if (size(r, c) > size(pivot, c)) pivot = r;
        std::swap(units[static_cast<std::size_t>(c)], units[static_cast<std::size_t>(pivot)]);
        for (block* m : {&a, &b})
            if (pivot != c) std::swap_ranges(at(*m, c), at(*m, c) + variables, at(*m, pivot));
        const double inverse = 1 / a[block_place(c, c)];
        for (block* m : {&a, &b})
            for (int j = 0; j < variables; ++j) (*m)[block_place(c, j)] *= inverse;
        for (int r = 0; r < variables; ++r) {
            const double part = a[block_place(r, c)];
            if (r == c || part == 0) continue;
            for (block* m : {&a, &b})
                for (int j = 0; j < variables; ++j) (*m)[block_place(r, j)] -= part * (*m)[block_place(c, j)];
        }
    }
    return b;
}

}  // namespace wale::euler
