// The host's rows for large matrices: the same bits for any number of threads, the edges of panels and
// strips, tournament pivoting, refinement that gives up, and LAPACK's word on inverse and condition.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <wale/error.hpp>
#include <wale/lu.hpp>
#include <wale/lu_refined.hpp>

extern "C" {
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* ipiv, int* info);
void dgetri_(const int* n, double* a, const int* lda, const int* ipiv, double* work, const int* lwork,
             int* info);
void dgecon_(const char* norm, const int* n, const double* a, const int* lda, const double* anorm,
             double* rcond, double* work, int* iwork, int* info, std::size_t);
}

namespace wale {
namespace {

constexpr storage_order orders[] = {storage_order::row_major, storage_order::column_major};

/// A matrix in memory of its own, with a few elements between its lines.
template <class T>
struct stored {
    std::vector<T> memory;
    matrix_shape shape;

    stored(index_t rows, index_t columns, storage_order order, index_t count = 1) {
        shape.type = scalar_of<T>::value;
        shape.order = order;
        shape.rows = rows;
        shape.columns = columns;
        shape.leading = shape.line_size() + 5;
        shape.count = count;
        shape.stride = shape.leading * shape.lines();
        memory.assign(static_cast<std::size_t>(shape.stride * count), T(-7));
    }
    [[nodiscard]] matrices all() { return {memory.data(), shape}; }
    [[nodiscard]] const_matrices all() const { return {memory.data(), shape}; }
    T& operator()(index_t i, index_t j) {
        return memory[static_cast<std::size_t>(i * shape.row_step() + j * shape.column_step())];
    }
    /// f(i, j) everywhere.
    template <class F>
    stored& fill(F&& f) {
        for (index_t i = 0; i < shape.rows; ++i)
            for (index_t j = 0; j < shape.columns; ++j) (*this)(i, j) = static_cast<T>(f(i, j));
        return *this;
    }
    stored& fill_random(unsigned seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> value(-1, 1);
        return fill([&](index_t, index_t) { return value(random); });
    }
    [[nodiscard]] bool same_bits(const stored& other) const {
        return std::memcmp(memory.data(), other.memory.data(), memory.size() * sizeof(T)) == 0;
    }
};

template <class T>
struct factored {
    stored<T> a;
    std::vector<std::int32_t> pivots;
    lu_result result;

