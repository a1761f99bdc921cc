// tree_complex_test - complex64 and complex128 in every row of chains: those that take complex numbers
// against sums of the definition and LAPACK's factors, the others by their refusal. All through the public
// interface.
#include <algorithm>
#include <complex>
#include <random>

#include "agreement/chains.hpp"
#include "solvers/tree/jobs.hpp"
#include "unit/thrown.hpp"

extern "C" void zgttrf_(const int* n, std::complex<double>* dl, std::complex<double>* d,
                        std::complex<double>* du, std::complex<double>* du2, int* pivots, int* info);

namespace wale::agreement {
namespace {

using wide = std::complex<double>;

/// The rows that take complex numbers.
bool takes_complex(const std::string& row) {
    const std::string rows[] = {"reference/plain", "cpu/thomas", "cuda/thomas", "cuda/recursive_partition"};
    return std::find(std::begin(rows), std::end(rows), row) != std::end(rows) || row.ends_with("/automatic");
}

/// f(T{}) for both types.
template <class F>
void both(F&& f) {
    f(std::complex<float>{});
    f(std::complex<double>{});
}

template <class T>
double rounding() {
    return std::numeric_limits<typename T::value_type>::epsilon() / 2;
}

/// What an elimination without growth leaves, in roundings. Its backward error is below 4 |L||U| of them
/// (Higham 2002, theorem 9.14), each at most 3 in complex products (2 sqrt 2: lemma 3.5) and 5 where a
/// product with a reciprocal stands for a quotient; |L||U| is at most 3 |A| of dominant chains. Partial
/// pivoting by |re| + |im| leaves multipliers of at most sqrt 2 and |L||U| of at most 3 (1 + sqrt 2) |A|,
/// rings of bandwidth two as much.
constexpr double good_complex_ratio = 150;

enum class sort { dominant, random, decaying };

/// Vectors of one job: lower, diagonal, upper, right sides.
template <class T>
struct complex_chains {
    vector_shape matrix, sides;
    bool periodic = false, transposed = false;
    std::vector<T> l, d, u, b;

