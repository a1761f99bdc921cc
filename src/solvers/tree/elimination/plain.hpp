// plain - one chain's elimination, kept so that any number of right sides can follow: downwards, then
// upwards; with partial pivoting rows i and i + 1 change places where that makes the pivot larger. Periodic
// chains with partial pivoting are folded (folded.hpp). Those without pivoting are bordered: the last unknown
// is taken out, and the chain without it solved for the right side and for that unknown's column. Plain
// loops: the reference's.
#pragma once

#include <utility>
#include <vector>

#include "solvers/tree/elimination/folded.hpp"

namespace wale::tree {

/// One chain's elimination: a row has its diagonal, the element right of it, and, after an exchange, one
/// more.
template <class T>
class open_elimination {
public:
    open_elimination(const bands<T>& a, index_t size, wale::pivoting pivoting, index_t system, verdict& bad)
        : rows_(static_cast<std::size_t>(size)) {
        for (index_t i = 0; i < size; ++i) {
            row& r = at(i);
            r.pivot = a.middle(i);
            r.right = i + 1 < size ? a.up(i) : T(0);
        }
        for (index_t i = 0; i < size; ++i) {
            if (i + 1 < size) eliminate(i, a.low(i + 1), pivoting);
            if (is_bad(at(i).pivot)) bad.note(system, i);
        }
    }
    /// x: the right side, then the solution.
    void solve(std::vector<T>& x) const {
        const auto size = static_cast<index_t>(rows_.size());
        for (index_t i = 0; i + 1 < size; ++i) {
            const auto k = static_cast<std::size_t>(i);
            if (rows_[k].exchanged) std::swap(x[k], x[k + 1]);
            x[k + 1] -= rows_[k].multiplier * x[k];
        }
        for (index_t i = size - 1; i >= 0; --i) {
            const auto k = static_cast<std::size_t>(i);
            if (i + 1 < size) x[k] -= rows_[k].right * x[k + 1];
            if (i + 2 < size) x[k] -= rows_[k].beyond * x[k + 2];
            x[k] /= rows_[k].pivot;
        }
    }

private:
    struct row {
        T pivot, right, beyond = 0, multiplier = 0;
        bool exchanged = false;
    };
    row& at(index_t i) { return rows_[static_cast<std::size_t>(i)]; }

    /// Takes unknown i out of row i + 1, which has `low` in its column.
    void eliminate(index_t i, T low, wale::pivoting pivoting) {
        row &r = at(i), &next = at(i + 1);
        if (pivoting == pivoting::partial && pivot_size(low) > pivot_size(r.pivot)) {
            r.exchanged = true;
            std::swap(r.pivot, low);
            std::swap(r.right, next.pivot);
            std::swap(r.beyond, next.right);
        }
        r.multiplier = low == T(0) && r.pivot == T(0) ? T(0) : low / r.pivot;
        next.pivot -= r.multiplier * r.right;
        next.right -= r.multiplier * r.beyond;
    }
    std::vector<row> rows_;
};

/// The same for chains that may be periodic. With y = A'^-1 b', z = A'^-1 c of the chain A' without the last
/// unknown, where c is that unknown's column: x_last = (b_last - r y) / (d_last - r z), with r the last row,
/// and x' = y - z x_last.
template <class T>
class elimination {
public:
    elimination(const bands<T>& a, wale::pivoting pivoting, index_t system, verdict& bad)
        : size_(a.size),
          folded_(a.periodic && pivoting == pivoting::partial
                      ? static_cast<std::size_t>(a.size * folded_factors<T>::words)
                      : 0),
          open_(a,
                !folded_.empty() ? 0
                : a.periodic     ? a.size - 1
                                 : a.size,
                pivoting, system, bad) {
        if (!folded_.empty()) {
            const index_t row = factor_folded(a, folded_factors<T>{folded_.data(), size_, 1});
            if (row >= 0) bad.note(system, row);
            return;
        }
        if (!a.periodic) return;
        const index_t last = size_ - 1;
        column_.assign(static_cast<std::size_t>(last), T(0));
        corner_ = a.middle(last);
        if (last == 0) corner_ += a.low(0) + a.up(0);
        if (last > 0) {
            column_.front() += a.low(0);
            column_.back() += a.up(last - 1);
            open_.solve(column_);
            first_ = a.up(last);
            before_ = a.low(last);
            corner_ -= first_ * column_.front() + before_ * column_.back();
        }
        closed_ = true;
        if (is_bad(corner_)) bad.note(system, last);
    }
    /// b and x may be the same.
    void solve(const line<const T>& b, const line<T>& x) const {
        if (!folded_.empty()) return solve_folded(folded_factors<const T>{folded_.data(), size_, 1}, b, x);
        const auto inner = static_cast<std::size_t>(closed_ ? size_ - 1 : size_);
        std::vector<T> y(inner);
        for (std::size_t i = 0; i < inner; ++i) y[i] = b[static_cast<index_t>(i)];
        open_.solve(y);
        T last = 0;
        if (closed_) {
            last = b[size_ - 1];
            if (inner > 0) last -= first_ * y.front() + before_ * y.back();
            last /= corner_;
            for (std::size_t i = 0; i < inner; ++i) y[i] -= column_[i] * last;
        }
        for (std::size_t i = 0; i < inner; ++i) x[static_cast<index_t>(i)] = y[i];
        if (closed_) x[size_ - 1] = last;
    }

private:
    index_t size_;
    std::vector<T> folded_;  // periodic and pivoted: all that there is
    open_elimination<T> open_;
    std::vector<T> column_;                  // z
    T corner_ = 0, first_ = 0, before_ = 0;  // of the last row
    bool closed_ = false;
};

}  // namespace wale::tree