    factored(const stored<T>& original, const execution& where, const lu_options& options)
        : a(original),
          pivots(static_cast<std::size_t>(original.shape.diagonal() * original.shape.count)),
          result(lu_factor(where, a.all(), pivots.data(), options)) {}
};

template <class T>
double ratio(const stored<T>& a, const factored<T>& f) {
    return lu_residual_ratio(on_cpu{2}, a.all(), f.a.all(), f.pivots.data());
}

lu_options recursive(pivoting p = pivoting::partial) {
    lu_options o;
    o.variant = "cpu/recursive";
    o.pivoting = p;
    return o;
}

template <class T>
class Recursive : public testing::Test {};
using scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Recursive, scalars);

struct shape {
    index_t rows, columns;
};

TYPED_TEST(Recursive, GivesTheSameBitsForAnyThreads) {
    for (const pivoting p : {pivoting::partial, pivoting::none, pivoting::tournament})
        for (const storage_order order : orders)
            for (const auto& [m, n] :
                 {shape{1, 1}, {65, 64}, {600, 600}, {700, 300}, {300, 700}, {1100, 1060}}) {
                stored<TypeParam> a(m, n, order);
                a.fill_random(static_cast<unsigned>(m));
                if (p == pivoting::none)
                    for (index_t i = 0; i < a.shape.diagonal(); ++i) a(i, i) += static_cast<TypeParam>(n);
                const factored<TypeParam> one(a, on_cpu{1}, recursive(p));
                EXPECT_LT(ratio(a, one), 30) << m << " x " << n;
                for (const int threads : {2, 3, 5}) {
                    const factored<TypeParam> many(a, on_cpu{threads}, recursive(p));
                    EXPECT_TRUE(one.a.same_bits(many.a)) << m << " x " << n << ", threads " << threads;
                    EXPECT_EQ(one.pivots, many.pivots);
                }
            }
}

TYPED_TEST(Recursive, MeetsTheEdgesOfPanelsAndStrips) {
    for (const index_t panel : {64, 256})
        for (const index_t blocks : {1, 2, 3})
            for (const index_t beyond : {-1, 0, 1, 9})
                for (const index_t wider : {-70, 0, 70}) {
                    const index_t m = (panel == 64 ? 0 : 1024 - 256) + blocks * panel + beyond;
                    const index_t n = std::max<index_t>(1, m + wider);
                    if (panel == 256 && (blocks > 1 || wider != 0)) continue;
                    stored<TypeParam> a(m, n, orders[static_cast<std::size_t>(blocks % 2)]);
                    a.fill_random(static_cast<unsigned>(m + n));
                    const factored<TypeParam> f(a, on_cpu{2}, recursive());
                    EXPECT_LT(ratio(a, f), 30) << m << " x " << n;
                    if (m > 300 || sizeof(TypeParam) == 4) continue;
                    EXPECT_EQ(f.pivots, factored<TypeParam>(a, on_reference{}, {}).pivots) << m << " x " << n;
                }
}

TYPED_TEST(Recursive, TakesTheLowestOfEqualPivots) {  // a Hadamard matrix: every step is exact, ties abound
    for (const index_t n : {64, 128})
        for (const storage_order order : orders) {
            stored<TypeParam> a(n, n, order);
            a.fill([](index_t i, index_t j) {
                return __builtin_parityll(static_cast<unsigned long long>(i & j)) ? -1 : 1;
            });
            const factored<TypeParam> f(a, on_cpu{2}, recursive()), r(a, on_reference{}, {});
            EXPECT_EQ(f.pivots, r.pivots);
            EXPECT_TRUE(f.a.same_bits(r.a));
        }
}

TYPED_TEST(Recursive, ScalesByPowersOfTwoBitForBit) {
    for (const int power : {-20, 30}) {
        stored<TypeParam> a(520, 500, storage_order::column_major);
        a.fill_random(3);
        stored<TypeParam> scaled = a;
        scaled.fill([&](index_t i, index_t j) { return std::ldexp(a(i, j), power); });
        factored<TypeParam> f(a, on_cpu{2}, recursive()), g(scaled, on_cpu{2}, recursive());
        EXPECT_EQ(f.pivots, g.pivots);
        f.a.fill([&](index_t i, index_t j) { return i > j ? f.a(i, j) : std::ldexp(f.a(i, j), power); });
        EXPECT_TRUE(f.a.same_bits(g.a));
    }
}

TYPED_TEST(Recursive, GoesOnPastZerosAndNaN) {
    const auto nan = std::numeric_limits<TypeParam>::quiet_NaN();
    for (const storage_order order : orders) {
        stored<TypeParam> a(300, 300, order);
        a.fill_random(5);
        for (index_t i = 0; i < 300; ++i) a(i, 70) = a(i, 200) = 0;
        const factored<TypeParam> f(a, on_cpu{2}, recursive());
        EXPECT_EQ(f.result.first_zero, 70);
        EXPECT_LT(ratio(a, f), 30);
        for (const index_t at : {0, 150, 299}) {
            stored<TypeParam> b(300, 300, order);
            b.fill_random(6);
            b(at, at) = nan;
            b(299 - at, at) = std::numeric_limits<TypeParam>::infinity();
            for (const pivoting p : {pivoting::partial, pivoting::tournament, pivoting::none}) {
                const factored<TypeParam> g(b, on_cpu{2}, recursive(p));
                EXPECT_EQ(g.result.not_finite, 1);
                for (index_t k = 0; k < 300; ++k) {
                    EXPECT_GE(g.pivots[static_cast<std::size_t>(k)], k);
                    EXPECT_LT(g.pivots[static_cast<std::size_t>(k)], 300);
                }
            }
        }
    }
}

TYPED_TEST(Recursive, MovesSmallPivots) {
    stored<TypeParam> a(200, 200, storage_order::row_major);
    a.fill([](index_t i, index_t j) { return i == j ? (i % 3 == 0 ? 0 : 4) : j > i ? 0.25 : 0; });
    lu_options o = recursive(pivoting::none);
    o.perturbation = 1e-3;
    const factored<TypeParam> f(a, on_cpu{2}, o);
    o.variant = "automatic";
    const factored<TypeParam> r(a, on_reference{}, o);
    EXPECT_EQ(f.result.perturbed, 67);
    EXPECT_EQ(f.result.perturbed, r.result.perturbed);
    EXPECT_TRUE(f.a.same_bits(r.a));
}

TYPED_TEST(Recursive, FactorsManyAsItFactorsOne) {
    stored<TypeParam> all(310, 310, storage_order::column_major, 5);
    std::mt19937 random(8);
    std::uniform_real_distribution<double> value(-1, 1);
    for (TypeParam& x : all.memory) x = static_cast<TypeParam>(value(random));
    const factored<TypeParam> many(all, on_cpu{3}, recursive());
    for (index_t i = 0; i < 5; ++i) {
        stored<TypeParam> one(310, 310, storage_order::column_major);
        const auto begin = all.memory.begin() + i * all.shape.stride;
        std::copy_n(begin, all.shape.stride, one.memory.begin());
        const factored<TypeParam> f(one, on_cpu{1}, recursive());
        EXPECT_TRUE(
            std::equal(f.a.memory.begin(), f.a.memory.end(), many.a.memory.begin() + i * all.shape.stride));
        EXPECT_TRUE(std::equal(f.pivots.begin(), f.pivots.end(), many.pivots.begin() + i * 310));
    }
}

TYPED_TEST(Recursive, TournamentGrowsLittleMore) {
    for (const auto& [m, n] : {shape{1200, 320}, {900, 900}}) {
        stored<TypeParam> a(m, n, storage_order::column_major);
        a.fill_random(11);
        lu_options partial = recursive(), tournament = recursive(pivoting::tournament);
        partial.growth = tournament.growth = true;
        const factored<TypeParam> f(a, on_cpu{2}, partial), g(a, on_cpu{2}, tournament);
        EXPECT_NE(f.pivots, g.pivots);  // it did play
        EXPECT_LT(ratio(a, g), 30);
        EXPECT_LT(g.result.growth, 4 * f.result.growth);
    }
}

/// What is left of a matrix of low rank is rounding, or noise that is little more: a tournament between
/// blocks of it chooses pivots that other elements exceed by any factor. Multipliers of 10 are the most that
/// a panel may have.
TYPED_TEST(Recursive, TournamentMultipliersAreBounded) {
    using T = TypeParam;
    const double noises[] = {0, 4 * static_cast<double>(std::numeric_limits<T>::epsilon()), 1e-4};
    unsigned turn = 0;
    for (const auto& [m, n] : {shape{130, 130}, {520, 64}, {600, 600}, {1100, 70}, {2600, 40}})
        for (const index_t rank : {1, 2, 9, 30})
            for (const double noise : noises) {
                const storage_order order = orders[++turn % 2];
                stored<double> left(m, rank, order), right(rank, n, order), other(m, n, order);
                left.fill_random(turn);
                right.fill_random(turn + 100);
                other.fill_random(turn + 200);
                if (turn % 3 != 0)  // small whole numbers, of which many rows are equal
                    for (stored<double>* part : {&left, &right})
                        for (double& v : part->memory) v = std::round(3 * v);
                stored<T> a(m, n, order);
                a.fill([&](index_t i, index_t j) {
                    double sum = noise * other(i, j);
                    for (index_t k = 0; k < rank; ++k) sum += left(i, k) * right(k, j);
                    return sum;
                });
                std::optional<factored<T>> first;
                for (const int threads : {1, 3}) {
                    factored<T> f(a, on_cpu{threads}, recursive(pivoting::tournament));
                    const std::string what = std::to_string(m) + " x " + std::to_string(n) + " of rank " +
                                             std::to_string(rank) + " and noise " + std::to_string(noise) +
                                             ", " + std::to_string(threads) + " threads";
                    EXPECT_LT(ratio(a, f), 30) << what;
                    double most = 0;
                    for (index_t j = 0; j < n; ++j)
                        for (index_t i = j + 1; i < m; ++i)
                            most = std::max(most, static_cast<double>(std::fabs(f.a(i, j))));
                    EXPECT_LE(most, 10 * (1 + 4 * static_cast<double>(std::numeric_limits<T>::epsilon())))
                        << what;
                    if (first) {
                        EXPECT_TRUE(first->a.same_bits(f.a)) << what;
                    } else {
                        first.emplace(std::move(f));
                    }
                }
            }
}

TYPED_TEST(Recursive, TheLadderFactorsWithoutPivots) {
    for (const char* variant : {"cpu/blocked", "cpu/row_column", "cpu/row_column_copy"})
        for (const storage_order order : orders)
            for (const auto& [m, n] : {shape{1, 1}, {64, 64}, {65, 130}, {130, 65}, {270, 270}}) {
                stored<TypeParam> a(m, n, order);
                a.fill_random(2);
                for (index_t i = 0; i < a.shape.diagonal(); ++i) a(i, i) += static_cast<TypeParam>(n);
                lu_options o = recursive(pivoting::none);
                o.variant = variant;
                const factored<TypeParam> f(a, on_cpu{1}, o), g(a, on_cpu{3}, o);
                EXPECT_LT(ratio(a, f), 30) << variant << " " << m << " x " << n;
                EXPECT_TRUE(f.a.same_bits(g.a)) << variant;
                o.pivoting = pivoting::partial;
                EXPECT_THROW(factored<TypeParam>(a, on_cpu{1}, o), unsupported_variant);
            }
}

TYPED_TEST(Recursive, SolvesAndInvertsWithTheSameBitsForAnyThreads) {
    for (const storage_order order : orders)
        for (const index_t n : {1, 50, 330}) {
            stored<TypeParam> a(n, n, order);
            a.fill_random(21);
            const factored<TypeParam> f(a, on_cpu{2}, recursive());
            for (const bool transposed : {false, true})
                for (const index_t columns : {1, 70}) {
                    stored<TypeParam> b(n, columns, orders[columns == 1]);
                    b.fill_random(22);
                    stored<TypeParam> x = b, y = b, truth = b;
                    lu_solve_options o{.variant = "cpu/recursive", .transposed = transposed};
                    lu_solve(on_cpu{1}, f.a.all(), f.pivots.data(), x.all(), o);
                    lu_solve(on_cpu{3}, f.a.all(), f.pivots.data(), y.all(), o);
                    EXPECT_TRUE(x.same_bits(y));
                    o.variant = "automatic";
                    lu_solve(on_reference{}, f.a.all(), f.pivots.data(), truth.all(), o);
                    double largest = 0, error = 0;
                    for (index_t i = 0; i < n; ++i)
                        for (index_t j = 0; j < columns; ++j) {
                            largest = std::fmax(largest, std::fabs(static_cast<double>(truth(i, j))));
                            error = std::fmax(error, std::fabs(static_cast<double>(truth(i, j) - x(i, j))));
                        }
                    EXPECT_LT(error, largest * 1e4 * static_cast<double>(n) *
                                         static_cast<double>(std::numeric_limits<TypeParam>::epsilon()));
                }
            stored<TypeParam> inverse = f.a, again = f.a;
            lu_inverse(on_cpu{1}, inverse.all(), f.pivots.data(), {.variant = "cpu/recursive"});
            lu_inverse(on_cpu{3}, again.all(), f.pivots.data(), {.variant = "cpu/recursive"});
            EXPECT_TRUE(inverse.same_bits(again));
        }
}

TYPED_TEST(Recursive, MeasuresAsThePlainLoopsDo) {
    for (const storage_order order : orders)
        for (const auto& [m, n] : {shape{40, 30}, {600, 500}, {500, 600}}) {
            stored<TypeParam> a(m, n, order);
            a.fill_random(31);
            lu_options o = recursive();
            o.growth = true;
            const factored<TypeParam> f(a, on_cpu{2}, o);
            const double fast = lu_residual_ratio(on_cpu{3}, a.all(), f.a.all(), f.pivots.data());
            EXPECT_EQ(fast, lu_residual_ratio(on_cpu{1}, a.all(), f.a.all(), f.pivots.data()));
            const double plain = lu_residual_ratio(on_reference{}, a.all(), f.a.all(), f.pivots.data());
            // In f64 the residual is of the size of its own rounding.
            EXPECT_NEAR(fast, plain, sizeof(TypeParam) == 4 ? 1e-4 * plain : plain);
            stored<TypeParam> wrong = f.a;
            wrong(m - 1, 0) += 2;
            EXPECT_GT(lu_residual_ratio(on_cpu{2}, a.all(), wrong.all(), f.pivots.data()), 30);
            wrong(0, n - 1) = std::numeric_limits<TypeParam>::quiet_NaN();
            EXPECT_TRUE(std::isnan(lu_residual_ratio(on_cpu{2}, a.all(), wrong.all(), f.pivots.data())));
        }
}

/// Q1 D Q2 with D from 1 down to 1 / condition, Q by reflections.
stored<double> conditioned(index_t n, double condition, storage_order order) {
    stored<double> a(n, n, order);
    std::vector<double> u(static_cast<std::size_t>(n)), v(u.size());
    std::mt19937 random(17);
    std::normal_distribution<double> value;
    double uu = 0, vv = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] = value(random), v[i] = value(random);
        uu += u[i] * u[i], vv += v[i] * v[i];
    }
    const auto d = [&](index_t i) {
        return std::pow(condition,
                        -static_cast<double>(i) / static_cast<double>(std::max<index_t>(1, n - 1)));
    };
    double udv = 0;
    for (index_t k = 0; k < n; ++k)
        udv += u[static_cast<std::size_t>(k)] * d(k) * v[static_cast<std::size_t>(k)];
    return a.fill([&](index_t i, index_t j) {
        const auto ui = u[static_cast<std::size_t>(i)], vj = v[static_cast<std::size_t>(j)];
        return (i == j ? d(i) : 0) - 2 / uu * ui * u[static_cast<std::size_t>(j)] * d(j) -
               2 / vv * d(i) * v[static_cast<std::size_t>(i)] * vj + 4 / (uu * vv) * ui * udv * vj;
    });
}

