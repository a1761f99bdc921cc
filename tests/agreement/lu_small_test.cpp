// lu_small_test - the rows cpu/small with every instruction set that this processor has.
#include "agreement/instruction_sets.hpp"
#include "agreement/lu_rows.hpp"

namespace wale::agreement {
namespace {

using enum storage_order;

void expect_factored(std::vector<dense> all, const placement& how) {
    const factor_question q{.what = "", .all = std::move(all), .how = how, .options = {}};
    std::string refusal;
    const auto found = ask_factor(on_cpu{1}, "cpu/small", q, &refusal);
    ASSERT_TRUE(found) << refusal;
    EXPECT_EQ(factor_flaw(q, *found), "") << q.all[0].rows << " x " << q.all[0].columns;
}

/// Solves for `sides` right-hand sides and inverts, each matrix of a batch alone or in a lane.
void expect_solved(index_t n, index_t sides, index_t count, const placement& how) {
    std::vector<dense> all, right;
    for (index_t k = 0; k < count; ++k) {
        all.push_back(random_matrix(n, n, static_cast<unsigned>(k)));
        right.push_back(random_matrix(n, sides, static_cast<unsigned>(k) + 9));
    }
    const factored f = factored_by_lapack(all, how.type);
    for (const bool transposes : {false, true}) {
        stored_matrices factors(on_cpu{1}, f.factors, how), b(on_cpu{1}, right, how);
        const std::vector<dense> before = b.get();
        (void)lu_solve(on_cpu{1}, factors.uniform(), f.all_pivots().data(), b.uniform(),
                       {.variant = "cpu/small", .transposed = transposes});
        for (std::size_t k = 0; k < all.size(); ++k) {
            const dense& a = f.originals[k];
            EXPECT_LT(solve_ratio(transposes ? transposed(a) : a, b.get()[k], before[k], how.type),
                      good_ratio)
                << n;
        }
    }
    stored_matrices inverse(on_cpu{1}, f.factors, how);
    (void)lu_inverse(on_cpu{1}, inverse.uniform(), f.all_pivots().data(), {.variant = "cpu/small"});
    const dense unit = dense_of(n, n, [](index_t i, index_t j) { return i == j; });
    for (std::size_t k = 0; k < all.size(); ++k)
        EXPECT_LT(solve_ratio(f.originals[k], inverse.get()[k], unit, how.type), good_ratio) << n;
}

class LuSmall : public instruction_set_test {};

TEST_P(LuSmall, FactorsSolvesAndInverts) {
    for (const scalar type : {scalar::f32, scalar::f64})
        for (const storage_order order : {row_major, column_major}) {
            const placement how{.type = type, .order = order, .gap = 1};
            for (const index_t n : {1, 7, 16, 25, 33, 61, 130, 320}) {
                expect_factored({random_matrix(n, n, 1)}, how);
                expect_factored({random_matrix(n, n + 13, 2)}, how);
                expect_factored({random_matrix(n + 21, n, 3)}, how);
            }
            std::vector<dense> batch;
            for (unsigned k = 0; k < 21; ++k) batch.push_back(random_matrix(7, 7, k));
            expect_factored(std::move(batch), how);
            for (const index_t sides : {1, 5, 16, 33}) {
                expect_solved(7, sides, 21, how);
                expect_solved(40, sides, 1, how);
            }
        }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, LuSmall, every_instruction_set(), name_of_set);

}  // namespace
}  // namespace wale::agreement
