// folded - a periodic chain eliminated with partial pivoting, on host and device. The ring is folded flat:
// its unknowns are taken from both ends inwards, 0, n - 1, 1, n - 2, ..., so that neighbours are at most two
// places apart, the corners too. What is left is a matrix of bandwidth two, and partial pivoting keeps the
// elements of U below 2^3 - 1 times the largest of A (Bohte 1975). An unknown that is kept for the end of a
// natural order has no such bound: the rows before it can be singular although the ring is not.
#pragma once

#include <utility>

#include "solvers/tree/problem.hpp"

namespace wale::tree {

/// The factors of one ring: `words` numbers of each place, `step` elements apart. T: of the numbers, perhaps
/// const.
template <class T>
struct folded_factors {
    static constexpr index_t pivot = 0, upper = 1, multiplier = 5, exchanged = 7, words = 8;
    T* first;
    index_t size, step;
    [[nodiscard]] WALE_HD T& at(index_t place, index_t word) const {
        return first[(place * words + word) * step];
    }
    /// The unknown at a place.
    [[nodiscard]] WALE_HD index_t unknown(index_t place) const {
        return place % 2 == 0 ? place / 2 : size - 1 - place / 2;
    }
};

/// The elements of the row at `place` in the columns from place - 2 to place + 2. Terms in one column are
/// added.
template <class T>
WALE_HD void read_folded(const bands<T>& a, index_t place, T (&row)[5]) {
    const index_t n = a.size, i = folded_factors<T>{nullptr, n, 1}.unknown(place);
    const auto column = [&](index_t k) { return (2 * k < n ? 2 * k : 2 * (n - k) - 1) - place + 2; };
    for (T& element : row) element = T(0);
    row[2] = a.middle(i);
    row[column(i == 0 ? n - 1 : i - 1)] += a.low(i);
    row[column(i == n - 1 ? 0 : i + 1)] += a.up(i);
}

/// P A = L U. Returns the first row in the order of elimination whose pivot was 0 or not finite, or -1. With
/// to.first null nothing is kept.
template <class T>
WALE_HD index_t factor_folded(const bands<T>& a, const folded_factors<T>& to) {
    T now[5], next[5], third[5];
    index_t bad = -1;
    const auto shift = [](T(&row)[5]) {
        for (int c = 0; c < 4; ++c) row[c] = row[c + 1];
        row[4] = T(0);
    };
    const auto exchange = [](T(&p)[5], T(&q)[5]) {
        for (int c = 0; c < 5; ++c) {
            const T old = p[c];
            p[c] = q[c];
            q[c] = old;
        }
    };
    read_folded(a, 0, now);
    shift(now);
    shift(now);
    for (T& element : next) element = T(0);
    if (a.size > 1) {
        read_folded(a, 1, next);
        shift(next);
    }
    for (index_t k = 0; k < a.size; ++k) {
        for (T& element : third) element = T(0);
        if (k + 2 < a.size) read_folded(a, k + 2, third);
        int chosen = pivot_size(next[0]) > pivot_size(now[0]) ? 1 : 0;
        if (pivot_size(third[0]) > pivot_size(chosen == 1 ? next[0] : now[0])) chosen = 2;
        if (chosen == 1) exchange(now, next);
        if (chosen == 2) exchange(now, third);
        if (is_bad(now[0]) && bad < 0) bad = to.unknown(k);
        const T one = next[0] == T(0) ? T(0) : next[0] / now[0];
        const T two = third[0] == T(0) ? T(0) : third[0] / now[0];
        if (to.first != nullptr) {
            for (int c = 0; c < 5; ++c) to.at(k, to.pivot + c) = now[c];
            to.at(k, to.multiplier) = one;
            to.at(k, to.multiplier + 1) = two;
            to.at(k, to.exchanged) = T(static_cast<real_of<T>>(chosen));
        }
        for (int c = 1; c < 5; ++c) {
            next[c] -= one * now[c];
            third[c] -= two * now[c];
        }
        for (int c = 0; c < 4; ++c) {
            now[c] = next[c + 1];
            next[c] = third[c + 1];
        }
        now[4] = next[4] = T(0);
    }
    return bad;
}

/// Row `now` changes places with row `next` where `chosen` is 1, with row `third` where it is 2.
template <class T>
WALE_HD void exchange_rows(T chosen, T& now, T& next, T& third) {
    const T own = now;
    if (chosen == T(1)) {
        now = next;
        next = own;
    } else if (chosen == T(2)) {
        now = third;
        third = own;
    }
}

/// x = A^-1 b; b and x may be the same memory.
template <class F, class T>
WALE_HD void solve_folded(const folded_factors<F>& f, const line<const T>& b, const line<T>& x) {
    T now = b[f.unknown(0)], next = f.size > 1 ? b[f.unknown(1)] : T(0);
    for (index_t k = 0; k < f.size; ++k) {
        T third = k + 2 < f.size ? b[f.unknown(k + 2)] : T(0);
        exchange_rows(f.at(k, f.exchanged), now, next, third);
        x[f.unknown(k)] = now;
        const T kept = now;
        now = next - f.at(k, f.multiplier) * kept;
        next = third - f.at(k, f.multiplier + 1) * kept;
    }
    T after[4] = {};
    for (index_t k = f.size - 1; k >= 0; --k) {
        T sum = x[f.unknown(k)];
        for (int c = 3; c >= 0; --c) sum -= f.at(k, f.upper + c) * after[c];
        sum /= f.at(k, f.pivot);
        for (int c = 3; c > 0; --c) after[c] = after[c - 1];
        x[f.unknown(k)] = after[0] = sum;
    }
}

/// x = A^-T x with the factors of A.
template <class F, class T>
WALE_HD void solve_folded_transposed(const folded_factors<F>& f, const line<T>& x) {
    T sums[4] = {};  // for the next four places
    for (index_t k = 0; k < f.size; ++k) {
        const T found = (x[f.unknown(k)] - sums[0]) / f.at(k, f.pivot);
        for (int c = 0; c < 4; ++c) sums[c] = (c < 3 ? sums[c + 1] : T(0)) + f.at(k, f.upper + c) * found;
        x[f.unknown(k)] = found;
    }
    T next = T(0), third = T(0);
    for (index_t k = f.size - 1; k >= 0; --k) {
        T now = x[f.unknown(k)] - f.at(k, f.multiplier) * next - f.at(k, f.multiplier + 1) * third;
        exchange_rows(f.at(k, f.exchanged), now, next, third);
        if (k + 2 < f.size) x[f.unknown(k + 2)] = third;
        third = next;
        next = now;
    }
    x[f.unknown(0)] = next;
    if (f.size > 1) x[f.unknown(1)] = third;
}

}  // namespace wale::tree