TEST(Iterative, RefinesToF64) {
    for (const storage_order order : orders)
        for (const index_t n : {1, 60, 400})
            for (const index_t columns : {1, 5})
                for (const double scale : {1.0, 0x1p200, 0x1p-300}) {
                    stored<double> a(n, n, order), b(n, columns, order), x(n, columns, order);
                    a.fill_random(41);
                    for (index_t i = 0; i < n; ++i) a(i, i) += 3;
                    a.fill([&](index_t i, index_t j) { return a(i, j) * scale; });
                    b.fill_random(42);
                    const auto r =
                        lu_solve_refined(on_cpu{2}, a.all(), b.all(), x.all(), {.variant = "cpu/iterative"});
                    EXPECT_FALSE(r.fell_back) << n << ": " << r.outcome;
                    EXPECT_EQ(r.factored, factor_precision::f32);
                    EXPECT_LT(r.backward_error, 1e-14);
                    EXPECT_NE(r.outcome.find("float32"), std::string::npos);
                    for (index_t i = 0; i < n; ++i) {
                        double sum = -b(i, 0), size = std::fabs(b(i, 0));
                        for (index_t k = 0; k < n; ++k) {
                            sum += a(i, k) * x(k, 0);
                            size += std::fabs(a(i, k) * x(k, 0));
                        }
                        EXPECT_LT(std::fabs(sum), 1e-13 * size);
                    }
                }
}

