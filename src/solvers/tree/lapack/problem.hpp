// problem - one system in the form of LAPACK's xGTTRF and xGTTRS: the same operations in the same order, so
// that factors can be exchanged with LAPACK.
#pragma once

#include <utility>

#include "solvers/tree/problem.hpp"

namespace wale::tree {

/// One system. T: of the numbers, const where they are factors to solve with.
template <class T>
struct lapack_rows {
    line<T> lower, diagonal, upper, second;
    std::int32_t* pivots;
    index_t size;
    [[nodiscard]] bool exchanged(index_t i) const { return pivots[i] != i + 1; }
};
template <class T>
[[nodiscard]] lapack_rows<T> lapack_rows_of(const tridiagonal_lu& a, index_t system) {
    return {line_of<T>(a.lower, system),  line_of<T>(a.diagonal, system),      line_of<T>(a.upper, system),
            line_of<T>(a.second, system), a.pivots + system * a.diagonal.size, a.diagonal.size};
}

/// The first pivot that is 0, or -1.
template <class T>
[[nodiscard]] index_t factor_lapack(const lapack_rows<T>& a) {
    const auto& [lower, diagonal, upper, second, pivots, n] = a;
    for (index_t i = 0; i < n; ++i) pivots[i] = static_cast<std::int32_t>(i + 1);
    for (index_t i = 0; i + 2 < n; ++i) second[i] = T(0);
    for (index_t i = 0; i + 1 < n; ++i) {
        if (pivot_size(diagonal[i]) >= pivot_size(lower[i])) {
            if (diagonal[i] == T(0)) continue;
            lower[i] = lower[i] / diagonal[i];
            diagonal[i + 1] -= lower[i] * upper[i];
            continue;
        }
        const T factor = diagonal[i] / lower[i], above = upper[i];
        diagonal[i] = lower[i];
        lower[i] = factor;
        upper[i] = diagonal[i + 1];
        diagonal[i + 1] = above - factor * upper[i];
        if (i + 2 < n) {
            second[i] = upper[i + 1];
            upper[i + 1] = -factor * upper[i + 1];
        }
        ++pivots[i];
    }
    for (index_t i = 0; i < n; ++i)
        if (diagonal[i] == T(0)) return i;
    return -1;
}

template <class T>
void solve_lapack(const lapack_rows<T>& a, const line<T>& x) {
    for (index_t i = 0; i + 1 < a.size; ++i) {
        if (a.exchanged(i)) std::swap(x[i], x[i + 1]);
        x[i + 1] -= a.lower[i] * x[i];
    }
    for (index_t i = a.size - 1; i >= 0; --i) {
        if (i + 1 < a.size) x[i] -= a.upper[i] * x[i + 1];
        if (i + 2 < a.size) x[i] -= a.second[i] * x[i + 2];
        x[i] /= a.diagonal[i];
    }
}

template <class T>
void solve_lapack_transposed(const lapack_rows<T>& a, const line<T>& x) {
    for (index_t i = 0; i < a.size; ++i) {
        if (i >= 1) x[i] -= a.upper[i - 1] * x[i - 1];
        if (i >= 2) x[i] -= a.second[i - 2] * x[i - 2];
        x[i] /= a.diagonal[i];
    }
    for (index_t i = a.size - 2; i >= 0; --i) {
        x[i] -= a.lower[i] * x[i + 1];
        if (a.exchanged(i)) std::swap(x[i], x[i + 1]);
    }
}

/// Factors `system`; its first pivot that is 0, or -1.
[[nodiscard]] inline index_t factor_lapack(const chain_lu_job& job, index_t system) {
    return with_any_type(job.a.diagonal.type, [&](auto zero) {
        return factor_lapack(lapack_rows_of<decltype(zero)>(job.a, system));
    });
}
/// Solves for vector `v` of the right sides.
inline void solve_lapack(const chain_lu_job& job, index_t v) {
    with_any_type(job.rhs.type, [&](auto zero) {
        using T = decltype(zero);
        const lapack_rows<T> a = lapack_rows_of<T>(job.a, v / (job.rhs.count / job.a.diagonal.count));
        const line<T> x = line_of<T>(job.rhs, v);
        job.transposed ? solve_lapack_transposed(a, x) : solve_lapack(a, x);
    });
}

}  // namespace wale::tree
