// matrices - the kinds of matrices, each from its definition.
#include "agreement/matrices.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace wale::agreement {
namespace {

class numbers {
public:
    explicit numbers(unsigned seed) : engine_(seed) {}
    double operator()(double low = -1, double high = 1) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    double signed_between(double low, double high) {
        const double v = (*this)(low, high);
        return (engine_() & 1) != 0 ? v : -v;
    }
    index_t whole(index_t low, index_t high) {
        return std::uniform_int_distribution<index_t>(low, high)(engine_);
    }

private:
    std::mt19937_64 engine_;
};

/// A <- (I - 2 v v^T / v^T v) A for a random v.
void reflect_rows(dense& a, numbers& random) {
    std::vector<double> v(static_cast<std::size_t>(a.rows)), sums(static_cast<std::size_t>(a.columns));
    double square = 0;
    for (double& x : v) {
        x = random();
        square += x * x;
    }
    if (square == 0) return;
    const auto at = [&](index_t i) { return v[static_cast<std::size_t>(i)]; };
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t j = 0; j < a.columns; ++j) sums[static_cast<std::size_t>(j)] += at(i) * a(i, j);
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t j = 0; j < a.columns; ++j)
            a(i, j) -= 2 / square * at(i) * sums[static_cast<std::size_t>(j)];
}

dense times(dense a, double factor) {
    for (double& v : a.values) v *= factor;
    return a;
}

dense with_zero_columns(dense a, index_t from, index_t to) {
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t j = std::max<index_t>(0, from); j < std::min(to, a.columns); ++j) a(i, j) = 0;
    return a;
}

/// LAPACK's tests scale so: a few steps of arithmetic away from the ends of the range.
double nearly_nothing(scalar type) {
    return smallest_of(type) / epsilon_of(type) / 4;
}

dense triangle(index_t m, index_t n, unsigned seed, bool lower) {
    numbers random(seed);
    return dense_of(m, n, [&](index_t i, index_t j) {
        if (i == j) return random.signed_between(1, 2);
        return (i > j) == lower ? random() : 0.0;
    });
}

/// Foster (1994): quadrature of an integral equation, on which partial pivoting grows exponentially.
dense foster(index_t m, index_t n, scalar, unsigned) {
    constexpr double kh = 2.0 / 3;
    return dense_of(m, n, [&](index_t i, index_t j) {
        const double last = j == n - 1 ? -1.0 : 0.0;
        if (i == 0) return j == 0 ? 1.0 : last;
        if (i == j) return 1 - kh / 2 + last;
        return j == 0 ? -kh / 2 : j < i ? -kh : last;
    });
}

dense wilkinson(index_t m, index_t n, scalar, unsigned) {
    return dense_of(m, n, [&](index_t i, index_t j) {
        if (i == j) return std::fabs(static_cast<double>(i) - static_cast<double>(n - 1) / 2);
        return i - j == 1 || j - i == 1 ? 1.0 : 0.0;
    });
}

dense of_rank_two(index_t m, index_t n, scalar, unsigned seed) {
    numbers random(seed);
    const auto whole = [&](index_t, index_t) { return static_cast<double>(random.whole(-3, 3)); };
    const dense left = dense_of(m, 2, whole), right = dense_of(2, n, whole);
    return product(left, right);
}

dense few_values(index_t m, index_t n, scalar, unsigned seed) {
    numbers random(seed);
    return dense_of(m, n, [&](index_t, index_t) { return static_cast<double>(random.whole(-1, 1)); });
}

dense denormals(index_t m, index_t n, scalar type, unsigned seed) {
    numbers random(seed);
    return dense_of(m, n, [&](index_t, index_t) {
        return static_cast<double>(random.whole(-4000, 4000)) * denormal_of(type);
    });
}

