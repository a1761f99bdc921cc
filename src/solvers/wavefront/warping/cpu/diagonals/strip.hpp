// strip - some rows of a table of warping costs, diagonal by diagonal. The cells of an antidiagonal do not
// wait for each other: a vector is as many of them as it has lanes, and row i of a diagonal lies at [i], so
// that the three neighbours of all lanes are three loads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <wale/layout.hpp>

namespace wale::wavefront {

/// Numbers beyond the rows of a strip, the columns of a pair and a diagonal that vectors may read and write.
inline constexpr index_t strip_overrun = 16;

/// Rows 0..rows - 1 and columns 0..columns - 1, counted from the strip's corner.
template <class T>
struct warping_strip {
    index_t rows, columns;
    index_t below, above;  // cells with i - j <= below and j - i <= above; others are infinite
    index_t dimensions;
    bool squared;
    T gamma;
    const T* a;  // dimension d of row i: a[d * a_stride + i]
    const T* b;  // dimension d of column j: b[d * b_stride - j]
    index_t a_stride, b_stride;
    T* edge;  // in: the row above, edge[-1..columns]; out: the cells of the last row that it computes
    /// Diagonal k = i + j, from -2 on: row i at diagonals[(k + 2) % kept * pitch + 1 + i]; rows -1 and
    /// columns -1 too. kept: 3, or all rows + columns + 1.
    T* diagonals;
    index_t kept, pitch;
    /// Null, or of each cell two bits, which say where a path came from: diagonal k at
    /// [k * decision_pitch], of each vector of it a word of decision_bytes() each: the cell above is less
    /// than the diagonal one; that at the left is less than both.
    std::uint8_t* decisions = nullptr;
    index_t decision_pitch = 0;

    /// The rows of diagonal k that have cells: a vector begins at the first one.
    [[nodiscard]] index_t first_row(index_t k) const {
        return std::max({index_t{0}, k - columns + 1, (k - above + 1) / 2});
    }
    [[nodiscard]] index_t last_row(index_t k) const { return std::min({rows - 1, k, (k + below) / 2}); }
};

/// Lanes of a vector of numbers of so many bytes, and bytes of a bit for each lane.
[[nodiscard]] index_t lanes_of_strip(int bytes);
[[nodiscard]] constexpr index_t decision_bytes(index_t lanes) {
    return (lanes + 7) / 8;
}

void compute(const warping_strip<float>&);
void compute(const warping_strip<double>&);
/// The same without a soft minimum and without kept cells, for few rows or columns.
void compute_thin(const warping_strip<float>&);
void compute_thin(const warping_strip<double>&);

}  // namespace wale::wavefront
