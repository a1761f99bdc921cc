// couplings - a chain as pairs of neighbours: what couples rows i and i + 1. Transposing exchanges the two
// numbers of a pair, so that the loops over rows need not ask. Shared by the schedules on the CPU.
#pragma once

#include "solvers/tree/problem.hpp"

namespace wale::tree {

/// One system. With a periodic chain the last row closes the ring: rows 0 to inner() - 1 form an open chain,
/// bordered by the column and the row of the last unknown.
template <class T>
struct couplings {
    line<const T> diagonal;
    line<const T> below;  // [size - 1]: of x[i] in row i + 1
    line<const T> above;  // [size - 1]: of x[i + 1] in row i
    T first = 0;          // periodic: of the last unknown in row 0
    T last = 0;           // periodic: of x[0] in the last row
    index_t size = 0;
    bool periodic = false;

    [[nodiscard]] index_t inner() const { return periodic ? size - 1 : size; }
    /// Of the last unknown in row i of the open chain.
    [[nodiscard]] T column(index_t i) const {
        return (i == 0 ? first : T(0)) + (i == size - 2 ? above[i] : T(0));
    }
    /// Of x[i] in the last row.
    [[nodiscard]] T border(index_t i) const {
        return (i == 0 ? last : T(0)) + (i == size - 2 ? below[i] : T(0));
    }
    /// The sum of the last row's elements, each without its sign.
    [[nodiscard]] real_of<T> last_row() const {
        return pivot_size(diagonal[size - 1]) + pivot_size(last) +
               pivot_size(size > 1 ? below[size - 2] : first);
    }
    /// Of the last unknown in the last row.
    [[nodiscard]] T corner() const { return diagonal[size - 1] + (size == 1 ? first + last : T(0)); }
};

template <class T>
[[nodiscard]] couplings<T> couplings_of(const chain_matrix& a, index_t system) {
    const bands<T> rows = bands_of<T>(a, system);
    couplings<T> c{rows.diagonal, rows.lower, rows.upper};
    c.size = rows.size;
    c.periodic = rows.periodic && rows.size > 0;
    if (rows.size > 1) c.below.data += rows.lower.step;
    if (a.transposed) std::swap(c.below, c.above);
    if (c.periodic) {
        c.first = rows.low(0);
        c.last = rows.up(rows.size - 1);
    }
    return c;
}

}  // namespace wale::tree
