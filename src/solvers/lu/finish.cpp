// finish - what follows from factors and pivots: permutation, first zero, determinant, the outcome of a call.
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>

#include "cpu/team.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

/// A summary of the diagonal of U.
struct diagonal_summary {
    std::int32_t first_zero = -1;
    bool finite = true;
};

template <class T>
diagonal_summary read_diagonal(const const_matrices& m) {
    const auto a = elements<T>(m);
    diagonal_summary f;
    real_of<T> poison = 0;  // 0 times what is finite stays 0
    for (index_t k = 0; k < m.diagonal(); ++k) {
        const T u = a(k, k);
        if (u == T(0) && f.first_zero < 0) f.first_zero = static_cast<std::int32_t>(k);
        if constexpr (is_complex_type<T>)
            poison += 0 * u.real() + 0 * u.imag();
        else
            poison += 0 * u;
    }
    f.finite = poison == 0;
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

/// A product of finite numbers other than 0 as fraction * 2^exponent, 1 <= |fraction| < 2: one logarithm for
/// all of them, and less rounding than a sum of logarithms has.
class scaled_product {
public:
    void multiply(double u) {
        split(u);
        fraction_ *= u;
        split(fraction_);
    }
    void shift(int exponent) { exponent_ += exponent; }
    [[nodiscard]] lu_determinant_result result() const {
        constexpr double log_2 = 0.693147180559945309417;
        return {fraction_ < 0 ? -1.0 : 1.0,
                std::log(std::fabs(fraction_)) + static_cast<double>(exponent_) * log_2};
    }

private:
    static constexpr std::uint64_t exponent_bits = 0x7ff0000000000000, one_bits = 0x3ff0000000000000;
    /// Takes the exponent out of u.
    void split(double& u) {
        if (std::fabs(u) < DBL_MIN) {
            u *= 0x1p54;
            exponent_ -= 54;
        }
        const auto bits = std::bit_cast<std::uint64_t>(u);
        exponent_ += static_cast<std::int64_t>((bits & exponent_bits) >> 52) - 1023;
        u = std::bit_cast<double>((bits & ~exponent_bits) | one_bits);
    }
    double fraction_ = 1;
    std::int64_t exponent_ = 0;
};

/// Divides a finite number other than 0 by a power of two, so that its larger part is between 1 and 2; the
/// exponent.
int scaled(std::complex<double>& z) {
    double larger = std::fmax(std::fabs(z.real()), std::fabs(z.imag()));
    int exponent = 0;
    if (larger < 0x1p-500 ||
        larger > 0x1p500) {  // where the power has no exponent of its own, and near there
        exponent = larger < 1 ? -600 : 600;
        z *= exponent < 0 ? 0x1p600 : 0x1p-600;
        larger = std::fmax(std::fabs(z.real()), std::fabs(z.imag()));
    }
    const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(larger) >> 52);
    z *= std::bit_cast<double>(static_cast<std::uint64_t>(2046 - biased) << 52);
    return exponent + biased - 1023;
}

template <class T>
lu_determinant_result product_of_diagonal(const const_matrices& m) {
    const auto a = elements<T>(m);
    scaled_product product;
    if constexpr (is_complex_type<T>) {
        std::complex<double> direction = 1;
        for (index_t k = 0; k < m.diagonal(); ++k) {
            std::complex<double> u(a(k, k));
            product.shift(scaled(u));
            direction = base::product(direction, u);
            product.shift(scaled(direction));
        }
        const double size = std::abs(direction);
        product.multiply(size);
        lu_determinant_result d = product.result();
        d.sign = direction.real() / size;
        d.sign_imaginary = direction.imag() / size;
        return d;
    } else {
        for (index_t k = 0; k < m.diagonal(); ++k) product.multiply(static_cast<double>(a(k, k)));
        return product.result();
    }
}

/// With zeros, infinities or NaN in it: 0 stays 0, NaN stays NaN.
template <class T>
lu_determinant_result product_of_anything(const const_matrices& m) {
    const auto a = elements<T>(m);
    lu_determinant_result d;
    for (index_t k = 0; k < m.diagonal(); ++k) {
        const auto u = static_cast<wide_of<T>>(a(k, k));
        const double size = magnitude(u);
        if constexpr (is_complex_type<T>)
            d.sign *= size > 0 ? 1 : size;  // 0 or NaN: no direction
        else
            d.sign *= u > 0 ? 1 : u < 0 ? -1 : u;
        d.log_magnitude += std::log(size);
    }
    return d;
}

