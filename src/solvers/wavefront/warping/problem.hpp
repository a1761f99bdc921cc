// problem - one cell of a table of warping costs, and the cells that a window leaves.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/host_device.hpp"
#include "solvers/wavefront/warping_jobs.hpp"

namespace wale::wavefront {

/// The cells (i, j) of an m x n table with i - j <= below and j - i <= above (Sakoe & Chiba 1978). They
/// contain (0, 0) and (m - 1, n - 1) and a path between both.
struct warping_band {
    index_t rows, columns, below, above;
    WALE_HD warping_band(index_t m, index_t n, index_t window) : rows(m), columns(n), below(m), above(n) {
        if (window < 0 || window >= (m > n ? m : n)) return;
        below = window + (m > n ? m - n : 0);
        above = window + (n > m ? n - m : 0);
    }
    [[nodiscard]] index_t first(index_t i) const { return std::max<index_t>(0, i - below); }
    [[nodiscard]] index_t last(index_t i) const { return std::min(columns - 1, i + above); }
    [[nodiscard]] bool has(index_t i, index_t j) const {
        return i >= 0 && j >= 0 && i - j <= below && j - i <= above;
    }
    [[nodiscard]] double cells() const {
        const auto triangle = [](index_t side) {
            return side > 0 ? static_cast<double>(side) * static_cast<double>(side + 1) / 2 : 0;
        };
        return static_cast<double>(rows) * static_cast<double>(columns) - triangle(columns - 1 - above) -
               triangle(rows - 1 - below);
    }
};

template <class T>
struct warping_cell {
    static constexpr T infinity = std::numeric_limits<T>::infinity();
    index_t dimensions;
    bool squared;
    T gamma;
    explicit warping_cell(const warping_measure& m)
        : dimensions(m.dimensions), squared(m.cost == dtw_cost::squared), gamma(static_cast<T>(m.gamma)) {}

    /// Of two points, added in the order of their dimensions.
    [[nodiscard]] T cost(const T* a, const T* b) const {
        T sum = 0;
        for (index_t d = 0; d < dimensions; ++d) {
            const T difference = a[d] - b[d];
            sum += squared ? difference * difference : std::abs(difference);
        }
        return sum;
    }
    /// The minimum, or the soft one. Symmetric in `up` and `left`, bit for bit.
    [[nodiscard]] T least(T diagonal, T up, T left) const {
        const T least = std::min(std::min(up, left), diagonal);
        if (gamma == 0 || least == infinity) return least;
        const auto part = [&](T x) { return std::exp((least - x) / gamma); };
        return least - gamma * std::log(part(left) + part(up) + part(diagonal));
    }
};

}  // namespace wale::wavefront
