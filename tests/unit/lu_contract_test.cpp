// lu_contract_test - what the functions of lu say to arguments that they cannot take. Every message names the
// argument, the value found and what was expected.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>
#include <wale/wale.hpp>

#include "base/decimal_text.hpp"

#include "thrown.hpp"

namespace wale {
namespace {

const execution hosts[] = {on_reference{}, on_cpu{}};
const execution plain = on_reference{};

std::string refused(const std::function<void()>& call) {
    return thrown<bad_argument>(call);
}

/// Packed matrices of T on the host, identities; row-major.
template <class T>
struct grid {
    std::vector<T> values;
    std::vector<std::int32_t> pivots;
    matrices view;
    grid(index_t rows, index_t columns, index_t count = 1)
        : values(static_cast<std::size_t>(rows * columns * count)),
          pivots(static_cast<std::size_t>(std::min(rows, columns) * count)) {
        view.type = scalar_of<T>::value;
        view.rows = rows;
        view.columns = columns;
        view.leading = columns;
        view.count = count;
        view.stride = rows * columns;
        view.data = values.data();
        for (index_t k = 0; k < count; ++k)
            for (index_t i = 0; i < std::min(rows, columns); ++i) {
                values[static_cast<std::size_t>(k * view.stride + i * columns + i)] = 1;
                pivots[static_cast<std::size_t>(k * std::min(rows, columns) + i)] =
                    static_cast<std::int32_t>(i);
            }
    }
};

std::string refused_factor(const matrices& a, std::int32_t* pivots, const lu_options& options = {}) {
    std::string first;
    for (const execution& where : hosts) {
        const std::string said = refused([&] { (void)lu_factor(where, a, pivots, options); });
        EXPECT_TRUE(first.empty() || first == said) << said;
        first = said;
    }
    return first;
}

TEST(LuContract, Shapes) {
    grid<double> a(4, 3);
    const auto with = [&](auto&& change) {
        matrices m = a.view;
        change(m);
        return refused_factor(m, a.pivots.data());
    };
    EXPECT_EQ(with([](matrices& m) { m.rows = -1; }), "a: has -1 rows, expected 0 to 2147483647");
    EXPECT_EQ(with([](matrices& m) { m.columns = -3; }), "a: has -3 columns, expected 0 to 2147483647");
    EXPECT_EQ(with([](matrices& m) { m.rows = index_t{1} << 31; }),
              "a: has 2147483648 rows, expected 0 to 2147483647");
    EXPECT_EQ(with([](matrices& m) { m.count = -2; }), "a: has -2 matrices, expected 0 or more");
    EXPECT_EQ(with([](matrices& m) { m.leading = 2; }), "a: leading dimension is 2, expected at least 3");
    EXPECT_EQ(with([](matrices& m) { m.leading = -3; }), "a: leading dimension is -3, expected at least 3");
    EXPECT_EQ(with([](matrices& m) {
                  m.order = storage_order::column_major;
                  m.leading = 3;
              }),
              "a: leading dimension is 3, expected at least 4");
    EXPECT_EQ(with([](matrices& m) {
                  m.count = 2;
                  m.stride = 11;
              }),
              "a: stride between matrices is 11, expected at least 12");
    EXPECT_NE(with([](matrices& m) {
                  m.rows = m.columns = 2147483647;
                  m.leading = index_t{1} << 40;
              }).find("2^63"),
              std::string::npos);
}

TEST(LuContract, Memory) {
    grid<float> a(4, 4);
    matrices nothing = a.view;
    nothing.data = nullptr;
    EXPECT_EQ(refused_factor(nothing, a.pivots.data()), "a: data is null");
    nothing.rows = 0;  // nothing is read of it
    for (const execution& where : hosts)
        EXPECT_NO_THROW((void)lu_factor(where, nothing, a.pivots.data(), {.pivoting = pivoting::partial}));
    EXPECT_EQ(refused_factor(a.view, nullptr),
              "out.pivots: is null, expected an array unless pivoting is none");
    EXPECT_EQ(refused_factor(a.view, static_cast<std::int32_t*>(a.view.data)), "out.pivots: overlaps a");
}

TEST(LuContract, Options) {
    grid<double> a(4, 4), tall(5, 4);
    const auto says = [&](const lu_options& o) { return refused_factor(a.view, a.pivots.data(), o); };
    for (const double p : {-1.0, std::nan(""), HUGE_VAL})
        EXPECT_EQ(
            says({.pivoting = pivoting::none, .perturbation = p}),
            "options.perturbation: is " + base::decimal_text(p) + ", expected 0 or a small positive number");
    EXPECT_EQ(says({.pivoting = pivoting::partial, .perturbation = 0.25}),
              "options.perturbation: is 0.25, expected 0 unless pivoting is none");
    EXPECT_EQ(says({.growth = true, .asynchronous = true}),
              "options.asynchronous: does not go with growth or condition");
    EXPECT_EQ(says({.condition = true, .asynchronous = true}),
              "options.asynchronous: does not go with growth or condition");
    EXPECT_EQ(refused_factor(tall.view, tall.pivots.data(), {.condition = true}),
              "a: is 5 x 4, expected as many rows as columns");
    double value = 0;
    for (const lu_outputs& out : {lu_outputs{.pivots = tall.pivots.data(), .sign = &value},
                                  lu_outputs{.pivots = tall.pivots.data(), .log_magnitude = &value}})
        EXPECT_EQ(refused([&] { (void)lu_factor(plain, tall.view, out); }),
                  "a: is 5 x 4, expected as many rows as columns");
}

TEST(LuContract, Lists) {
    grid<double> a(4, 4), b(3, 3);
    grid<float> c(2, 2);
    std::vector<std::int32_t> pivots(20);
    const auto says = [&](std::vector<matrices> list, const lu_options& o = {}) {
        return refused(
            [&] { (void)lu_factor(plain, std::span<const matrices>(list), {.pivots = pivots.data()}, o); });
    };
    matrices two = b.view;
    two.count = 2;
    two.stride = 0;
    EXPECT_EQ(says({a.view, two}), "all[1]: stride between matrices is 0, expected at least 9");
    grid<double> pair(3, 3, 2);
    EXPECT_EQ(says({a.view, pair.view}), "all[1]: holds 2 matrices, expected 1");
    EXPECT_EQ(says({a.view, b.view, c.view}), "all[2]: is float32, expected float64 like the first");
    grid<double> tall(5, 4);
    EXPECT_EQ(says({a.view, tall.view}, {.condition = true}),
              "all[1]: is 5 x 4, expected as many rows as columns");
    matrices short_rows = b.view;
    short_rows.leading = 1;
    EXPECT_EQ(says({short_rows}), "all[0]: leading dimension is 1, expected at least 3");
}

TEST(LuContract, Solve) {
    grid<double> a(4, 4), b(4, 2), tall(5, 4), three(3, 2), batch(4, 2, 2);
    grid<float> narrow(4, 2);
    const auto says = [&](const const_matrices& factors, const std::int32_t* pivots, const matrices& right) {
        return refused([&] { (void)lu_solve(plain, factors, pivots, right); });
    };
    EXPECT_EQ(says(tall.view, tall.pivots.data(), b.view),
              "factors: is 5 x 4, expected as many rows as columns");
    EXPECT_EQ(says(a.view, a.pivots.data(), three.view), "b: has 3 rows, expected 4 like factors");
    EXPECT_EQ(says(a.view, a.pivots.data(), narrow.view), "b: is float32, expected float64 like factors");
    EXPECT_EQ(says(a.view, a.pivots.data(), batch.view), "b: has 2 matrices, expected 1 like factors");
    EXPECT_EQ(says(a.view, a.pivots.data(), a.view), "b: overlaps factors");
    std::vector<std::int32_t> wrong = a.pivots;
    for (const std::int32_t pivot : {-1, 0, 4, 2147483647}) {
        wrong[1] = pivot;
        EXPECT_EQ(says(a.view, wrong.data(), b.view),
                  "pivots[1]: is " + std::to_string(pivot) + ", expected 1 to 3");
    }
    EXPECT_NO_THROW((void)lu_solve(plain, a.view, nullptr, b.view));  // P = I
    const std::vector<const_matrices> factors{a.view, a.view};
    const std::vector<matrices> right{b.view};
    EXPECT_EQ(refused([&] { (void)lu_solve(plain, factors, nullptr, right); }),
              "b: has 1 matrices, expected 2 like factors");
}

TEST(LuContract, Inverse) {
    grid<double> a(4, 4), tall(5, 4);
    EXPECT_EQ(refused([&] { (void)lu_inverse(plain, tall.view, tall.pivots.data()); }),
              "factors: is 5 x 4, expected as many rows as columns");
    EXPECT_EQ(refused([&] { (void)lu_inverse(plain, a.view, a.pivots.data(), {.transposed = true}); }),
              "options.transposed, conjugated: an inverse is transposed by its caller");
    a.pivots[3] = 2;
    EXPECT_EQ(refused([&] { (void)lu_inverse(plain, a.view, a.pivots.data()); }),
              "pivots[3]: is 2, expected 3 to 3");
}

TEST(LuContract, DeterminantAndResidual) {
    grid<double> a(4, 4), two(4, 4, 2), wide(4, 5);
    double value = 0;
    EXPECT_EQ(refused([&] { (void)lu_determinant(plain, two.view, nullptr); }),
              "factors: has 2 matrices, expected 1");
    EXPECT_EQ(refused([&] { (void)lu_determinant(plain, wide.view, nullptr); }),
              "factors: is 4 x 5, expected as many rows as columns");
    EXPECT_EQ(refused([&] { lu_determinant(plain, a.view, nullptr, nullptr, &value); }),
              "sign: data is null");
    EXPECT_EQ(refused([&] { lu_determinant(plain, a.view, nullptr, &value, nullptr); }),
              "log_magnitude: data is null");
    EXPECT_EQ(refused([&] { (void)lu_residual_ratio(plain, a.view, wide.view, nullptr); }),
              "factors: is 4 x 5 float64, expected 4 x 4 float64 like a");
    EXPECT_EQ(refused([&] { (void)lu_residual_ratio(plain, two.view, a.view, nullptr); }),
              "factors: is 4 x 4 float64, expected 2 of 4 x 4 float64 like a");
    a.pivots[0] = 7;
    EXPECT_EQ(refused([&] { (void)lu_residual_ratio(plain, a.view, a.view, a.pivots.data()); }),
              "pivots[0]: is 7, expected 0 to 3");
}

TEST(LuContract, Refined) {
    grid<double> a(4, 4), b(4, 2), x(4, 2), three(3, 2), wide(4, 3), two(4, 4, 2), tall(5, 4);
    grid<float> narrow(4, 2);
    const auto says = [&](const const_matrices& m, const const_matrices& right, const matrices& to,
                          int most = 50) {
        return refused([&] { (void)lu_solve_refined(plain, m, right, to, {.max_iterations = most}); });
    };
    EXPECT_EQ(says(tall.view, b.view, x.view), "a: is 5 x 4, expected as many rows as columns");
    EXPECT_EQ(says(two.view, b.view, x.view), "a: has 2 matrices, expected 1");
    EXPECT_EQ(says(a.view, narrow.view, x.view), "b: is float32, expected float64");
    EXPECT_EQ(says(a.view, three.view, three.view), "x: has 3 rows, expected 4 like factors");
    EXPECT_EQ(says(a.view, wide.view, x.view), "b: is 4 x 3 float64, expected 4 x 2 float64 like x");
    EXPECT_EQ(says(a.view, x.view, x.view), "x: overlaps b");
    EXPECT_EQ(says(a.view, a.view, a.view), "x: overlaps a");
    EXPECT_EQ(says(a.view, b.view, x.view, -1), "options.max_iterations: is -1, expected 0 or more");
}

TEST(LuContract, Variants) {
    grid<double> a(4, 4);
    const std::string unknown = thrown<unsupported_variant>(
        [&] { (void)lu_factor(plain, a.view, a.pivots.data(), {.variant = "weave"}); });
    EXPECT_NE(unknown.find("no variant 'weave' on reference"), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("reference/plain"), std::string::npos) << unknown;
    const std::string tournament = thrown<unsupported_variant>([&] {
        (void)lu_factor(plain, a.view, a.pivots.data(),
                        {.variant = "plain", .pivoting = pivoting::tournament});
    });
    EXPECT_EQ(tournament, "reference/plain: pivots by columns, not by tournament");
    const std::string none = thrown<unsupported_variant>(
        [&] { (void)lu_factor(plain, a.view, a.pivots.data(), {.pivoting = pivoting::tournament}); });
    EXPECT_EQ(none,
              "factor: no variant on reference can do this job; reference/plain: pivots by columns, not by "
              "tournament");
    EXPECT_EQ(lu_factor(plain, a.view, a.pivots.data()).run.variant, "reference/plain");
    EXPECT_THROW((void)lu_factor(plain, a.view, a.pivots.data(), {.variant = "cpu/recursive"}),
                 unsupported_variant);
}

TEST(LuContract, Names) {
    EXPECT_STREQ(name_of(factor_precision::automatic), "automatic");
    EXPECT_STREQ(name_of(factor_precision::f16), "float16");
    EXPECT_STREQ(name_of(factor_precision::tf32), "tf32");
    EXPECT_STREQ(name_of(factor_precision::f32), "float32");
    EXPECT_STREQ(name_of(factor_precision::f64), "float64");
}

/// Needs a device.
TEST(LuContract, HostMemoryOnCuda) {
    if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    grid<float> a(4, 4);
    EXPECT_EQ(refused([&] { (void)lu_factor(on_cuda{}, a.view, a.pivots.data()); }),
              "a: is host memory, expected device memory (to_device copies it)");
}

TEST(LuContract, CudaIsNeverReplaced) {
    if (is_available(backend::cuda)) GTEST_SKIP() << "there is a device";
    grid<float> a(4, 4);
    EXPECT_THROW((void)lu_factor(on_cuda{}, a.view, a.pivots.data()), backend_unavailable);
    EXPECT_THROW((void)lu_residual_ratio(on_cuda{}, a.view, a.view, nullptr), backend_unavailable);
}

}  // namespace
}  // namespace wale