lu_determinant_result determinant_of(const const_matrices& m, const std::int32_t* pivots,
                                     const diagonal_summary& summary) {
    lu_determinant_result d = with_any_type(m.type, [&](auto zero) {
        using T = decltype(zero);
        return summary.finite && summary.first_zero < 0 ? product_of_diagonal<T>(m)
                                                        : product_of_anything<T>(m);
    });
    const int exchanges = permutation_sign(pivots, m.diagonal());
    d.sign *= exchanges;
    d.sign_imaginary *= exchanges;
    return d;
}

diagonal_summary summary_of(const const_matrices& m) {
    return with_any_type(m.type, [&](auto zero) { return read_diagonal<decltype(zero)>(m); });
}

index_t rows_before(const batch& all, index_t i) {
    if (!all.listed()) return i * all.uniform().rows;
    index_t rows = 0;
    for (index_t j = 0; j < i; ++j) rows += all[j].rows;
    return rows;
}

constexpr index_t worth_a_thread = 20000;  // elements of diagonals

}  // namespace

batch_outcome finish_matrices(const factor_job& job, index_t begin, index_t end) {
    batch_outcome o;
    index_t rows = job.out.permutation ? rows_before(job.a, begin) : 0;
    for (index_t i = begin; i < end; ++i) {
        const matrices m = job.a[i];
        const std::int32_t* pivots = job.out.pivots ? job.out.pivots + job.a.pivot_start(i) : nullptr;
        const diagonal_summary f = summary_of(m);
        if (f.first_zero >= 0 && o.singular++ == 0) {
            o.first_singular = i;
            o.first_zero = f.first_zero;
        }
        o.not_finite += !f.finite;
        if (job.out.first_zero) job.out.first_zero[i] = f.first_zero;
        if (job.out.permutation) write_permutation(pivots, m, job.out.permutation + rows);
        rows += m.rows;
        if (!job.out.sign && !job.out.log_magnitude) continue;
        const lu_determinant_result d = determinant_of(m, pivots, f);
        if (job.out.sign) write_sign(job.out.sign, i, m.type, d);
        if (job.out.log_magnitude) job.out.log_magnitude[i] = d.log_magnitude;
    }
    return o;
}

void report_outcome(const factor_job& job, const batch_outcome& all) {
    lu_result& r = *job.result;
    r.singular = all.singular;
    r.first_singular = all.first_singular;
    r.first_zero = all.first_zero;
    r.not_finite = all.not_finite;
    if (job.a.count() > 0) r.permutation_sign = permutation_sign(job.out.pivots, job.a[0].diagonal());
}

void finish(const factor_job& job) {
    const index_t count = job.a.count();
    const index_t most = job.a.largest([](const matrices& m) { return m.diagonal(); });
    const int threads = cpu::team_size(job.where, std::min(count, count * most / worth_a_thread));
    std::vector<batch_outcome> runs(static_cast<std::size_t>(threads));
    cpu::run_team(threads, [&](int rank) {
        runs[static_cast<std::size_t>(rank)] =
            finish_matrices(job, count * rank / threads, count * (rank + 1) / threads);
    });
    batch_outcome all;
    for (const batch_outcome& run : runs) all.add(run);
    report_outcome(job, all);
}

namespace {

template <class T>
void conjugate_all(const matrices& b) {
    if constexpr (is_complex_type<T>) {
        const auto at = elements<T>(b);
        for (index_t i = 0; i < b.rows; ++i)
            for (index_t j = 0; j < b.columns; ++j) at(i, j) = std::conj(at(i, j));
    }
}

}  // namespace

void conjugate(const matrices& b) {
    with_any_type(b.type, [&](auto zero) { conjugate_all<decltype(zero)>(b); });
}

lu_determinant_result determinant_of(const const_matrices& factors, const std::int32_t* pivots) {
    return determinant_of(factors, pivots, summary_of(factors));
}

}  // namespace wale::lu
