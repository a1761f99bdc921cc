// finish - what follows from factors and pivots: permutation, first zero, determinant, the outcome of a call.
#include <numeric>
#include <utility>

#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

/// The diagonal of U and what it says.
struct diagonal_facts {
    std::int32_t first_zero = -1;
    bool finite = true;
    double sign = 1;
    double log_magnitude = 0;
};

template <class T>
diagonal_facts read_diagonal(const const_matrices& m) {
    const auto a = elements<T>(m);
    diagonal_facts f;
    for (index_t k = 0; k < m.diagonal(); ++k) {
        const auto u = static_cast<double>(a(k, k));
        if (u == 0 && f.first_zero < 0) f.first_zero = static_cast<std::int32_t>(k);
        f.finite = f.finite && std::isfinite(u);
        f.sign *= u > 0 ? 1 : u < 0 ? -1 : u;  // 0 stays 0, NaN stays NaN
        f.log_magnitude += std::log(std::fabs(u));
    }
    return f;
}

int permutation_sign(const std::int32_t* pivots, index_t n) {
    int sign = 1;
    for (index_t k = 0; pivots && k < n; ++k)
        if (pivots[k] != k) sign = -sign;
    return sign;
}

void write_permutation(const std::int32_t* pivots, const const_matrices& m, std::int32_t* to) {
    std::iota(to, to + m.rows, 0);
    for (index_t k = 0; pivots && k < m.diagonal(); ++k) std::swap(to[k], to[pivots[k]]);
}

diagonal_facts facts_of(const const_matrices& m, const std::int32_t* pivots) {
    diagonal_facts f = with_type(m.type, [&](auto zero) { return read_diagonal<decltype(zero)>(m); });
    f.sign *= permutation_sign(pivots, m.diagonal());
    return f;
}

}  // namespace

void finish(const factor_job& job) {
    lu_result& r = *job.result;
    index_t rows_before = 0;
    for (index_t i = 0; i < job.a.count(); ++i) {
        const matrices m = job.a[i];
        const std::int32_t* pivots = job.out.pivots ? job.out.pivots + job.a.pivot_start(i) : nullptr;
        const diagonal_facts f = facts_of(m, pivots);
        if (i == 0) r.permutation_sign = permutation_sign(pivots, m.diagonal());
        if (f.first_zero >= 0 && r.singular++ == 0) {
            r.first_singular = i;
            r.first_zero = f.first_zero;
        }
        r.not_finite += !f.finite;
        if (job.out.permutation) write_permutation(pivots, m, job.out.permutation + rows_before);
        if (job.out.first_zero) job.out.first_zero[i] = f.first_zero;
        if (job.out.sign) job.out.sign[i] = f.sign;
        if (job.out.log_magnitude) job.out.log_magnitude[i] = f.log_magnitude;
        rows_before += m.rows;
    }
}

lu_determinant_result determinant_of(const const_matrices& factors, const std::int32_t* pivots) {
    const diagonal_facts f = facts_of(factors, pivots);
    return {f.sign, f.log_magnitude};
}

}  // namespace wale::lu
