// lu_factor_test - every row of lu_factor, host and CUDA, on every size and kind of matrix, through the
// public interface.
#include <cmath>

#include "agreement/lu_factor_rows.hpp"

namespace wale::agreement {
namespace {

using enum storage_order;
using enum pivoting;

constexpr scalar types[] = {scalar::f32, scalar::f64};
constexpr storage_order orders[] = {column_major, row_major};

std::string shape_text(index_t m, index_t n) {
    return std::to_string(m) + " x " + std::to_string(n);
}

dense good_for(pivoting p, index_t m, index_t n, unsigned seed) {
    return p == none ? dominant_matrix(m, n, seed) : random_matrix(m, n, seed);
}

/// Neither more nor less than what is declared.
TEST_P(LuFactor, RefusesWhatItDeclares) {
    for (const pivoting p : {none, partial, tournament}) {
        std::string refusal;
        const factor_question q{
            .what = "", .all = {dominant_matrix(40, 40, 1)}, .how = {}, .options = {.pivoting = p}};
        EXPECT_EQ(ask_factor(where(), GetParam().name, q, &refusal).has_value(),
                  !may_refuse(GetParam().name, p))
            << refusal;
    }
    for (const scalar type : types)
        for (const index_t rows : {512, 1024, 1025, 5000}) {
            std::string refusal;
            const factor_question q{.what = "",
                                    .all = {dominant_matrix(rows, 2, 1)},
                                    .how = {.type = type},
                                    .options = {.pivoting = usual()}};
            EXPECT_EQ(ask_factor(where(), GetParam().name, q, &refusal).has_value(),
                      !may_refuse(GetParam().name, rows, type))
                << rows << ": " << refusal;
        }
}

TEST_P(LuFactor, EverySize) {
    for (const scalar type : types)
        for (const storage_order order : orders)
            for (const pivoting p : pivotings())
                for (index_t n = 0; n <= 80; ++n) {
                    expect_right({.what = "n = " + std::to_string(n),
                                  .all = {good_for(p, n, n, static_cast<unsigned>(n))},
                                  .how = {.type = type, .order = order, .gap = (n % 2) * (1 + n % 3)},
                                  .options = {.pivoting = p}});
                }
}

/// At the edges of what tiles and blocks are made of.
TEST_P(LuFactor, LargerSizes) {
    unsigned turn = 0;
    const bool slow = is_slow(GetParam().name);
    for (const index_t n : {127, 128, 129, 192, 255, 256, 257, 300})
        for (const scalar type : types)
            for (const pivoting p : pivotings()) {
                ++turn;
                if (slow && n > 129 && n != 257) continue;
                expect_right({.what = "n = " + std::to_string(n),
                              .all = {good_for(p, n, n, turn)},
                              .how = {.type = type, .order = orders[turn % 2], .gap = turn % 3},
                              .options = {.pivoting = p}});
            }
    if (slow) return;
    for (const index_t n : {511, 512, 513})
        expect_right({.what = "n = " + std::to_string(n),
                      .all = {usual_matrix(n, n, 5)},
                      .how = {.type = types[n % 2], .order = orders[n % 2]},
                      .options = {.pivoting = usual()}});
    if (!on_device()) return;
    for (const index_t n : {160, 161, 191, 193, 224, 449, 1024})  // where the buckets of a batch end
        for (const scalar type : types)
            if (!may_refuse(GetParam().name, n, type))
                expect_right({.what = "n = " + std::to_string(n),
                              .all = {usual_matrix(n, n, 5)},
                              .how = {.type = type, .order = orders[n % 2]},
                              .options = {.pivoting = usual()}});
}

TEST_P(LuFactor, RectanglesAndNothing) {
    constexpr index_t shapes[][2] = {{0, 5},    {5, 0},    {1, 7},    {7, 1},    {33, 5},
                                     {5, 33},   {64, 65},  {65, 64},  {100, 17}, {17, 100},
                                     {200, 3},  {3, 200},  {130, 70}, {70, 130}, {300, 33},
                                     {33, 300}, {1000, 8}, {8, 1000}, {513, 40}, {40, 513}};
    unsigned turn = 0;
    for (const auto& [m, n] : shapes)
        for (const scalar type : types)
            for (const pivoting p : pivotings())
                for (const storage_order order : orders) {
                    ++turn;
                    expect_right({.what = shape_text(m, n),
                                  .all = {good_for(p, m, n, turn)},
                                  .how = {.type = type, .order = order, .gap = turn % 4},
                                  .options = {.pivoting = p}});
                }
}

TEST_P(LuFactor, EveryKind) {
    unsigned turn = 0;
    for (const matrix_kind& kind : matrix_kinds())
        for (const auto& [m, n] : {std::pair<index_t, index_t>{1, 1},
                                   {2, 2},
                                   {5, 5},
                                   {20, 20},
                                   {24, 24},
                                   {33, 33},
                                   {70, 70},
                                   {130, 130},
                                   {50, 31},
                                   {31, 50}})
            for (const scalar type : types)
                for (const pivoting p : pivotings()) {
                    if ((m != n && !kind.any_shape) || m > kind.largest || (p == none && !kind.unpivoted))
                        continue;
                    ++turn;
                    expect_right({.what = std::string(kind.name) + ", " + shape_text(m, n),
                                  .all = {kind.make(m, n, type, turn)},
                                  .how = {.type = type, .order = orders[turn % 2], .gap = turn % 3},
                                  .options = {.pivoting = p},
                                  .grows = kind.grows});
                }
}

/// Where what is left of a matrix is rounding, or its elements have all magnitudes, at the edges of panels
/// and of the blocks of a tournament too.
TEST_P(LuFactor, EverySizeOfHardKinds) {
    std::vector<index_t> sizes{84, 96, 127, 129};
    for (index_t n = 1; n <= 70; n += 1 + n / 20) sizes.push_back(n);
    if (!is_slow(GetParam().name)) sizes.insert(sizes.end(), {300, 530});
    unsigned turn = 0;
    for (const matrix_kind& kind : matrix_kinds()) {
        const std::string_view name = kind.name;
        bool hard = false;
        for (const char* one : {"rank two", "half rank", "twin columns", "rows of all sizes",
                                "columns of all sizes", "graded, falling", "graded, rising"})
            hard = hard || name == one;
        if (!hard) continue;
        for (const pivoting p : pivotings())
            for (const index_t n : sizes) {
                if (p == none) continue;
                ++turn;
                const scalar type = types[turn % 2];
                expect_right({.what = std::string(name) + ", n = " + std::to_string(n),
                              .all = {kind.make(n, n, type, turn)},
                              .how = {.type = type, .order = orders[turn / 2 % 2]},
                              .options = {.pivoting = p}});
            }
    }
}

/// Uniform batches, packed and with gaps.
TEST_P(LuFactor, Batches) {
    unsigned turn = 0;
    for (const index_t count : {2, 3, 33})
        for (const index_t n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65})
            for (const pivoting p : pivotings()) {
                ++turn;
                std::vector<dense> all;
                const index_t m = turn % 5 == 0 ? n + 3 : n;
                for (index_t k = 0; k < count; ++k)
                    all.push_back(good_for(p, m, n, turn * 100 + static_cast<unsigned>(k)));
                expect_right({.what = std::to_string(count) + " of " + shape_text(m, n),
                              .all = std::move(all),
                              .how = {.type = types[turn % 2],
                                      .order = orders[turn / 2 % 2],
                                      .gap = turn % 3,
                                      .apart = turn % 4 * 5},
                              .options = {.pivoting = p}});
            }
}

TEST_P(LuFactor, ManySmallMatrices) {
    for (const index_t n : {3, 8, 20}) {
        const unsigned count = on_device() && n == 8 ? 20001 : 1001;
        std::vector<dense> all;
        for (unsigned k = 0; k < count; ++k) all.push_back(usual_matrix(n, n, k));
        all[500] = dense(n, n);
        expect_right({.what = std::to_string(count) + " of " + shape_text(n, n),
                      .all = std::move(all),
                      .how = {.type = types[n % 2]},
                      .options = {.pivoting = usual()}});
    }
}

/// Every matrix of its own shape and storage order.
TEST_P(LuFactor, Lists) {
    constexpr index_t sizes[] = {7, 0, 1, 64, 33, 2, 100, 16, 17, 3, 65, 31, 128, 5};
    for (const scalar type : types)
        for (const storage_order order : orders)
            for (const pivoting p : pivotings()) {
                std::vector<dense> squares, rectangles;
                for (std::size_t k = 0; k < std::size(sizes); ++k) {
                    const auto seed = static_cast<unsigned>(k);
                    squares.push_back(good_for(p, sizes[k], sizes[k], seed));
                    rectangles.push_back(good_for(p, sizes[k], sizes[(k + 5) % std::size(sizes)], seed + 50));
                }
                for (auto* all : {&squares, &rectangles})
                    expect_right({.what = all == &squares ? "list of squares" : "list of rectangles",
                                  .all = std::move(*all),
                                  .how = {.type = type, .order = order, .gap = 2, .apart = 3, .listed = true},
                                  .options = {.pivoting = p}});
            }
}

TEST_P(LuFactor, NoMatrices) {
    for (const pivoting p : pivotings()) {
        lu_options options;
        options.variant = GetParam().name;
        options.pivoting = p;
        matrices nothing(nullptr, matrix_shape{});
        nothing.rows = nothing.columns = nothing.leading = 4;
        nothing.stride = 16;
        nothing.count = 0;
        const stored_array<std::int32_t> pivots(where(), 4, -7);
        EXPECT_EQ(lu_factor(where(), nothing, pivots.data(), options).singular, 0);
        EXPECT_EQ(
            lu_factor(where(), std::span<const matrices>(), {.pivots = pivots.data()}, options).singular, 0);
        EXPECT_EQ(pivots.get(), std::vector<std::int32_t>(4, -7));
    }
}

/// On random matrices nothing is nearly equal: all rows take the same pivots.
TEST_P(LuPivots, AreLapacks) {
    for (const scalar type : types)
        for (const auto& [m, n] : {std::pair<index_t, index_t>{10, 10},
                                   {33, 33},
                                   {64, 64},
                                   {100, 100},
                                   {90, 40},
                                   {40, 90},
                                   {300, 300}}) {
            if (type == scalar::f32 && m > 100) continue;
            const dense a = random_matrix(m, n, 77);
            const auto found =
                answer({.what = shape_text(m, n), .all = {a}, .how = {.type = type}, .options = {}});
            if (!found) return;
            const auto [factors, pivots] = lapack_factors(found->originals[0], type);
            EXPECT_EQ(found->pivots[0], pivots) << shape_text(m, n);
            double most = 0;
            for (std::size_t k = 0; k < factors.values.size(); ++k)
                most = std::max(most, std::fabs(factors.values[k] - found->factors[0].values[k]));
            EXPECT_LT(most, 1e4 * epsilon_of(type) * static_cast<double>(n));
        }
}

/// Equal magnitudes: the lowest row is the pivot, as LAPACK has it; all arithmetic here is exact.
TEST_P(LuPivots, TheLowestRowOfEquals) {
    for (const scalar type : types)
        for (const index_t n : {2, 4, 8, 16, 32, 128, 256}) {
            const dense a = dense_of(n, n, [](index_t i, index_t j) {
                return (i & j) == 0                                                       ? 1.0
                       : __builtin_popcountll(static_cast<unsigned long long>(i & j)) % 2 ? -1.0
                                                                                          : 1.0;
            });
            const std::vector<std::int32_t> expected = lapack_factors(a, type).second;
            for (const std::size_t count : {1u, n > 32 ? 1u : 19u}) {  // one, and as many as fill vectors
                const auto found = answer({.what = "Hadamard",
                                           .all = std::vector<dense>(count, a),
                                           .how = {.type = type},
                                           .options = {}});
                if (!found) return;
                for (const auto& pivots : found->pivots) EXPECT_EQ(pivots, expected) << n;
            }
        }
}

/// The checks themselves: whatever is changed in a right answer is noticed.
TEST(LuChecks, NoticeWhatIsWrong) {
    const factor_question q{
        .what = "", .all = {random_matrix(20, 20, 3), random_matrix(20, 20, 4)}, .how = {}, .options = {}};
    std::string refusal;
    const factor_answer right = *ask_factor(on_reference{}, "plain", q, &refusal);
    EXPECT_EQ(factor_flaw(q, right), "");
    const auto flaw = [&](auto&& change) {
        factor_answer wrong = right;
        change(wrong);
        return factor_flaw(q, wrong);
    };
    const auto expect_noticed = [&](auto&& change, const char* what) {
        EXPECT_NE(flaw(change).find(what), std::string::npos)
            << "\"" << flaw(change) << "\" instead of " << what;
    };
    using answer = factor_answer;
    expect_noticed([](answer& a) { a.factors[1](7, 9) += 1e-10; }, "matrix 1: residual ratio");
    expect_noticed([](answer& a) { a.factors[0](19, 0) *= 1 + 1e-10; }, "matrix 0: residual ratio");
    expect_noticed([](answer& a) { a.factors[0](19, 18) = 1.5; }, "matrix 0: L(19, 18)");
    expect_noticed([](answer& a) { a.pivots[0][3] = 20; }, "pivot 3 is 20");
    expect_noticed([](answer& a) { a.pivots[0][3] = 2; }, "pivot 3 is 2");
    expect_noticed([](answer& a) { std::swap(a.permutations[1][0], a.permutations[1][1]); }, "permutation");
    expect_noticed([](answer& a) { a.sign[0] = -a.sign[0]; }, "sign");
    expect_noticed([](answer& a) { a.log_magnitude[0] += 1e-8; }, "log");
    expect_noticed([](answer& a) { a.first_zero[0] = 0; }, "first zero");
    expect_noticed([](answer& a) { a.gaps_untouched = false; }, "between the lines");
    expect_noticed([](answer& a) { a.result.singular = 1; }, "singular");
    expect_noticed([](answer& a) { a.result.not_finite = 1; }, "not finite");
    expect_noticed([](answer& a) { a.result.permutation_sign *= -1; }, "permutation sign");
    // And of solutions.
    const dense a = random_matrix(20, 20, 3), x = random_matrix(20, 2, 5), b = product(a, x);
    EXPECT_LT(solve_ratio(a, x, b, scalar::f64), 1);
    dense off = x;
    off(3, 1) += 1e-9;
    EXPECT_GT(solve_ratio(a, off, b, scalar::f64), good_ratio);
}

INSTANTIATE_TEST_SUITE_P(Variants, LuFactor, testing::ValuesIn(rows_of(lu::factor_rows)), test_name);
INSTANTIATE_TEST_SUITE_P(Variants, LuPivots, testing::ValuesIn(LuPivots::rows()), test_name);

}  // namespace
}  // namespace wale::agreement
