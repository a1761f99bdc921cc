// lu_small_test - the rows cpu/small on their own: every size up to some vectors and tiles, every instruction
// set, ties, and that matrices which share vectors do not see each other.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <limits>
#include <random>
#include <wale/wale.hpp>

extern "C" void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* ipiv, int* info);

namespace wale {
namespace {

/// Matrices of one shape with a gap after every line and every matrix.
template <class T>
struct many {
    matrix_shape shape;
    std::vector<T> data;

    many(storage_order order, index_t rows, index_t columns, index_t count = 1, index_t gap = 0) {
        shape.type = scalar_of<T>::value;
        shape.order = order;
        shape.rows = rows;
        shape.columns = columns;
        shape.count = count;
        shape.leading = shape.line_size() + gap;
        shape.stride = shape.leading * shape.lines() + gap;
        data.assign(static_cast<std::size_t>(shape.stride * count), T(7));
    }
    T& operator()(index_t matrix, index_t i, index_t j) {
        return data[static_cast<std::size_t>(matrix * shape.stride + i * shape.row_step() +
                                             j * shape.column_step())];
    }
    many& random(unsigned seed) {
        std::mt19937 bits(seed);
        std::uniform_real_distribution<double> numbers(-1, 1);
        for (T& x : data) x = static_cast<T>(numbers(bits));
        return *this;
    }
    [[nodiscard]] wale::matrices view() { return {data.data(), shape}; }
    [[nodiscard]] std::vector<T> of(index_t matrix) const {
        const auto first = data.begin() + matrix * shape.stride;
        return {first, first + shape.stride};
    }
};

struct outputs {
    std::vector<std::int32_t> pivots;
    lu_result result;
};

template <class T>
outputs factor(many<T>& a, int threads = 1, lu_options options = {.variant = "cpu/small"}) {
    outputs o;
    o.pivots.assign(static_cast<std::size_t>(a.shape.count * a.shape.diagonal()), -1);
    o.result = lu_factor(on_cpu{threads}, a.view(), o.pivots.data(), options);
    return o;
}

template <class T>
void expect_factors(many<T> a, const std::string& what) {
    many<T> factors = a;
    const outputs o = factor(factors);
    EXPECT_LT(lu_residual_ratio(on_cpu{1}, a.view(), factors.view(), o.pivots.data()), 30) << what;
    EXPECT_EQ(o.result.run.variant, "cpu/small");
    for (index_t m = 0; m < a.shape.count; ++m)
        for (index_t k = 0; k < a.shape.diagonal(); ++k)
            for (index_t i = k + 1; i < a.shape.rows; ++i)
                ASSERT_LE(std::fabs(factors(m, i, k)), 1) << what << ": not the largest was the pivot";
}

std::vector<index_t> sizes() {
    std::vector<index_t> all;
    for (index_t n = 0; n <= 80; ++n) all.push_back(n);
    for (const index_t n : {95, 96, 97, 127, 128, 129, 240, 255, 256, 257, 320}) all.push_back(n);
    return all;
}

template <class T>
void expect_all_sizes(const std::vector<index_t>& all) {
    for (const index_t n : all)
        for (const storage_order order : {storage_order::row_major, storage_order::column_major})
            for (const auto& [rows, columns] : {std::pair<index_t, index_t>{n, n}, {n, n + 13}, {n + 21, n}})
                expect_factors(many<T>(order, rows, columns, 1, n % 3).random(static_cast<unsigned>(n)),
                               std::to_string(rows) + " x " + std::to_string(columns) +
                                   (order == storage_order::row_major ? " by rows" : " by columns"));
}

TEST(LuSmall, EverySize) {
    expect_all_sizes<double>(sizes());
    expect_all_sizes<float>(sizes());
}

TEST(LuSmall, EverySizeInBatches) {
    for (const index_t n : {1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17, 24, 25, 33})
        for (const storage_order order : {storage_order::row_major, storage_order::column_major})
            for (const index_t count : {8, 17, 67}) {
                expect_factors(many<double>(order, n, n, count, n % 2).random(1), "batch");
                expect_factors(many<float>(order, n, n + 2, count).random(2), "wide batch");
                expect_factors(many<float>(order, n + 3, n, count).random(3), "tall batch");
            }
}

TEST(LuSmall, EveryInstructionSet) {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        SCOPED_TRACE(hwy::TargetName(target));
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        expect_all_sizes<double>({1, 7, 16, 25, 33, 61, 130});
        expect_all_sizes<float>({1, 7, 16, 25, 33, 61, 130});
        expect_factors(many<float>(storage_order::row_major, 7, 7, 21).random(4), "batch");
        expect_factors(many<double>(storage_order::row_major, 7, 7, 21).random(5), "batch");
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(LuSmall, PivotsAreLapacks) {
    for (const index_t n : {5, 16, 40, 100, 193, 256}) {
        many<double> a = many<double>(storage_order::column_major, n, n).random(9);
        many<double> theirs = a;
        const int size = static_cast<int>(n);
        std::vector<int> expected(static_cast<std::size_t>(n));
        int info = 0;
        dgetrf_(&size, &size, theirs.data.data(), &size, expected.data(), &info);
        for (int& p : expected) --p;
        EXPECT_EQ(factor(a).pivots, expected) << n;
    }
}

/// Wilkinson's matrix: every column is a tie, and all of it is exact. Rows are rotated by `turn`.
template <class T>
many<T> ties(index_t n, index_t count, index_t turn) {
    many<T> a(storage_order::row_major, n, n, count);
    for (index_t m = 0; m < count; ++m)
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j)
                a(m, (i + turn) % n, j) = i == j || j == n - 1 ? T(1) : i > j ? T(-1) : T(0);
    return a;
}

TEST(LuSmall, OfEqualsTheLowestRow) {
    for (const index_t n : {2, 8, 11, 16, 20, 50})
        for (const index_t turn : {index_t{0}, index_t{1}, n / 2})
            for (const index_t count : {1, 19}) {
                many<double> a = ties<double>(n, count, turn), expected = a;
                const outputs o = factor(a);
                std::vector<std::int32_t> pivots(o.pivots.size());
                lu_factor(on_reference{}, expected.view(), pivots.data());
                EXPECT_EQ(o.pivots, pivots) << n << " turned by " << turn << ", " << count << " matrices";
                EXPECT_EQ(a.data, expected.data);
            }
}

TEST(LuSmall, SingularOnesAreFactoredToTheEnd) {
    for (const index_t n : {3, 8, 20, 45})
        for (const index_t count : {1, 12}) {
            many<double> a(storage_order::column_major, n, n, count);
            for (index_t m = 0; m < count; ++m)
                for (index_t i = 0; i < n; ++i)
                    for (index_t j = 0; j < n; ++j) a(m, i, j) = j == n / 2 ? 0 : i == j ? 4 : j < i ? 1 : 2;
            many<double> factors = a;
            const outputs o = factor(factors);
            EXPECT_EQ(o.result.singular, count);
            EXPECT_EQ(o.result.first_singular, 0);
            EXPECT_EQ(o.result.first_zero, n / 2);
            EXPECT_LT(lu_residual_ratio(on_cpu{1}, a.view(), factors.view(), o.pivots.data()), 30);
        }
}

template <class T>
void expect_no_neighbours_touched(index_t n) {
    many<T> clean = many<T>(storage_order::row_major, n, n, 37).random(11), poisoned = clean;
    poisoned(5, n / 2, n / 2) = std::numeric_limits<T>::quiet_NaN();
    poisoned(6, n - 1, 0) = std::numeric_limits<T>::infinity();
    poisoned(7, 0, 0) = std::numeric_limits<T>::denorm_min();
    for (index_t i = 0; i < n; ++i) poisoned(8, i, 0) = std::numeric_limits<T>::quiet_NaN();
    const outputs expected = factor(clean), found = factor(poisoned);
    for (index_t m = 0; m < clean.shape.count; ++m) {
        for (index_t k = 0; k < n; ++k) {
            const auto at = static_cast<std::size_t>(m * n + k);
            EXPECT_TRUE(found.pivots[at] >= k && found.pivots[at] < n);
            if (m < 5 || m > 8) {
                EXPECT_EQ(found.pivots[at], expected.pivots[at]);
            }
        }
        if (m < 5 || m > 8) {
            EXPECT_EQ(poisoned.of(m), clean.of(m)) << "matrix " << m << " of " << n << " rows";
        }
    }
    EXPECT_GE(found.result.not_finite, 2);
}

TEST(LuSmall, NaNStaysInItsMatrix) {
    for (const index_t n : {1, 4, 8, 11, 16, 20, 33, 70}) {
        expect_no_neighbours_touched<double>(n);
        expect_no_neighbours_touched<float>(n);
    }
}

TEST(LuSmall, TheSameBitsForAnyNumberOfThreads) {
    for (const index_t n : {3, 8, 12, 20, 40}) {
        many<float> one = many<float>(storage_order::row_major, n, n, 2'000'000 / (n * n * n)).random(12);
        many<float> three = one;
        const outputs a = factor(one, 1), b = factor(three, 3);
        EXPECT_EQ(b.result.run.threads, 3) << n;
        EXPECT_EQ(one.data, three.data);
        EXPECT_EQ(a.pivots, b.pivots);
    }
}

TEST(LuSmall, PowersOfTwoScaleTheBits) {
    for (const index_t n : {6, 30, 90})
        for (const index_t count : {1, 20}) {
            many<double> a = many<double>(storage_order::column_major, n, n, count).random(13), scaled = a;
            for (double& x : scaled.data) x = std::ldexp(x, -700);
            const outputs first = factor(a), second = factor(scaled);
            EXPECT_EQ(first.pivots, second.pivots);
            for (index_t m = 0; m < count; ++m)
                for (index_t i = 0; i < n; ++i)
                    for (index_t j = 0; j < n; ++j)
                        ASSERT_EQ(scaled(m, i, j), j < i ? a(m, i, j) : std::ldexp(a(m, i, j), -700));
        }
}

TEST(LuSmall, SubnormalPivotsAreDividedBy) {
    for (const index_t n : {3, 20, 40})
        for (const index_t count : {1, 20}) {
            many<double> a(storage_order::row_major, n, n, count);
            for (index_t m = 0; m < count; ++m)
                for (index_t i = 0; i < n; ++i)
                    for (index_t j = 0; j < n; ++j)
                        a(m, i, j) = std::ldexp(i == j ? 4.0 : j < i ? 1 : 0, -1072);
            const outputs o = factor(a);
            EXPECT_EQ(o.result.not_finite, 0);
            EXPECT_EQ(a(count - 1, n - 1, 0), 0.25);
        }
}

TEST(LuSmall, UnpivotedPivotsMoveWhereAsked) {
    for (const index_t n : {4, 20, 50})
        for (const index_t count : {1, 20}) {
            many<double> a = many<double>(storage_order::row_major, n, n, count).random(14);
            for (index_t m = 0; m < count; ++m) {
                for (index_t i = 0; i < n; ++i) a(m, i, i) = static_cast<double>(n);
                a(m, 0, 0) = -1e-13;
            }
            const outputs o =
                factor(a, 1, {.variant = "cpu/small", .pivoting = pivoting::none, .perturbation = 1e-8});
            EXPECT_EQ(o.result.perturbed, count);
            EXPECT_EQ(a(count - 1, 0, 0), -1e-8 * static_cast<double>(n));
            EXPECT_EQ(o.pivots.back(), n - 1);
        }
}

/// |b - A x| of all systems, by the elements, in units of eps |A| |x|.
template <class T>
double worst_error(many<T> a, many<T> x, many<T> b, bool transposed) {
    double worst = 0;
    for (index_t m = 0; m < a.shape.count; ++m)
        for (index_t i = 0; i < a.shape.rows; ++i)
            for (index_t j = 0; j < b.shape.columns; ++j) {
                double sum = b(m, i, j), size = std::fabs(sum);
                for (index_t l = 0; l < a.shape.rows; ++l) {
                    const double product =
                        static_cast<double>(transposed ? a(m, l, i) : a(m, i, l)) * x(m, l, j);
                    sum -= product;
                    size += std::fabs(product);
                }
                worst = std::max(worst, std::fabs(sum) / (size * std::numeric_limits<T>::epsilon()));
            }
    return worst;
}

template <class T>
void expect_solved(index_t n, index_t columns, index_t count, storage_order order, bool transposed) {
    const many<T> a = many<T>(order, n, n, count, 1).random(15);
    many<T> factors = a;
    const outputs o = factor(factors);
    const many<T> b = many<T>(order, n, columns, count, 2).random(16);
    many<T> x = b;
    lu_solve(on_cpu{1}, factors.view(), o.pivots.data(), x.view(),
             {.variant = "cpu/small", .transposed = transposed});
    EXPECT_LT(worst_error(a, x, b, transposed), 200.0 * static_cast<double>(n))
        << n << " rows, " << columns << " right-hand sides, " << count << " systems"
        << (transposed ? ", transposed" : "") << (order == storage_order::row_major ? ", by rows" : "");
}

TEST(LuSmall, SolvesFewAndManyRightSides) {
    for (const index_t n : {1, 2, 7, 8, 9, 16, 23, 40, 65})
        for (const index_t columns : {1, 3, 5, 16, 33})
            for (const index_t count : {1, 11})
                for (const storage_order order : {storage_order::row_major, storage_order::column_major})
                    for (const bool transposed : {false, true}) {
                        expect_solved<double>(n, columns, count, order, transposed);
                        expect_solved<float>(n, columns, count, order, transposed);
                    }
}

TEST(LuSmall, InvertsWhatItFactored) {
    for (const index_t n : {1, 2, 5, 8, 12, 13, 16, 31, 64, 100})
        for (const index_t count : {1, 19})
            for (const storage_order order : {storage_order::row_major, storage_order::column_major}) {
                const many<double> a = many<double>(order, n, n, count, 1).random(17);
                many<double> inverse = a, identity(order, n, n, count, 1);
                for (index_t m = 0; m < count; ++m)
                    for (index_t i = 0; i < n; ++i)
                        for (index_t j = 0; j < n; ++j) identity(m, i, j) = i == j ? 1 : 0;
                const outputs o = factor(inverse);
                lu_inverse(on_cpu{1}, inverse.view(), o.pivots.data(), {.variant = "cpu/small"});
                EXPECT_LT(worst_error(a, inverse, identity, false), 1e4 * static_cast<double>(n)) << n;
            }
}

}  // namespace
}  // namespace wale