dense badly_scaled(index_t m, index_t n, scalar type, unsigned seed) {
    numbers random(seed);
    const double range = type == scalar::f32 ? 20 : 200;
    std::vector<double> row(static_cast<std::size_t>(m));
    for (double& r : row) r = std::exp2(std::floor(random(-range, range)));
    return dense_of(m, n, [&](index_t i, index_t) { return random() * row[static_cast<std::size_t>(i)]; });
}

/// Nearly the whole range of the type, in powers of two: 1e-295 to 1e295 in f64.
double whole_range(scalar type) {
    return type == scalar::f32 ? 100 : 980;
}

dense columns_of_all_sizes(index_t m, index_t n, scalar type, unsigned seed) {
    numbers random(seed);
    const double range = whole_range(type);
    std::vector<double> column(static_cast<std::size_t>(n));
    for (double& c : column) c = std::exp2(std::floor(random(-range, range)));
    return dense_of(m, n, [&](index_t, index_t j) { return random() * column[static_cast<std::size_t>(j)]; });
}

dense rows_of_all_sizes(index_t m, index_t n, scalar type, unsigned seed) {
    return transposed(columns_of_all_sizes(n, m, type, seed));
}

/// From the largest elements in one corner to the smallest in the other.
dense graded(index_t m, index_t n, scalar type, unsigned seed, bool falling) {
    numbers random(seed);
    const double range = whole_range(type), steps = static_cast<double>(std::max<index_t>(1, m + n - 2));
    return dense_of(m, n, [&](index_t i, index_t j) {
        const double along = static_cast<double>(i + j) / steps;  // 0 to 1
        return random() * std::exp2(std::floor(range * (falling ? 1 - 2 * along : 2 * along - 1)));
    });
}

/// Every column twice.
dense twin_columns(index_t m, index_t n, scalar, unsigned seed) {
    const dense half = random_matrix(m, (n + 1) / 2, seed);
    return dense_of(m, n, [&](index_t i, index_t j) { return half(i, j / 2); });
}

/// Rank n / 2, rounded.
dense of_half_rank(index_t m, index_t n, scalar, unsigned seed) {
    const index_t rank = std::max<index_t>(1, std::min(m, n) / 2);
    return product(random_matrix(m, rank, seed), random_matrix(rank, n, seed + 1000));
}

dense zero_block_first(index_t m, index_t n, scalar, unsigned seed) {
    dense a = random_matrix(m, n, seed);
    for (index_t i = 0; i < m / 2; ++i)
        for (index_t j = 0; j < std::min(n, m / 2); ++j) a(i, j) = 0;
    return a;
}

dense tridiagonal(index_t m, index_t n, scalar, unsigned) {
    return dense_of(m, n, [](index_t i, index_t j) {
        return i == j ? 2.0 : i - j == 1 || j - i == 1 ? -1.0 : 0.0;
    });
}

}  // namespace

double epsilon_of(scalar type) {
    return type == scalar::f32 ? std::numeric_limits<float>::epsilon()
                               : std::numeric_limits<double>::epsilon();
}
double denormal_of(scalar type) {
    return type == scalar::f32 ? std::numeric_limits<float>::denorm_min()
                               : std::numeric_limits<double>::denorm_min();
}
double smallest_of(scalar type) {
    return type == scalar::f32 ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
}

dense dense_of(index_t rows, index_t columns, const std::function<double(index_t, index_t)>& f) {
    dense a(rows, columns);
    for (index_t i = 0; i < rows; ++i)
        for (index_t j = 0; j < columns; ++j) a(i, j) = f(i, j);
    return a;
}

dense transposed(const dense& a) {
    return dense_of(a.columns, a.rows, [&](index_t i, index_t j) { return a(j, i); });
}

dense rounded(dense a, scalar type) {
    if (type == scalar::f32)
        for (double& v : a.values) v = static_cast<float>(v);
    return a;
}

dense product(const dense& a, const dense& b) {
    dense c(a.rows, b.columns);
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t k = 0; k < a.columns; ++k)
            for (index_t j = 0; j < b.columns; ++j) c(i, j) += a(i, k) * b(k, j);
    return c;
}