    complex_chains(const vector_shape& m, const vector_shape& s, sort kind, unsigned seed)
        : matrix(m), sides(s) {
        std::mt19937 draw(seed);
        std::uniform_real_distribution<typename T::value_type> uniform(-1, 1);
        for (std::vector<T>* v : {&l, &d, &u, &b}) {
            const vector_shape& shape = v == &b ? sides : matrix;
            v->assign(static_cast<std::size_t>(shape.span_elements()), T(NAN, NAN));
            for (index_t k = 0; k < shape.count; ++k)
                for (index_t i = 0; i < shape.size_of(k); ++i) {
                    T& value = (*v)[static_cast<std::size_t>(shape.at(k, i))];
                    value = T(uniform(draw), uniform(draw));
                    if (v == &d && kind == sort::dominant)
                        value *= typename T::value_type(3) / std::abs(value);
                    if (v == &d && kind == sort::decaying && i % 3 == 1) value = T(0);
                }
        }
    }
    [[nodiscard]] wide at(const std::vector<T>& of, const vector_shape& s, index_t k, index_t i) const {
        return wide(of[static_cast<std::size_t>(s.at(k, i))]);
    }
    /// The largest |b - A x| / (|A| |x| + |b|) of all vectors, in roundings of the type.
    [[nodiscard]] double ratio(const std::vector<T>& x) const {
        double worst = 0;
        for (index_t v = 0; v < sides.count; ++v) {
            const index_t s = v / (sides.count / matrix.count), n = matrix.size_of(s);
            double norm = 0, unknown = 0, right = 0, off = 0;
            for (index_t i = 0; i < n; ++i) {
                const index_t before = i == 0 ? n - 1 : i - 1, after = i + 1 == n ? 0 : i + 1;
                wide low = transposed ? at(u, matrix, s, before) : at(l, matrix, s, i),
                     up = transposed ? at(l, matrix, s, after) : at(u, matrix, s, i);
                if (!periodic && i == 0) low = 0;
                if (!periodic && i + 1 == n) up = 0;
                const wide middle = at(d, matrix, s, i);
                norm = std::max(norm, std::abs(low) + std::abs(middle) + std::abs(up));
                unknown = std::max(unknown, std::abs(at(x, sides, v, i)));
                right = std::max(right, std::abs(at(b, sides, v, i)));
                const double error = std::abs(at(b, sides, v, i) - middle * at(x, sides, v, i) -
                                              (low == 0.0 ? 0 : low * at(x, sides, v, before)) -
                                              (up == 0.0 ? 0 : up * at(x, sides, v, after)));
                off = std::isnan(error) ? error : std::max(off, error);
                if (std::isnan(off)) return off;
            }
            if (off > 0) worst = std::max(worst, off / (norm * unknown + right) / rounding<T>());
        }
        return worst;
    }
};

/// The three diagonals and the right sides where a row reads them.
template <class T>
struct placed_chains {
    const complex_chains<T>& of;
    buffer<T> l, d, u, x;
    placed_chains(const execution& where, const complex_chains<T>& c) : of(c) {
        const auto sent = [&](const std::vector<T>& v) { return to_device(where, std::span<const T>(v)); };
        l = sent(c.l);
        d = sent(c.d);
        u = sent(c.u);
        x = sent(c.b);
    }
    [[nodiscard]] const_vectors lower() const { return {l.data(), of.matrix}; }
    [[nodiscard]] const_vectors diagonal() const { return {d.data(), of.matrix}; }
    [[nodiscard]] const_vectors upper() const { return {u.data(), of.matrix}; }
    [[nodiscard]] vectors solution() const { return {x.data(), of.sides}; }
    [[nodiscard]] std::vector<T> fetched(const execution& where) const {
        std::vector<T> found(of.b.size());
        copy_bytes(where, found.data(), x.data(), std::ssize(found) * index_t{sizeof(T)});
        return found;
    }
};

class TreeComplex : public row_test {
protected:
    template <class T>
    void expect_right(const complex_chains<T>& c, pivoting p, const std::string& what) {
        std::vector<T> first;
        for (const int threads : thread_counts()) {
            const execution at = where(threads);
            const placed_chains<T> on(at, c);
            tridiagonal_options o;
            o.variant = variant_of(GetParam());
            o.pivoting = p;
            o.periodic = c.periodic;
            o.transposed = c.transposed;
            const auto r = tridiagonal_solve(at, on.lower(), on.diagonal(), on.upper(), on.solution(), o);
            EXPECT_EQ(r.first_bad_system, -1) << what;
            const std::vector<T> x = on.fetched(at);
            EXPECT_LT(c.ratio(x), good_complex_ratio) << what;
            const placed_chains<T> right(at, c);
            const double ours = tridiagonal_residual(at, on.lower(), on.diagonal(), on.upper(),
                                                     {right.x.data(), c.sides}, {on.x.data(), c.sides}, o);
            EXPECT_NEAR(ours / rounding<T>(), c.ratio(x),
                        1e-6 * (1 + c.ratio(x)) + 64 * 0x1p-53 / rounding<T>())
                << what;
            if (first.empty()) first = x;
            EXPECT_TRUE(x.empty() || std::memcmp(first.data(), x.data(), x.size() * sizeof(T)) == 0)
                << "other bits: " << what;
        }
    }
};

TEST_P(TreeComplex, EverySizeLayoutAndForm) {
    if (!takes_complex(GetParam().name)) GTEST_SKIP() << "real numbers only";
    both([&]<class T>(T) {
        unsigned turn = 0;
        for (const index_t n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 64, 65, 130, 300})
            for (int form = 0; form < 8; ++form)
                for (const index_t each : {1, 3}) {
                    ++turn;
                    const index_t count = 1 + turn % 5;
                    const auto type = scalar_of<T>::value;
                    const bool pivoted = form & 1;
                    complex_chains<T> c(
                        chain_shape(static_cast<int>(turn % layout_count), type, n, count),
                        chain_shape(static_cast<int>(turn / 3 % layout_count), type, n, count * each),
                        !pivoted        ? sort::dominant
                        : turn % 2 == 0 ? sort::random
                                        : sort::decaying,
                        turn);
                    c.periodic = form & 2;
                    c.transposed = form & 4;
                    if (c.periodic && n == 0) continue;
                    expect_right(c, pivoted ? pivoting::partial : pivoting::none,
                                 std::to_string(n) + " rows, form " + std::to_string(form) + ", " +
                                     std::to_string(each) + " sides, " + name_of(type));
                }
    });
}

TEST_P(TreeComplex, LongSystems) {
    if (!takes_complex(GetParam().name)) GTEST_SKIP() << "real numbers only";
    both([&]<class T>(T) {
        unsigned turn = 100;
        for (const index_t n : {1023, 4099, 20001})
            for (const bool pivoted : {false, true}) {
                ++turn;
                const vector_shape shape = chain_shape(static_cast<int>(turn % 2), scalar_of<T>::value, n, 2);
                expect_right(complex_chains<T>(shape, shape, pivoted ? sort::random : sort::dominant, turn),
                             pivoted ? pivoting::partial : pivoting::none, std::to_string(n) + " rows");
            }
    });
}

/// A bad system is named by its row, and its neighbours do not change.
TEST_P(TreeComplex, BadPivots) {
    if (!takes_complex(GetParam().name)) GTEST_SKIP() << "real numbers only";
    both([&]<class T>(T) {
        const vector_shape shape = vector_shape::flat(scalar_of<T>::value, 6, 3);
        complex_chains<T> c(shape, shape, sort::dominant, 1);
        c.l[6 + 4] = c.u[6 + 3] = c.d[6 + 4] = c.u[6 + 4] = T(0);  // row 4 of system 1
        c.d[12 + 2] = T(1, NAN);
        for (const bool pivoted : {false, true}) {
            const execution at = where();
            const placed_chains<T> on(at, c);
            buffer<std::int64_t> status =
                to_device(at, std::span<const std::int64_t>(std::vector<std::int64_t>(3, -7)));
            tridiagonal_options o{.variant = variant_of(GetParam()), .status = status.data()};
            o.pivoting = pivoted ? pivoting::partial : pivoting::none;
            c.l[6 + 5] = pivoted ? T(0) : T(1);
            const placed_chains<T> now(at, c);
            const auto r = tridiagonal_solve(at, now.lower(), now.diagonal(), now.upper(), now.solution(), o);
            EXPECT_EQ(r.first_bad_system, 1);
            EXPECT_EQ(r.first_bad_row, 4);
            std::vector<std::int64_t> found(3);
            copy_bytes(at, found.data(), status.data(), 24);
            EXPECT_EQ(found, (std::vector<std::int64_t>{-1, 4, pivoted ? found[2] : 2}));
            EXPECT_GE(found[2], 0);
        }
    });
}

/// A factor of two, or of i, in the matrix and the right side changes no bit of the solution.
TEST_P(TreeComplex, ScalesExactly) {
    if (!takes_complex(GetParam().name)) GTEST_SKIP() << "real numbers only";
    const vector_shape shape = vector_shape::flat(scalar::c128, 50, 4);
    const complex_chains<wide> c(shape, shape, sort::random, 9);
    complex_chains<wide> scaled = c;
    for (std::vector<wide>* v : {&scaled.l, &scaled.d, &scaled.u, &scaled.b})
        for (wide& value : *v) value *= 0x1p40;
    const execution at = where();
    std::vector<wide> x[2];
    for (const complex_chains<wide>* one : {&c, static_cast<const complex_chains<wide>*>(&scaled)}) {
        const placed_chains<wide> on(at, *one);
        (void)tridiagonal_solve(at, on.lower(), on.diagonal(), on.upper(), on.solution(),
                                {.variant = variant_of(GetParam())});
        x[one == &scaled] = on.fetched(at);
    }
    EXPECT_EQ(x[0], x[1]);
}

TEST_P(TreeComplex, OthersRefuseByTheSameReason) {
    if (takes_complex(GetParam().name)) GTEST_SKIP() << "takes complex numbers";
    const vector_shape shape = vector_shape::flat(scalar::c128, 8, 8);
    const complex_chains<wide> c(shape, shape, sort::dominant, 1);
    const placed_chains<wide> on(where(), c);
    EXPECT_EQ(thrown<unsupported_variant>([&] {
                  (void)tridiagonal_solve(where(), on.lower(), on.diagonal(), on.upper(), on.solution(),
                                          {.variant = GetParam().name});
              }),
              GetParam().name + ": computes real numbers only, not complex ones");
}

INSTANTIATE_TEST_SUITE_P(Rows, TreeComplex, testing::ValuesIn(rows_and_automatic(tree::chain_rows)),
                         test_name);

class TreeComplexFactors : public row_test {};

TEST_P(TreeComplexFactors, SolveBothWays) {
    const bool takes = takes_complex(GetParam().name);
    both([&]<class T>(T) {
        for (const index_t n : {1, 2, 3, 9, 64, 300})
            for (int form = 0; form < 8; ++form) {
                const auto type = scalar_of<T>::value;
                const bool pivoted = form & 1;
                complex_chains<T> c(chain_shape(form % 2, type, n, 3), chain_shape(form / 2 % 2, type, n, 6),
                                    pivoted ? sort::random : sort::dominant, static_cast<unsigned>(n));
                c.periodic = form & 2;
                c.transposed = form & 4;
                const execution at = where();
                const placed_chains<T> on(at, c);
                tridiagonal_options o{.variant = GetParam().name};
                o.pivoting = pivoted ? pivoting::partial : pivoting::none;
                o.periodic = c.periodic;
                if (!takes) {
                    EXPECT_THROW(tridiagonal_factors(at, on.lower(), on.diagonal(), on.upper(), o),
                                 unsupported_variant);
                    continue;
                }
                const tridiagonal_factors f(at, on.lower(), on.diagonal(), on.upper(), o);
                EXPECT_EQ(f.result().first_bad_system, -1);
                (void)f.solve(on.solution(), {.transposed = c.transposed});
                EXPECT_LT(c.ratio(on.fetched(at)), good_complex_ratio) << n << " rows, form " << form;
            }
    });
}

INSTANTIATE_TEST_SUITE_P(Rows, TreeComplexFactors, testing::ValuesIn(rows_of(tree::chain_factor_rows)),
                         test_name);

class TreeComplexLapack : public row_test {};

/// LAPACK's pivots, and its numbers but for the roundings of a row: the growth of these systems is small.
TEST_P(TreeComplexLapack, FactorsOfZgttrf) {
    for (const index_t n : {1, 2, 3, 5, 64, 500}) {
        const vector_shape whole = vector_shape::flat(scalar::c128, n, 1);
        complex_chains<wide> c(whole, whole, sort::random, static_cast<unsigned>(n));
        std::vector<wide> dl(c.l.begin() + 1, c.l.end()),
            d = c.d, du(c.u.begin(), c.u.end() - 1),
            second(static_cast<std::size_t>(std::max<index_t>(n - 2, 0)));
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
        for (c.transposed = false;; c.transposed = true) {
            std::vector<wide> x = c.b;
            (void)tridiagonal_solve(at, factors, vectors(x.data(), whole),
                                    {.variant = GetParam().name, .transposed = c.transposed});
            EXPECT_LT(c.ratio(x), good_complex_ratio) << n;
            if (c.transposed) break;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, TreeComplexLapack, testing::ValuesIn(rows_of(tree::chain_lu_rows)), test_name);

TEST(TreeComplex, TreesAndMixturesAreRefused) {
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
