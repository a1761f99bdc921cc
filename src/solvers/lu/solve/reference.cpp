// reference - defines the result: exchange the rows of B, then forward and back substitution, one right-hand
// side after the other; transposed, the other way round.
#include <utility>

#include "cpu/poll.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

template <class T>
void exchange(const strided<T>& b, index_t column, const std::int32_t* pivots, index_t n, bool backwards) {
    for (index_t step = 0; pivots && step < n; ++step) {
        const index_t k = backwards ? n - 1 - step : step;
        std::swap(b(k, column), b(pivots[k], column));
    }
}

/// Solves T x = b, T the lower or upper triangle of `a`.
template <class T>
void substitute(const strided<const T>& a, index_t n, bool lower, bool unit, const strided<T>& x,
                index_t column) {
    for (index_t step = 0; step < n; ++step) {
        cpu::poll();
        const index_t k = lower ? step : n - 1 - step;
        if (!unit) x(k, column) /= a(k, k);
        for (index_t i = lower ? k + 1 : 0; i < (lower ? n : k); ++i) x(i, column) -= a(i, k) * x(k, column);
    }
}

template <class T>
void solve_one(const solve_job& job, index_t number) {
    const const_matrices factors = job.factors[number];
    const matrices right = job.b[number];
    const auto a = elements<T>(factors);
    const auto b = elements<T>(right);
    const index_t n = factors.rows;
    const std::int32_t* pivots = job.pivots ? job.pivots + job.factors.pivot_start(number) : nullptr;
    for (index_t j = 0; j < right.columns; ++j) {
        if (job.transposed) {  // A^T = U^T L^T P
            substitute(a.transposed(), n, true, false, b, j);
            substitute(a.transposed(), n, false, true, b, j);
            exchange(b, j, pivots, n, true);
        } else {
            exchange(b, j, pivots, n, false);
            substitute(a, n, true, true, b, j);
            substitute(a, n, false, false, b, j);
        }
    }
}

void solve_reference(solve_job& job) {
    for (index_t i = 0; i < job.factors.count(); ++i) {
        if (job.conjugated) conjugate(job.b[i]);  // conj(A) x = b: A conj(x) = conj(b)
        with_any_type(job.factors.type(), [&](auto zero) { solve_one<decltype(zero)>(job, i); });
        if (job.conjugated) conjugate(job.b[i]);
    }
}

}  // namespace

extern constinit const catalogue::row<solve_job> solve_reference_plain{
    "reference/plain", "forward and back substitution, a right-hand side at a time: the reference",
    solve_reference,   nullptr,
    nullptr,           true};

}  // namespace wale::lu
