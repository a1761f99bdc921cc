// lu_recursive_test - what cpu/recursive alone has: tournament pivoting, and threads that take whole
// matrices.
#include <algorithm>
#include <cmath>

#include "agreement/lu_rows.hpp"

namespace wale::agreement {
namespace {

using enum storage_order;
using enum pivoting;

class LuRecursive : public testing::TestWithParam<scalar> {
protected:
    static factor_answer factored(std::vector<dense> all, int threads, const lu_options& options,
                                  storage_order order = column_major) {
        const factor_question q{.what = "",
                                .all = std::move(all),
                                .how = {.type = GetParam(), .order = order, .gap = 5},
                                .options = options};
        std::string refusal;
        const auto found = ask_factor(on_cpu{threads}, "cpu/recursive", q, &refusal);
        EXPECT_TRUE(found) << refusal;
        return found.value_or(factor_answer{});
    }
};

TEST_P(LuRecursive, FactorsManyAsItFactorsOne) {
    std::vector<dense> all;
    for (unsigned k = 0; k < 5; ++k) all.push_back(random_matrix(310, 310, k));
    const factor_answer many = factored(all, 3, {});
    for (std::size_t k = 0; k < all.size(); ++k) {
        const factor_answer one = factored({all[k]}, 1, {});
        EXPECT_TRUE(one.factors[0].values == many.factors[k].values) << k;
        EXPECT_EQ(one.pivots[0], many.pivots[k]);
    }
}

TEST_P(LuRecursive, TournamentGrowsLittleMore) {
    for (const auto& [m, n] : {std::pair<index_t, index_t>{1200, 320}, {900, 900}}) {
        const dense a = random_matrix(m, n, 11);
        const factor_answer columns = factored({a}, 2, {.pivoting = partial, .growth = true}),
                            blocks = factored({a}, 2, {.pivoting = tournament, .growth = true});
        EXPECT_NE(columns.pivots, blocks.pivots);  // it did play
        EXPECT_LT(blocks.ratio, good_ratio);
        EXPECT_LT(blocks.result.growth, 4 * columns.result.growth);
    }
}

double largest_multiplier(const dense& factors) {
    double most = 0;
    for (index_t i = 0; i < factors.rows; ++i)
        for (index_t j = 0; j < std::min(i, factors.columns); ++j)
            most = std::max(most, std::fabs(factors(i, j)));
    return most;
}

/// What is left of a matrix of low rank is rounding, or noise that is little more: a tournament between
/// blocks of it chooses pivots that other elements exceed by any factor. Multipliers of 10 are the most that
/// a panel may have.
TEST_P(LuRecursive, TournamentMultipliersAreBounded) {
    const double eps = epsilon_of(GetParam());
    unsigned turn = 0;
    for (const auto& [m, n] :
         {std::pair<index_t, index_t>{130, 130}, {520, 64}, {600, 600}, {1100, 70}, {2600, 40}})
        for (const index_t rank : {1, 2, 9, 30})
            for (const double noise : {0.0, 4 * eps, 1e-4}) {
                ++turn;
                dense left = random_matrix(m, rank, turn), right = random_matrix(rank, n, turn + 100);
                if (turn % 3 != 0)  // small whole numbers, of which many rows are equal
                    for (dense* part : {&left, &right})
                        for (double& v : part->values) v = std::round(3 * v);
                dense a = product(left, right);
                const dense other = random_matrix(m, n, turn + 200);
                for (std::size_t k = 0; k < a.values.size(); ++k) a.values[k] += noise * other.values[k];
                std::vector<std::byte> bits;
                for (const int threads : {1, 3}) {
                    const auto found = factored({a}, threads, {.pivoting = tournament},
                                                turn % 2 == 0 ? row_major : column_major);
                    const std::string what = std::to_string(m) + " x " + std::to_string(n) + " of rank " +
                                             std::to_string(rank) + " and noise " + std::to_string(noise) +
                                             ", " + std::to_string(threads) + " threads";
                    EXPECT_LT(found.ratio, good_ratio) << what;
                    EXPECT_LE(largest_multiplier(found.factors[0]), 10 * (1 + 4 * eps)) << what;
                    EXPECT_TRUE(bits.empty() || bits == found.bits) << what;
                    bits = found.bits;
                }
            }
}

INSTANTIATE_TEST_SUITE_P(Types, LuRecursive, testing::Values(scalar::f32, scalar::f64),
                         [](const auto& type) { return std::string(name_of(type.param)); });

}  // namespace
}  // namespace wale::agreement
