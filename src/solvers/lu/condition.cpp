// condition - Hager's estimate of the 1-norm of the inverse, made robust by Higham (1988): xLACON's way, a
// few solves with A and its transpose.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <wale/buffer.hpp>

#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

/// x <- 2^e A^-1 x or 2^e A^-T x, wherever the factors lie; x is on the host. With 2^e near the norm of A
/// neither the right-hand side nor the solution leaves the range of the scalar type.
class inverse_of {
public:
    inverse_of(const execution& where, const const_matrices& factors, const std::int32_t* pivots,
               int exponent)
        : where_(where), factors_(factors), pivots_(pivots), scale_(std::ldexp(1.0, exponent)) {}

    void apply(std::vector<double>& x, bool transposed) const {
        with_type(factors_.type, [&](auto zero) { solve<decltype(zero)>(x, transposed); });
    }

private:
    template <class T>
    void solve(std::vector<double>& x, bool transposed) const {
        std::vector<T> narrow;
        for (const double v : x) narrow.push_back(static_cast<T>(v * scale_));
        const auto there = to_device(where_, std::span<const T>(narrow));
        solve_job job{.where = where_,
                      .factors = factors_,
                      .pivots = pivots_,
                      .b = matrices(view<T, 2>(there.data(), {factors_.rows, 1})),
                      .transposed = transposed};
        run_solve(job, "automatic");
        copy_bytes(where_, narrow.data(), there.data(), std::ssize(narrow) * index_t{sizeof(T)});
        std::copy(narrow.begin(), narrow.end(), x.begin());
    }
    execution where_;
    const_matrices factors_;
    const std::int32_t* pivots_;
    double scale_;
};

double one_norm(const std::vector<double>& x) {
    return std::accumulate(x.begin(), x.end(), 0.0, [](double s, double v) { return s + std::fabs(v); });
}

/// Signs of x in place; true if they are those of `before`, which takes them.
bool take_signs(std::vector<double>& x, std::vector<double>& before) {
    for (double& v : x) v = v >= 0 ? 1 : -1;
    const bool same = x == before;
    before = x;
    return same;
}

std::size_t largest_at(const std::vector<double>& x) {
    std::size_t at = 0;
    for (std::size_t i = 1; i < x.size(); ++i)
        if (std::fabs(x[i]) > std::fabs(x[at])) at = i;
    return at;
}

double inverse_one_norm(const inverse_of& inverse, std::size_t n) {
    std::vector<double> x(n, 1 / static_cast<double>(n)), signs;
    inverse.apply(x, false);
    double estimate = one_norm(x);
    if (n == 1) return estimate;
    (void)take_signs(x, signs);
    inverse.apply(x, true);
    std::size_t at = largest_at(x);
    for (int iteration = 0; iteration < 5; ++iteration) {
        x.assign(n, 0);
        x[at] = 1;
        inverse.apply(x, false);
        const double before = estimate;
        estimate = std::fmax(before, one_norm(x));
        if (take_signs(x, signs) || !(estimate > before)) break;
        inverse.apply(x, true);
        const std::size_t last = at;
        at = largest_at(x);
        if (std::fabs(x[last]) == std::fabs(x[at])) break;
    }
    // A last vector that catches what cancels in all others.
    for (std::size_t i = 0; i < n; ++i)
        x[i] = (i % 2 == 0 ? 1 : -1) * (1 + static_cast<double>(i) / static_cast<double>(n - 1));
    inverse.apply(x, false);
    return std::fmax(estimate, 2 * one_norm(x) / (3 * static_cast<double>(n)));
}

}  // namespace

double reciprocal_condition(const execution& where, const const_matrices& factors, const std::int32_t* pivots,
                            double one_norm, double factor) {
    if (factors.rows == 0) return 1;
    if (one_norm == 0) return 0;
    const int most = factors.type == scalar::f32 ? 120 : 1000, smaller = std::ilogb(factor);
    const int exponent =
        std::isfinite(one_norm) ? std::clamp(std::ilogb(one_norm) - smaller, -most, most) : 0;
    const double inverse = inverse_one_norm(inverse_of(where, factors, pivots, exponent),
                                            static_cast<std::size_t>(factors.rows));
    return std::isnan(inverse) ? inverse : 1 / inverse * (std::ldexp(1.0, exponent + smaller) / one_norm);
}

}  // namespace wale::lu
