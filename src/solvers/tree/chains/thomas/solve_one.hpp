// solve_one - one chain with one right side, which goes along with the elimination.
#pragma once

#include "solvers/tree/chains/thomas/factors.hpp"

namespace wale::tree {

/// Words of scratch memory a row.
[[nodiscard]] constexpr index_t one_side_words(factor_form form) {
    return 1 + (form.pivoted ? 1 : 0) + (form.periodic ? 1 : 0);
}

/// y and then x lie in the solution's place, which may be the right side's.
template <bool Pivoted, bool Periodic, class T>
outcome solve_one(const couplings<T>& a, const line<const T>& b, const line<T>& x, T* scratch) {
    outcome seen;
    const index_t inner = a.inner();
    T *right = scratch, *beyond = right + a.size, *column = beyond + (Pivoted ? a.size : 0);
    T moving = inner > 0 ? b[0] : T(0), closing = Periodic ? b[a.size - 1] : T(0);
    const T corner = eliminate<Pivoted, Periodic>(a, [&](index_t i, const eliminated_row<T>& row) {
        seen.see(row.over, i);
        T next = i + 1 < inner ? b[i + 1] : T(0);
        if (Pivoted && row.exchanged) std::swap(moving, next);
        const T y = row.over(moving);
        moving = next - row.multiplier * moving;
        right[i] = row.right;
        if (Pivoted) beyond[i] = row.beyond;
        if (Periodic) {
            column[i] = row.column;
            closing -= row.border * y;
        }
        x[i] = y;  // b[i] and b[i + 1] have been read
    });
    if (Periodic) {
        const divisor<T> over(corner);
        seen.see(over, a.size - 1);
        x[a.size - 1] = closing = over(closing);
    }
    T after = 0, after_next = 0;
    for (index_t i = inner - 1; i >= 0; --i) {
        T value = x[i];
        if (Periodic) value -= column[i] * closing;
        if (i + 1 < inner) value -= right[i] * after;
        if (Pivoted && i + 2 < inner) value -= beyond[i] * after_next;
        after_next = after;
        x[i] = after = value;
    }
    return seen;
}

/// The same with the form as a value.
template <class T>
outcome solve_one(factor_form form, const couplings<T>& a, const line<const T>& b, const line<T>& x,
                  T* scratch) {
    return with_form(form, [&](auto pivoted, auto periodic) {
        return solve_one<pivoted(), periodic(), T>(a, b, x, scratch);
    });
}

}  // namespace wale::tree