double one_norm(const dense& a) {
    double most = 0;
    for (index_t j = 0; j < a.columns; ++j) {
        double sum = 0;
        for (index_t i = 0; i < a.rows; ++i) sum += std::fabs(a(i, j));
        most = sum > most || std::isnan(sum) ? sum : most;
    }
    return most;
}

double largest_magnitude(const dense& a) {
    double most = 0;
    for (const double v : a.values) most = std::fabs(v) > most || std::isnan(v) ? std::fabs(v) : most;
    return most;
}

bool all_finite(const dense& a) {
    return std::all_of(a.values.begin(), a.values.end(), [](double v) { return std::isfinite(v); });
}

dense random_matrix(index_t rows, index_t columns, unsigned seed) {
    numbers random(seed);
    return dense_of(rows, columns, [&](index_t, index_t) { return random(); });
}

dense dominant_matrix(index_t rows, index_t columns, unsigned seed) {
    dense a = random_matrix(rows, columns, seed);
    for (index_t k = 0; k < a.diagonal(); ++k)
        a(k, k) += std::copysign(static_cast<double>(std::max(rows, columns)), a(k, k));
    return a;
}

dense conditioned_matrix(index_t rows, index_t columns, double condition, unsigned seed) {
    numbers random(seed);
    const index_t n = std::min(rows, columns);
    dense a(rows, columns);
    for (index_t k = 0; k < n; ++k)
        a(k, k) = std::pow(condition, n > 1 ? -static_cast<double>(k) / static_cast<double>(n - 1) : 0.0);
    constexpr int reflections = 3;
    for (int k = 0; k < reflections; ++k) reflect_rows(a, random);
    a = transposed(a);
    for (int k = 0; k < reflections; ++k) reflect_rows(a, random);
    return transposed(a);
}

dense kms_matrix(index_t n, double scale, double rho) {
    return dense_of(n, n, [=](index_t i, index_t j) {
        return scale * std::pow(rho, std::fabs(static_cast<double>(i - j)));
    });
}

dense kms_lower(index_t n, double rho) {
    return dense_of(
        n, n, [=](index_t i, index_t j) { return i < j ? 0.0 : std::pow(rho, static_cast<double>(i - j)); });
}

dense kms_upper(index_t n, double scale, double rho) {
    return dense_of(n, n, [=](index_t i, index_t j) {
        const double first = i == 0 ? 1.0 : (1 - rho) * (1 + rho);
        return i > j ? 0.0 : scale * first * std::pow(rho, static_cast<double>(j - i));
    });
}

dense kms_inverse(index_t n, double scale, double rho) {
    const double factor = 1 / (scale * (1 - rho) * (1 + rho));
    if (n == 1) return dense(1, 1, 1 / scale);
    return dense_of(n, n, [=](index_t i, index_t j) {
        if (i == j) return factor * (i == 0 || i == n - 1 ? 1 : 1 + rho * rho);
        return i - j == 1 || j - i == 1 ? -rho * factor : 0.0;
    });
}

dense hilbert_matrix(index_t rows, index_t columns) {
    return dense_of(rows, columns, [](index_t i, index_t j) { return 1 / static_cast<double>(i + j + 1); });
}

dense growing_matrix(index_t n) {
    return dense_of(n, n, [=](index_t i, index_t j) {
        return j == n - 1 || i == j ? 1.0 : i > j ? -1.0 : 0.0;
    });
}

