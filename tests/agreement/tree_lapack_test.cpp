// tree_lapack_test - factors in LAPACK's form beside LAPACK's, and backward errors of numbers near the ends
// of the range.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>
#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/hines.hpp>
#include <wale/tridiagonal.hpp>

#include "agreement/chain_kinds.hpp"
#include "solvers/tree/jobs.hpp"
#include "unit/thrown.hpp"

extern "C" void dgttrf_(const int* n, double* dl, double* d, double* du, double* du2, int* pivots, int* info);
extern "C" void dgttrs_(const char* trans, const int* n, const int* nrhs, const double* dl, const double* d,
                        const double* du, const double* du2, const int* pivots, double* b, const int* ldb,
                        int* info);

namespace wale::agreement {
namespace {

/// The backward error of x in A x = b with A of `matrix` everywhere: as chains, and as a path.
void expect_residual(double matrix, double unknown, double right, double expected) {
    (void)is_available(backend::cuda);
    const std::vector<double> a(4, matrix), x(4, unknown), b(4, right);
    const auto shape = vector_shape::flat(scalar::f64, 4);
    const std::vector<std::int32_t> path{-1, 0, 1, 2};
    for (const execution& where : {execution(on_reference{}), execution(on_cpu{}), execution(on_cuda{})}) {
        if (!is_available(backend_of(where))) continue;
        const buffer<double> m = to_device(where, std::span<const double>(a)),
                             y = to_device(where, std::span<const double>(x)),
                             r = to_device(where, std::span<const double>(b));
        const const_vectors rows{m.data(), shape};
        for (const double found :
             {tridiagonal_residual(where, rows, rows, rows, {r.data(), shape}, {y.data(), shape}),
              hines_residual(where, hines_plan(path), rows, rows, rows, {r.data(), shape},
                             {y.data(), shape})}) {
            if (std::isnan(expected))
                EXPECT_TRUE(std::isnan(found)) << matrix << ' ' << unknown << ' ' << right << ": " << found;
            else
                EXPECT_DOUBLE_EQ(found, expected) << matrix << ' ' << unknown << ' ' << right;
        }
    }
}

TEST(TreeLapack, BackwardErrorsDoNotLeaveTheRange) {
    for (const double size : {1.0, 1e-320, 1e-300, 1e-200, 1e200, 1e300, 1.7e308})
        for (const double unknown : {1.0, 1e-320, 1e-300, 1e-200, 1e200, 1e300, 1.7e308}) {
            expect_residual(size, unknown, 0, 1);  // nothing of b = 0 is met
            expect_residual(0, unknown, size, 1);
            expect_residual(size, 0, unknown, 1);
        }
    expect_residual(1e200, 1e-200, 1, 0.5);  // |b - A x| = 2 in the middle, 3 + 1 is the scale
    expect_residual(1e-200, 1e200, 1, 0.5);
    expect_residual(1e200, 1e200, 1, 1);
    expect_residual(0, 0, 0, 0);
    expect_residual(1, std::nan(""), 1, std::nan(""));
    expect_residual(INFINITY, 1, 1, std::nan(""));
    expect_residual(1, INFINITY, 1, std::nan(""));
    expect_residual(1, 1, INFINITY, std::nan(""));
}

/// One system's factors in LAPACK's form, by LAPACK and then by a row of ours.
struct lapack_form {
    std::vector<double> dl, d, du, du2;
    std::vector<std::int32_t> pivots;
    explicit lapack_form(const bands_of_test& m)
        : dl(m.lower.begin() + 1, m.lower.end()),
          d(m.diagonal),
          du(m.upper.begin(), m.upper.end() - 1),
          du2(d.size() < 2 ? 0 : d.size() - 2, -7),
          pivots(d.size(), -7) {}
    [[nodiscard]] int size() const { return static_cast<int>(d.size()); }
    [[nodiscard]] tridiagonal_lu ours() {
        const auto part = [](std::vector<double>& v) {
            return vectors(v.data(), vector_shape::flat(scalar::f64, static_cast<index_t>(v.size())));
        };
        return {part(dl), part(d), part(du), part(du2), pivots.data()};
    }
};
void expect_same(const std::vector<double>& ours, const std::vector<double>& theirs,
                 const std::string& what) {
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i)
        if (!(std::isnan(ours[i]) && std::isnan(theirs[i]))) {
            ASSERT_DOUBLE_EQ(ours[i], theirs[i]) << what << ", " << i;
        }
}

class TreeLapackRows : public row_test {};

/// The same operations in the same order: equal but for fused operations of LAPACK's compiler.
TEST_P(TreeLapackRows, SameFactors) {
    std::vector<kind> all = kinds();
    for (const kind& k : singular_kinds()) all.push_back(k);
    for (const kind& k : all)
        for (const index_t n : {1, 2, 3, 5, 64, 1000}) {
            const lapack_form given(k.make(n));
            if (n < 5 && std::any_of(given.d.begin(), given.d.end(), [](double v) { return v != v; }))
                continue;
            lapack_form theirs = given;
            const int size = theirs.size(), one = 1;
            int info = 0, unused = 0;
            dgttrf_(&size, theirs.dl.data(), theirs.d.data(), theirs.du.data(), theirs.du2.data(),
                    theirs.pivots.data(), &info);
            const std::string& row = GetParam().name;
            const execution at = where(2);
            const std::string what = std::string(k.name) + ", n " + std::to_string(n);
            lapack_form ours = given;
            const auto result = tridiagonal_factor(at, ours.ours(), {.variant = row});
            EXPECT_EQ(result.first_bad_row, info - 1) << what;
            EXPECT_EQ(ours.pivots, theirs.pivots) << what;
            expect_same(ours.dl, theirs.dl, what);
            expect_same(ours.d, theirs.d, what);
            expect_same(ours.du, theirs.du, what);
            expect_same(ours.du2, theirs.du2, what);
            for (const bool transposed : {false, true}) {
                std::vector<double> x = random_values(n, 5), y = x;
                dgttrs_(transposed ? "T" : "N", &size, &one, theirs.dl.data(), theirs.d.data(),
                        theirs.du.data(), theirs.du2.data(), theirs.pivots.data(), y.data(), &size, &unused);
                (void)tridiagonal_solve(at, theirs.ours(),
                                        vectors(x.data(), vector_shape::flat(scalar::f64, n)),
                                        {.variant = row, .transposed = transposed});
                expect_same(x, y, what + (transposed ? ", transposed" : ""));
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Rows, TreeLapackRows, testing::ValuesIn(rows_of(tree::chain_lu_rows)), test_name);

/// Batches of any layout, several right sides each; and what is no factorisation.
TEST(TreeLapack, InBatches) {
    constexpr index_t n = 37, count = 6, sides = 3;
    for (const bool beside : {false, true}) {
        const auto shape = [&](index_t size, index_t vectors_of) {
            return beside ? vector_shape::interleaved(scalar::f64, size, vectors_of)
                          : vector_shape::flat(scalar::f64, size, vectors_of);
        };
        std::vector<double> l = random_values((n - 1) * count, 1), d = random_values(n * count, 2),
                            u = random_values((n - 1) * count, 3), b = random_values(n * count * sides, 4);
        for (index_t i = 0; i < n; ++i) d[static_cast<std::size_t>(shape(n, count).at(4, i))] = 0;
        for (index_t i = 0; i + 1 < n; ++i) l[static_cast<std::size_t>(shape(n - 1, count).at(4, i))] = 0;
        std::vector<double> second((n - 2) * count), wide_l(n * count), wide_u(n * count),
            factored_l = l, factored_d = d, factored_u = u, x = b;
        for (index_t s = 0; s < count; ++s)
            for (index_t i = 0; i + 1 < n; ++i) {
                wide_l[static_cast<std::size_t>(shape(n, count).at(s, i + 1))] =
                    l[static_cast<std::size_t>(shape(n - 1, count).at(s, i))];
                wide_u[static_cast<std::size_t>(shape(n, count).at(s, i))] =
                    u[static_cast<std::size_t>(shape(n - 1, count).at(s, i))];
            }
        std::vector<std::int32_t> pivots(n * count);
        std::vector<std::int64_t> status(count, -7);
        const tridiagonal_lu factors{{factored_l.data(), shape(n - 1, count)},
                                     {factored_d.data(), shape(n, count)},
                                     {factored_u.data(), shape(n - 1, count)},
                                     {second.data(), shape(n - 2, count)},
                                     pivots.data()};
        const auto result = tridiagonal_factor(on_cpu{3}, factors, {.status = status.data()});
        EXPECT_EQ(result.first_bad_system, 4);
        EXPECT_EQ(status, (std::vector<std::int64_t>{-1, -1, -1, -1, 0, -1}));
        for (const bool transposed : {false, true}) {
            x = b;
            (void)tridiagonal_solve(on_cpu{3}, factors, {x.data(), shape(n, count * sides)},
                                    {.transposed = transposed});
            for (index_t v = 0; v < count * sides; ++v) {
                if (v / sides == 4) continue;
                const auto member = [&](const std::vector<double>& of, const vector_shape& s,
                                        index_t number) {
                    std::vector<double> one(n);
                    for (index_t i = 0; i < n; ++i)
                        one[static_cast<std::size_t>(i)] = of[static_cast<std::size_t>(s.at(number, i))];
                    return one;
                };
                const auto ml = member(wide_l, shape(n, count), v / sides),
                           md = member(d, shape(n, count), v / sides),
                           mu = member(wide_u, shape(n, count), v / sides),
                           mb = member(b, shape(n, count * sides), v),
                           mx = member(x, shape(n, count * sides), v);
                const auto one = vector_shape::flat(scalar::f64, n);
                EXPECT_LT(
                    tridiagonal_residual(on_reference{}, {ml.data(), one}, {md.data(), one}, {mu.data(), one},
                                         {mb.data(), one}, {mx.data(), one}, {.transposed = transposed}),
                    30 * 0x1p-53)
                    << v;
            }
        }
        pivots[n + 3] = 9;
        const auto far_pivot = [&] {
            (void)tridiagonal_solve(on_cpu{}, factors, {x.data(), shape(n, count * sides)});
        };
        EXPECT_EQ(thrown<bad_argument>(far_pivot), "pivots[40]: is 9, expected 4 or 5");
        tridiagonal_lu other = factors;
        other.second.size = n - 1;
        EXPECT_THROW((void)tridiagonal_factor(on_cpu{}, other), bad_argument);
    }
}

}  // namespace
}  // namespace wale::agreement