TEST(Iterative, FallsBackAndSaysSo) {
    stored<double> a = conditioned(200, 1e12, storage_order::row_major);
    stored<double> b(200, 2, storage_order::column_major), x = b;
    b.fill_random(1);
    const auto r = lu_solve_refined(on_cpu{2}, a.all(), b.all(), x.all(), {.variant = "cpu/iterative"});
    EXPECT_TRUE(r.fell_back);
    EXPECT_EQ(r.factored, factor_precision::f64);
    EXPECT_EQ(r.outcome, "float32 factors did not converge; float64 factors, refined once");
    EXPECT_LT(r.backward_error, 1e-14);
    EXPECT_EQ(r.first_zero, -1);
}

TEST(Iterative, ReportsTheZeroPivotOfASingularMatrix) {
    stored<double> a(100, 100, storage_order::row_major), b(100, 1, storage_order::row_major), x = b;
    a.fill_random(2);
    b.fill_random(3);
    for (index_t i = 0; i < 100; ++i) a(i, 40) = 0;
    const auto r = lu_solve_refined(on_cpu{2}, a.all(), b.all(), x.all(), {.variant = "cpu/iterative"});
    EXPECT_TRUE(r.fell_back);
    EXPECT_EQ(r.first_zero, 40);
}

TEST(Iterative, TakesTheAskedPrecision) {
    stored<double> a(80, 80, storage_order::row_major), b(80, 1, storage_order::row_major), x = b;
    a.fill_random(2);
    b.fill_random(3);
    lu_refined_options o{.variant = "cpu/iterative", .precision = factor_precision::f64};
    const auto r = lu_solve_refined(on_cpu{2}, a.all(), b.all(), x.all(), o);
    EXPECT_FALSE(r.fell_back);
    EXPECT_EQ(r.factored, factor_precision::f64);
    o.precision = factor_precision::tf32;
    EXPECT_THROW(lu_solve_refined(on_cpu{2}, a.all(), b.all(), x.all(), o), unsupported_variant);
}

