// eliminate - the elimination of one chain, row by row and handed on at once, so that a right side can go
// along in the shadow of the divisions; with partial pivoting as LAPACK's xGTSV. Periodic chains are
// bordered: the last unknown's column and row go along too. Scalar code with one reciprocal a row.
#pragma once

#include <cmath>
#include <limits>
#include <utility>

#include "solvers/tree/elimination/couplings.hpp"

namespace wale::tree {

/// Divides by multiplying where the reciprocal is a normal number, so that nothing is lost.
template <class T>
class divisor {
public:
    explicit divisor(T pivot)
        : pivot_(pivot), inverse_(base::reciprocal(pivot)), normal_(has_reciprocal(pivot)) {}
    [[nodiscard]] T operator()(T x) const { return normal_ ? product(x, inverse_) : x / pivot_; }
    [[nodiscard]] T pivot() const { return pivot_; }
    [[nodiscard]] T inverse() const { return inverse_; }
    [[nodiscard]] bool normal() const { return normal_; }

    [[nodiscard]] static bool has_reciprocal(T pivot) {
        constexpr auto least = std::numeric_limits<real_of<T>>::min();
        return pivot_size(pivot) >= least && pivot_size(pivot) <= 1 / least;  // NaN: no
    }

private:
    T pivot_, inverse_;
    bool normal_;
};

/// Row i as it is left: x[i] = y[i] - right x[i + 1] - beyond x[i + 2] - column x[last].
template <class T>
struct eliminated_row {
    divisor<T> over{T(1)};
    T multiplier = 0;  // of this row in the next one
    T right = 0, beyond = 0, column = 0;
    T border = 0;            // multiplier of y[i] in the last row of a periodic chain
    bool exchanged = false;  // the rows i and i + 1, before the elimination
};

/// each(i, row) for every row of the open chain. Returns what is left of the corner of a periodic one.
template <bool Pivoted, bool Periodic, class T, class Each>
T eliminate(const couplings<T>& a, Each&& each) {
    const index_t inner = a.inner();
    struct {
        T pivot, right, column;
    } now{}, next{};
    T border = 0, ahead = 0, corner = Periodic ? a.corner() : T(0);  // ahead: for the row after next
    if (inner > 0) {
        now.pivot = a.diagonal[0];
        now.right = inner > 1 ? a.above[0] : T(0);
        if (Periodic) {
            now.column = a.column(0);
            border = a.border(0);
        }
    }
    for (index_t i = 0; i < inner; ++i) {
        eliminated_row<T> row;
        T low = 0, beyond = 0;
        next = {};
        if (i + 1 < inner) {
            low = a.below[i];
            next.pivot = a.diagonal[i + 1];
            if (i + 2 < inner) next.right = a.above[i + 1];
            if (Periodic) next.column = a.column(i + 1);
            if (Pivoted && pivot_size(low) > pivot_size(now.pivot)) {
                row.exchanged = true;
                std::swap(now.pivot, low);
                std::swap(now.right, next.pivot);
                std::swap(beyond, next.right);
                std::swap(now.column, next.column);
            }
        }
        row.over = divisor<T>(now.pivot);
        row.multiplier = row.over(low);
        row.right = row.over(now.right);
        if (Pivoted) row.beyond = row.over(beyond);
        if (Periodic) {
            row.column = row.over(now.column);
            row.border = border;
            corner -= product(row.border, row.column);
            border = (i + 1 < inner ? a.border(i + 1) : T(0)) + ahead - product(row.border, row.right);
            ahead = -product(row.border, row.beyond);
        }
        each(i, row);
        now.pivot = next.pivot - product(row.multiplier, now.right);
        now.right = next.right - product(row.multiplier, beyond);
        if (Periodic) now.column = next.column - product(row.multiplier, now.column);
    }
    return corner;
}

}  // namespace wale::tree
