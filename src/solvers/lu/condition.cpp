// condition - Hager's estimate of the 1-norm of the inverse, made robust by Higham (1988): xLACON's way, a
// few solves with A and its transpose.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <wale/buffer.hpp>

#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

/// x <- 2^e A^-1 x or 2^e A^-T x, wherever the factors lie; x is on the host.
class inverse_of {
public:
    inverse_of(const execution& where, const const_matrices& factors, const std::int32_t* pivots,
               int exponent)
        : where_(where), factors_(factors), pivots_(pivots), scale_(std::ldexp(1.0, exponent)) {}

    /// W: double, or complex<double> of complex factors; their transpose is then A^-H.
    template <class W>
    void apply(std::vector<W>& x, bool transposed) const {
        with_any_type(factors_.type, [&](auto zero) {
            using T = decltype(zero);
            if constexpr (std::is_same_v<wide_of<T>, W>) solve<T>(x, transposed);
        });
    }

private:
    template <class T, class W>
    void solve(std::vector<W>& x, bool transposed) const {
        std::vector<T> narrow;
        for (const W v : x) narrow.push_back(static_cast<T>(v * scale_));
        const auto there = to_device(where_, std::span<const T>(narrow));
        solve_job job{.where = where_,
                      .factors = factors_,
                      .pivots = pivots_,
                      .b = matrices(view<T, 2>(there.data(), {factors_.rows, 1})),
                      .transposed = transposed,
                      .conjugated = transposed && is_complex_type<T>};
        run_solve(job, "automatic");
        copy_bytes(where_, narrow.data(), there.data(), std::ssize(narrow) * index_t{sizeof(T)});
        std::copy(narrow.begin(), narrow.end(), x.begin());
    }
    execution where_;
    const_matrices factors_;
    const std::int32_t* pivots_;
    double scale_;
};

/// Infinite of a solution that has left the range of the factors' type, wherever it became NaN from there.
template <class W>
double one_norm(const std::vector<W>& x) {
    const double sum =
        std::accumulate(x.begin(), x.end(), 0.0, [](double s, W v) { return s + std::abs(v); });
    return std::isnan(sum) ? std::numeric_limits<double>::infinity() : sum;
}

/// Signs of x, of complex numbers their directions, in place; true if they are those of `before`, which takes
/// them.
template <class W>
bool take_signs(std::vector<W>& x, std::vector<W>& before) {
    for (W& v : x) {
        if constexpr (is_complex_type<W>)
            v = std::abs(v) > 0 ? v / std::abs(v) : W(1);
        else
            v = v >= 0 ? 1 : -1;
    }
    const bool same = x == before;
    before = x;
    return same;
}

template <class W>
std::size_t largest_at(const std::vector<W>& x) {
    std::size_t at = 0;
    for (std::size_t i = 1; i < x.size(); ++i)
        if (std::abs(x[i]) > std::abs(x[at])) at = i;
    return at;
}

template <class W>
double inverse_one_norm(const inverse_of& inverse, std::size_t n) {
    std::vector<W> x(n, 1 / static_cast<double>(n)), signs;
    inverse.apply(x, false);
    double estimate = one_norm(x);
    if (n == 1) return estimate;
    (void)take_signs(x, signs);
    inverse.apply(x, true);
    std::size_t at = largest_at(x);
    for (int iteration = 0; iteration < 5; ++iteration) {
        if (std::isinf(one_norm(x))) return one_norm(x);
        x.assign(n, 0);
        x[at] = 1;
        inverse.apply(x, false);
        const double before = estimate;
        estimate = std::fmax(before, one_norm(x));
        if (take_signs(x, signs) || !(estimate > before)) break;
        inverse.apply(x, true);
        const std::size_t last = at;
        at = largest_at(x);
        if (std::abs(x[last]) == std::abs(x[at])) break;
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
    if (!std::isfinite(one_norm)) return std::numeric_limits<double>::quiet_NaN();
    const int most = is_single(factors.type) ? 120 : 1000, smaller = std::ilogb(factor);
    // With 2^e near a small norm of A, and near the root of a large one, neither right-hand sides nor what a
    // solution passes through leave the range of the scalar type, unless the condition does.
    const int size = std::ilogb(one_norm) - smaller, exponent = size > 0 ? size / 2 : std::max(size, -most);
    const inverse_of solves(where, factors, pivots, exponent);
    const auto n = static_cast<std::size_t>(factors.rows);
    const double inverse = wale::is_complex(factors.type) ? inverse_one_norm<std::complex<double>>(solves, n)
                                                          : inverse_one_norm<double>(solves, n);
    return 1 / inverse * (std::ldexp(1.0, exponent + smaller) / one_norm);
}

}  // namespace wale::lu
