// factors - one chain's elimination kept in memory, and the solution of right sides with it; A^T from the
// same numbers. A = L U: U has 1, right, beyond and column, L the pivots, multipliers and border.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "solvers/tree/elimination/eliminate.hpp"

namespace wale::tree {

/// Which numbers a row keeps.
struct factor_form {
    bool pivoted = false, periodic = false;
    [[nodiscard]] constexpr int words() const { return 3 + (pivoted ? 1 : 0) + (periodic ? 2 : 0); }
};

/// The numbers of one chain: number f of row i is words[(f size + i) step]. Chains in lanes have their own
/// `words` and the same `step`.
template <class T>
struct factor_rows {
    T* words = nullptr;
    index_t size = 0, step = 1;
    factor_form form{};

    [[nodiscard]] line<T> field(int f) const { return {words + f * size * step, step}; }
    [[nodiscard]] line<T> multiplier() const { return field(0); }
    [[nodiscard]] line<T> inverse() const { return field(1); }  // of the pivot; the corner's in the last row
    [[nodiscard]] line<T> right() const { return field(2); }
    /// Rows i and i + 1 have changed places where this is not +0: an exchange writes -0 for 0.
    [[nodiscard]] line<T> beyond() const { return field(3); }
    [[nodiscard]] line<T> column() const { return field(form.pivoted ? 4 : 3); }
    [[nodiscard]] line<T> border() const { return field(form.pivoted ? 5 : 4); }
};

template <class T>
[[nodiscard]] bool is_exchanged(T beyond) {
    if constexpr (base::is_complex_type<T>) {
        return is_exchanged(beyond.real()) || is_exchanged(beyond.imag());
    } else {
        using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
        return std::bit_cast<bits>(beyond) != 0;
    }
}

/// How an elimination went.
struct outcome {
    index_t bad_row = -1;  // the first whose pivot is 0 or not finite
    bool normal = true;    // every pivot has a reciprocal; else `inverse` holds the pivots themselves
    bool stable = true;    // of a periodic chain with pivoting: bordering was as good as folding it

    template <class T>
    void see(const divisor<T>& over, index_t row) {
        if (over.normal()) return;
        normal = false;
        if (bad_row < 0 && is_bad(over.pivot())) bad_row = row;
    }
};

/// A bordered ring's last row is the only row without a choice of pivots. Its backward error is at most some
/// roundings of the sum of its row of |L| |U|: while this sum is at most 16 times the sum of the row in |A|,
/// as it is of dominant chains, bordering is as good as folding.
template <class T>
inline constexpr T most_border_growth = 16;

/// f(std::bool_constant for pivoted, for periodic).
template <class F>
decltype(auto) with_form(factor_form form, F&& f) {
    using yes = std::true_type;
    using no = std::false_type;
    if (form.pivoted) return form.periodic ? f(yes{}, yes{}) : f(yes{}, no{});
    return form.periodic ? f(no{}, yes{}) : f(no{}, no{});
}

/// Writes the factors of `a`.
template <class T>
outcome factor_chain(const couplings<T>& a, const factor_rows<T>& to) {
    outcome seen;
    std::optional<divisor<T>> corner;
    real_of<T> growth = 0;
    with_form(to.form, [&](auto pivoted, auto periodic) {
        const T left = eliminate<pivoted(), periodic()>(a, [&](index_t i, const eliminated_row<T>& row) {
            seen.see(row.over, i);
            to.multiplier()[i] = row.multiplier;
            to.inverse()[i] = row.over.pivot();
            to.right()[i] = row.right;
            if (pivoted()) to.beyond()[i] = !row.exchanged ? T(0) : row.beyond == T(0) ? -T(0) : row.beyond;
            if (periodic()) {
                to.column()[i] = row.column;
                to.border()[i] = row.border;
                growth += pivot_size(row.border) *
                          (1 + pivot_size(row.right) + pivot_size(row.beyond) + pivot_size(row.column));
            }
        });
        if (periodic()) corner.emplace(left);
    });
    if (corner) {
        seen.see(*corner, a.size - 1);
        to.inverse()[a.size - 1] = corner->pivot();
        if (to.form.pivoted)
            seen.stable =
                seen.bad_row < 0 && growth <= most_border_growth<real_of<T>> * a.last_row();  // NaN: no
    }
    if (seen.normal)
        for (index_t i = 0; i < a.size; ++i) to.inverse()[i] = base::reciprocal(to.inverse()[i]);
    return seen;
}

/// Solves with the factors of one chain, in place.
template <class T>
class factor_solver {
public:
    factor_solver(const factor_rows<T>& f, bool normal)
        : f_(f), inner_(f.form.periodic ? f.size - 1 : f.size), normal_(normal) {}

