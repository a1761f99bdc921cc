// tree_complex_test - complex64 and complex128 in every row of chains beside what tree_chains_test asks of
// all types: residuals, bad pivots, exact scales, LAPACK's factors; the rows that refuse them.
#include <complex>

#include "agreement/chains.hpp"
#include "solvers/tree/jobs.hpp"
#include "unit/thrown.hpp"

extern "C" void zgttrf_(const int* n, std::complex<double>* dl, std::complex<double>* d,
                        std::complex<double>* du, std::complex<double>* du2, int* pivots, int* info);

namespace wale::agreement {
namespace {

using wide = std::complex<double>;
using stored = stored_vectors_of<wide>;

constexpr scalar types[] = {scalar::c64, scalar::c128};

/// Form: bit 0 pivoted, bit 1 periodic, bit 2 transposed.
chain_question question(const vector_shape& matrix, const vector_shape& rhs, int form, unsigned seed) {
    chain_question q{.matrix = matrix, .rhs = rhs, .seed = seed};
    q.kind = (form & 1) == 0 ? chain_kind::dominant
             : seed % 2 == 0 ? chain_kind::random
                             : chain_kind::zero_diagonal;
    q.options.pivoting = form & 1 ? pivoting::partial : pivoting::none;
    q.options.periodic = form & 2;
    q.options.transposed = form & 4;
    return q;
}

class TreeComplex : public row_test {
protected:
    void SetUp() override {
        row_test::SetUp();
        if (!IsSkipped() && !takes_complex_chains(GetParam().name)) GTEST_SKIP() << "real numbers only";
    }
};

/// The library's residual is that of the definition.
TEST_P(TreeComplex, Residuals) {
    for (const scalar type : types)
        for (int form = 0; form < 8; ++form)
            for (const index_t each : {1, 3}) {
                const auto seed = static_cast<unsigned>(form);
                const chain_question q = question(chain_shape(form % 2, type, 65, 4),
                                                  chain_shape(form / 2 % 2, type, 65, 4 * each), form, seed);
                std::string why;
                const auto found = ask_chains<wide>(where(), variant_of(GetParam()), q, &why);
                if (!found && may_refuse(GetParam().name, q)) continue;
                ASSERT_TRUE(found) << why;
                const stored l(where(), q.matrix, found->lower), d(where(), q.matrix, found->diagonal),
                    u(where(), q.matrix, found->upper), b(where(), q.rhs, found->rhs),
                    x(where(), q.rhs, found->solution);
                const double ours =
                    tridiagonal_residual(where(), l.const_view(), d.const_view(), u.const_view(),
                                         b.const_view(), x.const_view(), q.options);
                const double rounding = type == scalar::c64 ? 0x1p-24 : 0x1p-53,
                             ratio = chain_ratio(q, *found);
                EXPECT_NEAR(ours / rounding, ratio, 1e-6 * (1 + ratio) + 64 * 0x1p-53 / rounding) << q.what();
            }
}

/// A bad system is named by its row, and its neighbours do not change.
TEST_P(TreeComplex, BadPivots) {
    for (const scalar type : types)
        for (const bool pivoted : {false, true}) {
            const vector_shape shape = vector_shape::flat(type, 6, 3);
            values_of<wide> l, d, u, b;
            for (unsigned s = 0; s < 3; ++s) {
                l.push_back(random_values<wide>(6, s));
                d.push_back(random_values<wide>(6, s + 3));
                u.push_back(random_values<wide>(6, s + 6));
                b.push_back(random_values<wide>(6, s + 9));
                for (wide& v : d.back()) v *= 3 / std::abs(v);
            }
            l[1][4] = u[1][3] = d[1][4] = u[1][4] = 0;  // row 4 of system 1
            l[1][5] = pivoted ? 0 : 1;
            d[2][2] = wide(1, NAN);
            const execution at = where();
            const stored lower(at, shape, l), diagonal(at, shape, d), upper(at, shape, u), x(at, shape, b);
            const buffer<std::int64_t> status =
                to_device(at, std::span<const std::int64_t>(std::vector<std::int64_t>(3, -7)));
            tridiagonal_options o{.variant = variant_of(GetParam()), .status = status.data()};
            o.pivoting = pivoted ? pivoting::partial : pivoting::none;
            const auto r = tridiagonal_solve(at, lower.const_view(), diagonal.const_view(),
                                             upper.const_view(), x.view(), o);
            EXPECT_EQ(r.first_bad_system, 1);
            EXPECT_EQ(r.first_bad_row, 4);
            std::vector<std::int64_t> found(3);
            copy_bytes(at, found.data(), status.data(), 24);
            EXPECT_EQ(found, (std::vector<std::int64_t>{-1, 4, pivoted ? found[2] : 2}));
            EXPECT_GE(found[2], 0);
        }
}

/// A factor of two in the matrix and the right side changes no bit of the solution.
TEST_P(TreeComplex, ScalesExactly) {
    const vector_shape shape = vector_shape::flat(scalar::c128, 50, 4);
    values_of<wide> x[2];
    for (const bool scaled : {false, true}) {
        values_of<wide> arrays[4];
        for (unsigned k = 0; k < 4; ++k)
            for (unsigned s = 0; s < 4; ++s) {
                arrays[k].push_back(random_values<wide>(50, 9 + 4 * k + s));
                for (wide& v : arrays[k].back()) v *= scaled ? 0x1p40 : 1;
            }
        const execution at = where();
        const stored l(at, shape, arrays[0]), d(at, shape, arrays[1]), u(at, shape, arrays[2]),
            b(at, shape, arrays[3]);
        (void)tridiagonal_solve(at, l.const_view(), d.const_view(), u.const_view(), b.view(),
                                {.variant = variant_of(GetParam())});
        x[scaled] = b.now();
    }
    EXPECT_EQ(x[0], x[1]);
}

INSTANTIATE_TEST_SUITE_P(Rows, TreeComplex, testing::ValuesIn(rows_and_automatic(tree::chain_rows)),
                         test_name);

class TreeComplexRefusal : public row_test {};

TEST_P(TreeComplexRefusal, OthersRefuseByTheSameReason) {
    if (takes_complex_chains(GetParam().name)) GTEST_SKIP() << "takes complex numbers";
    const vector_shape shape = vector_shape::flat(scalar::c128, 8, 8);
    std::string why;
    EXPECT_FALSE(ask_chains<wide>(where(), GetParam().name, question(shape, shape, 0, 1), &why));
    EXPECT_EQ(why, GetParam().name + ": computes real numbers only, not complex ones");
}

INSTANTIATE_TEST_SUITE_P(Rows, TreeComplexRefusal, testing::ValuesIn(rows_of(tree::chain_rows)), test_name);

class TreeComplexFactors : public row_test {};

TEST_P(TreeComplexFactors, SolveBothWays) {
    for (const scalar type : types)
        for (const index_t n : {1, 2, 3, 9, 64, 300})
            for (int form = 0; form < 8; ++form) {
                chain_question q =
                    question(chain_shape(form % 2, type, n, 3), chain_shape(form / 2 % 2, type, n, 6), form,
                             static_cast<unsigned>(2 * n));
                std::string why;  // the matrix and the right sides of a question
                chain_answer_of<wide> of = *ask_chains<wide>(on_reference{}, "reference/plain", q, &why);
                const execution at = where();
                const stored l(at, q.matrix, of.lower), d(at, q.matrix, of.diagonal),
                    u(at, q.matrix, of.upper), x(at, q.rhs, of.rhs);
                tridiagonal_options o{.variant = GetParam().name};
                o.pivoting = q.options.pivoting;
                o.periodic = q.options.periodic;
                if (!takes_complex_chains(GetParam().name)) {
                    EXPECT_THROW(tridiagonal_factors(at, l.const_view(), d.const_view(), u.const_view(), o),
                                 unsupported_variant);
                    continue;
                }
                const tridiagonal_factors f(at, l.const_view(), d.const_view(), u.const_view(), o);
                EXPECT_EQ(f.result().first_bad_system, -1);
                (void)f.solve(x.view(), {.transposed = q.options.transposed});
                of.solution = x.now();
                EXPECT_LT(chain_ratio(q, of), good_complex_ratio) << q.what();
            }
}

INSTANTIATE_TEST_SUITE_P(Rows, TreeComplexFactors, testing::ValuesIn(rows_of(tree::chain_factor_rows)),
                         test_name);

class TreeComplexLapack : public row_test {};

/// LAPACK's pivots, and its numbers but for the roundings of a row: the growth of these systems is small.
TEST_P(TreeComplexLapack, FactorsOfZgttrf) {
    for (const index_t n : {1, 2, 3, 5, 64, 500}) {
        const vector_shape whole = vector_shape::flat(scalar::c128, n, 1);
        const auto seed = static_cast<unsigned>(n);
        std::vector<wide> dl = random_values<wide>(n - 1, seed), d = random_values<wide>(n, seed + 1),
                          du = random_values<wide>(n - 1, seed + 2),
                          second(static_cast<std::size_t>(std::max<index_t>(n - 2, 0)));
        chain_answer_of<wide> of;
        of.lower = {dl};
        of.lower[0].insert(of.lower[0].begin(), wide(0));
        of.diagonal = {d};
        of.upper = {du};
        of.upper[0].push_back(0);
        of.rhs = {random_values<wide>(n, seed + 3)};
        std::vector<wide> theirs_l = dl, theirs_d = d, theirs_u = du, theirs_second = second;
        std::vector<std::int32_t> pivots(d.size()), theirs(d.size());
        const int size = static_cast<int>(n);
        int info = 0;
        zgttrf_(&size, theirs_l.data(), theirs_d.data(), theirs_u.data(), theirs_second.data(), theirs.data(),
                &info);
        const auto part = [](std::vector<wide>& v) {
            return vectors(v.data(), vector_shape::flat(scalar::c128, std::ssize(v), 1));
        };
        const tridiagonal_lu factors{part(dl), part(d), part(du), part(second), pivots.data()};
        const execution at = where();
        EXPECT_EQ(tridiagonal_factor(at, factors, {.variant = GetParam().name}).first_bad_system, -1);
        EXPECT_EQ(pivots, theirs);
        for (const auto& [ours, lapacks] : {std::pair{&dl, &theirs_l}, {&d, &theirs_d}, {&du, &theirs_u}})
            for (std::size_t i = 0; i < ours->size(); ++i)
                EXPECT_LT(std::abs((*ours)[i] - (*lapacks)[i]), 1e-9 * (1 + std::abs((*lapacks)[i]))) << n;
        for (const bool transposed : {false, true}) {
            chain_question q = question(whole, whole, 1, 0);
            q.options.transposed = transposed;
            std::vector<wide> x = of.rhs[0];
            (void)tridiagonal_solve(at, factors, vectors(x.data(), whole),
                                    {.variant = GetParam().name, .transposed = transposed});
            of.solution = {x};
            EXPECT_LT(chain_ratio(q, of), good_complex_ratio) << n;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, TreeComplexLapack, testing::ValuesIn(rows_of(tree::chain_lu_rows)), test_name);

TEST(TreeComplexTypes, TreesAndMixturesAreRefused) {
    const std::vector<std::int32_t> path{-1, 0};
    std::vector<wide> a(2, wide(1));
    std::vector<double> b(2, 1);
    const vector_shape shape = vector_shape::flat(scalar::c128, 2);
    const const_vectors of{a.data(), shape};
    EXPECT_EQ(thrown<bad_argument>([&] {
                  (void)hines_solve(on_cpu{}, hines_plan(path), of, of, of, {a.data(), shape});
              }),
              "rhs: is complex128, expected float32 or float64");
    EXPECT_EQ(thrown<bad_argument>([&] {
                  (void)tridiagonal_solve(on_cpu{}, of, of, of,
                                          vectors(b.data(), vector_shape::flat(scalar::f64, 2)));
              }),
              "rhs: is float64, expected complex128 like diagonal");
}

}  // namespace
}  // namespace wale::agreement
