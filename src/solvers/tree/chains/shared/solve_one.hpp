// solve_one - one chain with one right side, which goes along with the elimination.
#pragma once

#include "solvers/tree/elimination/factors.hpp"
#include "solvers/tree/elimination/folded.hpp"

namespace wale::tree {

/// Whether the right sides of a system lie side by side, and so do their solutions.
[[nodiscard]] inline bool are_beside(const chain_job& job, index_t s) {
    const index_t sides = job.right_sides(), first = s * sides, last = first + sides - 1;
    return job.rhs.begin_of(last) - job.rhs.begin_of(first) == sides - 1 &&
           job.solution.begin_of(last) - job.solution.begin_of(first) == sides - 1;
}

/// Words of scratch memory a row.
[[nodiscard]] constexpr index_t one_side_words(factor_form form) {
    if (form.pivoted && form.periodic) return folded_factors<float>::words;
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
        moving = next - product(row.multiplier, moving);
        right[i] = row.right;
        if (Pivoted) beyond[i] = row.beyond;
        if (Periodic) {
            column[i] = row.column;
            closing -= product(row.border, y);
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
        if (Periodic) value -= product(column[i], closing);
        if (i + 1 < inner) value -= product(right[i], after);
        if (Pivoted && i + 2 < inner) value -= product(beyond[i], after_next);
        after_next = after;
        x[i] = after = value;
    }
    return seen;
}

/// One system of a job, of any form.
template <class T>
outcome solve_one(const chain_job& job, index_t system, const line<T>& x, T* scratch) {
    const bool pivoted = job.pivoting == pivoting::partial;
    const line<const T> b = line_of<T>(job.rhs, system);
    if (pivoted && job.a.periodic) {
        const folded_factors<T> factors{scratch, job.a.shape().size_of(system), 1};
        const index_t bad = factor_folded(bands_of<T>(job.a, system), factors);
        solve_folded(factors, b, x);
        return {.bad_row = bad};
    }
    const couplings<T> a = couplings_of<T>(job.a, system);
    if (pivoted) return solve_one<true, false>(a, b, x, scratch);
    return a.periodic ? solve_one<false, true>(a, b, x, scratch) : solve_one<false, false>(a, b, x, scratch);
}

}  // namespace wale::tree