std::span<const matrix_kind> matrix_kinds() {
    using size = index_t;
    static const matrix_kind all[] = {
        {"random", [](size m, size n, scalar, unsigned s) { return random_matrix(m, n, s); }},
        {"heavy diagonal", [](size m, size n, scalar, unsigned s) { return dominant_matrix(m, n, s); }, true,
         true},
        {"zeros", [](size m, size n, scalar, unsigned) { return dense(m, n); }, true, true},
        {"all equal", [](size m, size n, scalar, unsigned) { return dense(m, n, 3); }, true, false},
        {"diagonal",
         [](size m, size n, scalar, unsigned s) {
             numbers random(s);
             return dense_of(m, n, [&](size i, size j) { return i == j ? random.signed_between(1, 2) : 0; });
         },
         true, true},
        {"upper triangle", [](size m, size n, scalar, unsigned s) { return triangle(m, n, s, false); }, true,
         true},
        {"lower triangle", [](size m, size n, scalar, unsigned s) { return triangle(m, n, s, true); }, true,
         true},
        {"tridiagonal", tridiagonal, true, true},
        {"well conditioned",
         [](size m, size n, scalar, unsigned s) { return conditioned_matrix(m, n, 2, s); }},
        {"badly conditioned",
         [](size m, size n, scalar t, unsigned s) {
             return conditioned_matrix(m, n, std::sqrt(0.1 / epsilon_of(t)), s);
         }},
        {"singular to rounding",
         [](size m, size n, scalar t, unsigned s) { return conditioned_matrix(m, n, 0.1 / epsilon_of(t), s); }},
        {"orthogonal", [](size m, size n, scalar, unsigned s) { return conditioned_matrix(m, n, 1, s); }},
        {"near underflow",
         [](size m, size n, scalar t, unsigned s) {
             return times(conditioned_matrix(m, n, 2, s), nearly_nothing(t));
         }},
        {"near overflow",
         [](size m, size n, scalar t, unsigned s) {
             return times(conditioned_matrix(m, n, 2, s), 1 / nearly_nothing(t));
         }},
        {"denormals", denormals},
        {"rows badly scaled", badly_scaled},
        {"rows of all sizes", rows_of_all_sizes},
        {"columns of all sizes", columns_of_all_sizes},
        {"graded, falling", [](size m, size n, scalar t, unsigned s) { return graded(m, n, t, s, true); }},
        {"graded, rising", [](size m, size n, scalar t, unsigned s) { return graded(m, n, t, s, false); }},
        {"twin columns", twin_columns},
        {"half rank", of_half_rank},
        {"first column zero",
         [](size m, size n, scalar, unsigned s) { return with_zero_columns(random_matrix(m, n, s), 0, 1); }},
        {"last column zero",
         [](size m, size n, scalar, unsigned s) {
             return with_zero_columns(random_matrix(m, n, s), std::min(m, n) - 1, n);
         }},
        {"last half zero",
         [](size m, size n, scalar, unsigned s) {
             return with_zero_columns(random_matrix(m, n, s), std::min(m, n) / 2, n);
         }},
        {"zero leading pivot",
         [](size m, size n, scalar, unsigned s) {
             dense a = random_matrix(m, n, s);
             if (!a.values.empty()) a(0, 0) = 0;
             return a;
         }},
        {"zero leading block", zero_block_first},
        {"rank two", of_rank_two},
        {"minus one, zero, one", few_values},
        {"cyclic permutation",
         [](size m, size n, scalar, unsigned) {
             return dense_of(m, n, [&](size i, size j) { return j == (i + 1) % n ? 1.0 : 0.0; });
         }},
        {"Hadamard",
         [](size m, size n, scalar, unsigned) {
             return dense_of(m, n, [](size i, size j) {
                 return std::popcount(static_cast<std::uint64_t>(i & j)) % 2 == 0 ? 1.0 : -1.0;
             });
         }},
        {"Hilbert", [](size m, size n, scalar, unsigned) { return hilbert_matrix(m, n); }},
{"Wilkinson", wilkinson},
        {"Kac-Murdock-Szego", [](size m, size, scalar, unsigned) { return kms_matrix(m, 10, 0.9); }, false,
         true},
        {"growth 2^(n-1)", [](size m, size, scalar, unsigned) { return growing_matrix(m); }, false, true, true,
         24},
        {"Foster", foster, false, false, true, 24}};
    return all;
}

}  // namespace wale::agreement