TEST(Lapack, EstimatesTheSameCondition) {
    for (const storage_order order : orders)
        for (const int n : {1, 2, 10, 90, 350})
            for (const double condition : {1.0, 1e3, 1e10}) {
                stored<double> a = conditioned(n, condition, order),
                               columns(n, n, storage_order::column_major);
                columns.fill([&](index_t i, index_t j) { return a(i, j); });
                double norm = 0;
                for (index_t j = 0; j < n; ++j) {
                    double sum = 0;
                    for (index_t i = 0; i < n; ++i) sum += std::fabs(a(i, j));
                    norm = std::fmax(norm, sum);
                }
                const int lda = static_cast<int>(columns.shape.leading);
                std::vector<int> pivots(static_cast<std::size_t>(n)), iwork(pivots.size());
                std::vector<double> work(4 * pivots.size());
                int info = 0;
                double expected = 0;
                dgetrf_(&n, &n, columns.memory.data(), &lda, pivots.data(), &info);
                dgecon_("1", &n, columns.memory.data(), &lda, &norm, &expected, work.data(), iwork.data(),
                        &info, 1);
                lu_options o;
                o.condition = true;
                const factored<double> f(a, on_cpu{2}, o);
                EXPECT_NEAR(f.result.reciprocal_condition, expected, 1e-4 * expected)
                    << n << ", " << condition;
            }
}

TEST(Lapack, FindsTheSameInverse) {
    constexpr int n = 230;
    for (const storage_order order : orders) {
        stored<double> a(n, n, order), columns(n, n, storage_order::column_major);
        a.fill_random(51);
        columns.fill([&](index_t i, index_t j) { return a(i, j); });
        const int lda = static_cast<int>(columns.shape.leading), size = 64 * n;
        std::vector<int> pivots(n);
        std::vector<double> work(static_cast<std::size_t>(size));
        int info = 0;
        dgetrf_(&n, &n, columns.memory.data(), &lda, pivots.data(), &info);
        dgetri_(&n, columns.memory.data(), &lda, pivots.data(), work.data(), &size, &info);
        factored<double> f(a, on_cpu{2}, recursive());
        lu_inverse(on_cpu{2}, f.a.all(), f.pivots.data(), {.variant = "cpu/recursive"});
        double largest = 0, error = 0;
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j) {
                largest = std::fmax(largest, std::fabs(columns(i, j)));
                error = std::fmax(error, std::fabs(columns(i, j) - f.a(i, j)));
            }
        EXPECT_LT(error, 1e-10 * largest);
    }
}

}  // namespace
}  // namespace wale
