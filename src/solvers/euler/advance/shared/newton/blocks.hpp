// blocks - five by five matrices, column after column, so that products go down columns in vectors: what a
// change of one cell's state does to a cell's balance.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "solvers/euler/advance/problem.hpp"

namespace wale::euler {

using block = std::array<double, static_cast<std::size_t>(variables) * variables>;
using balance = std::array<double, variables>;  // of a cell; or a change of its state

[[nodiscard]] constexpr std::size_t block_place(int row, int column) noexcept {
    return static_cast<std::size_t>(variables * column + row);
}

/// sum += scale a x
inline void add_product(balance& sum, double scale, const block& a, const balance& x) {
    balance part{};
    for (int j = 0; j < variables; ++j) {
        if (j == 3 && x[3] == 0) continue;  // in 2-D always
        for (int i = 0; i < variables; ++i)
            part[static_cast<std::size_t>(i)] += a[block_place(i, j)] * x[static_cast<std::size_t>(j)];
    }
    for (std::size_t i = 0; i < part.size(); ++i) sum[i] += scale * part[i];
}

/// sum -= a b c
inline void subtract_product(block& sum, const block& a, const block& b, const block& c) {
    const auto product = [](const block& l, const block& r) {
        block p{};
        for (int j = 0; j < variables; ++j)
            for (int e = 0; e < variables; ++e)
                for (int i = 0; i < variables; ++i)
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
    const auto size = [&](int row, int column) {
        return std::fabs(a[block_place(row, column)]) / units[static_cast<std::size_t>(row)];
    };
    for (int c = 0; c < variables; ++c) {
        int pivot = c;
        for (int r = c + 1; r < variables; ++r)
            if (size(r, c) > size(pivot, c)) pivot = r;
        std::swap(units[static_cast<std::size_t>(c)], units[static_cast<std::size_t>(pivot)]);
        for (block* m : {&a, &b})
            for (int j = 0; j < variables; ++j)
                if (pivot != c) std::swap((*m)[block_place(c, j)], (*m)[block_place(pivot, j)]);
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