    void solve(const line<T>& x) const {
        const bool periodic = f_.form.periodic;
        T corner = periodic ? x[f_.size - 1] : T(0);
        for (index_t i = 0; i < inner_; ++i) {
            if (i + 1 < inner_) {
                if (exchanged(i)) std::swap(x[i], x[i + 1]);
                x[i + 1] -= product(f_.multiplier()[i], x[i]);
            }
            x[i] = over_pivot(i, x[i]);
            if (periodic) corner -= product(f_.border()[i], x[i]);
        }
        if (periodic) x[f_.size - 1] = corner = over_pivot(f_.size - 1, corner);
        for (index_t i = inner_ - 1; i >= 0; --i) {
            if (i + 1 < inner_) x[i] -= product(f_.right()[i], x[i + 1]);
            if (f_.form.pivoted && i + 2 < inner_) x[i] -= product(f_.beyond()[i], x[i + 2]);
            if (periodic) x[i] -= product(f_.column()[i], corner);
        }
    }
    /// The same of right sides that lie side by side: row i of side v is x[i step + v].
    void solve_beside(T* x, index_t step, index_t sides) const {
        const bool periodic = f_.form.periodic;
        T* const corner = x + (f_.size - 1) * step;
        for (index_t i = 0; i < inner_; ++i) {
            T *const row = x + i * step, *const next = row + step;
            if (i + 1 < inner_) {
                if (exchanged(i)) std::swap_ranges(row, row + sides, next);
                take(next, f_.multiplier()[i], row, sides);
            }
            over_pivot(i, row, sides);
            if (periodic) take(corner, f_.border()[i], row, sides);
        }
        if (periodic) over_pivot(f_.size - 1, corner, sides);
        for (index_t i = inner_ - 1; i >= 0; --i) {
            T* const row = x + i * step;
            if (i + 1 < inner_) take(row, f_.right()[i], row + step, sides);
            if (f_.form.pivoted && i + 2 < inner_) take(row, f_.beyond()[i], row + 2 * step, sides);
            if (periodic) take(row, f_.column()[i], corner, sides);
        }
    }
    void solve_transposed(const line<T>& x) const {
        const bool periodic = f_.form.periodic;
        T corner = periodic ? x[f_.size - 1] : T(0);
        for (index_t i = 0; i < inner_; ++i) {
            if (i >= 1) x[i] -= product(f_.right()[i - 1], x[i - 1]);
            if (f_.form.pivoted && i >= 2) x[i] -= product(f_.beyond()[i - 2], x[i - 2]);
            if (periodic) corner -= product(f_.column()[i], x[i]);
        }
        if (periodic) x[f_.size - 1] = corner = over_pivot(f_.size - 1, corner);
        for (index_t i = inner_ - 1; i >= 0; --i) {
            if (periodic) x[i] -= product(f_.border()[i], corner);
            x[i] = over_pivot(i, x[i]);
            if (i + 1 < inner_) {
                x[i] -= product(f_.multiplier()[i], x[i + 1]);
                if (exchanged(i)) std::swap(x[i], x[i + 1]);
            }
        }
    }

private:
    [[nodiscard]] bool exchanged(index_t i) const { return f_.form.pivoted && is_exchanged(f_.beyond()[i]); }
    static void take(T* __restrict from, T factor, const T* __restrict row, index_t sides) {
        for (index_t v = 0; v < sides; ++v) from[v] -= product(factor, row[v]);
    }
    void over_pivot(index_t i, T* row, index_t sides) const {
        const T inverse = f_.inverse()[i];
        if (normal_)
            for (index_t v = 0; v < sides; ++v) row[v] = product(row[v], inverse);
        else
            for (index_t v = 0; v < sides; ++v) row[v] /= inverse;
    }
    [[nodiscard]] T over_pivot(index_t i, T x) const {
        return normal_ ? product(x, f_.inverse()[i]) : x / f_.inverse()[i];
    }
    factor_rows<T> f_;
    index_t inner_;
    bool normal_;
};

}  // namespace wale::tree
