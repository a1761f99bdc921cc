// lu_tuned_test - the rows of lu_factor with every row of their tuning tables and with few resident blocks.
#include <iterator>

#include "agreement/lu_factor_rows.hpp"
#include "solvers/lu/factor/cuda/batched/tuning.hpp"
#include "solvers/lu/factor/cuda/lookahead/tuning.hpp"
#include "solvers/lu/factor/cuda/lookahead/unpivoted_tuning.hpp"
#include "solvers/lu/factor/cuda/panels/tuning.hpp"
#include "solvers/lu/factor/cuda/resident/tuning.hpp"
#include "solvers/lu/factor/cuda/tile_dag/tuning.hpp"
#include "solvers/lu/factor/shared/tuning.hpp"
#include "tuning_rows.hpp"

namespace wale::agreement {
namespace {

using enum storage_order;

class LuFactorTuned : public tuned_lu_test {
protected:
    static dense matrix(index_t m, index_t n) {
        const auto seed = static_cast<unsigned>(m * 7919 + n);
        return GetParam().pivoting == pivoting::none ? dominant_matrix(m, n, seed)
                                                     : random_matrix(m, n, seed);
    }
    static std::optional<factor_answer> right_answer(std::vector<dense> all, const placement& how) {
        const factor_question q{.what = std::to_string(all[0].rows) + " x " + std::to_string(all[0].columns),
                                .all = std::move(all),
                                .how = how,
                                .options = {.pivoting = GetParam().pivoting}};
        std::string refusal;
        auto found = ask_factor(where(), GetParam().name, q, &refusal);
        EXPECT_TRUE(found) << q.what << ": " << refusal;
        if (found) {
            EXPECT_EQ(factor_flaw(q, *found), "") << q.what;
        }
        return found;
    }
    static std::optional<factor_answer> right_answer(index_t m, index_t n, storage_order order) {
        return right_answer({matrix(m, n)}, {.type = GetParam().type, .order = order, .gap = n % 3});
    }
};

TEST_P(LuFactorTuned, EdgesOfBlocks) {
    for (const index_t n :
         {0, 1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 100, 127, 128, 129, 192, 193, 257, 300, 513})
        for (const storage_order order : {row_major, column_major})
            if (asked_here(10)) (void)right_answer(n, n, order);
}

TEST_P(LuFactorTuned, TallAndWide) {
    for (const auto& [m, n] :
         {std::pair<index_t, index_t>{1, 70}, {70, 1}, {33, 200}, {200, 33}, {130, 700}, {700, 130}})
        for (const storage_order order : {row_major, column_major}) (void)right_answer(m, n, order);
}

TEST_P(LuFactorTuned, OneAfterTheOther) {
    std::vector<dense> all;
    for (index_t k = 0; k < 4; ++k) all.push_back(matrix(150, 140));
    (void)right_answer(std::move(all), {.type = GetParam().type, .order = row_major, .gap = 3, .apart = 2});
}

/// The factors are complete, whatever block has the zero pivot.
TEST_P(LuFactorTuned, ZeroColumns) {
    for (const index_t zero : {0, 63, 64, 130, 299}) {
        dense a = matrix(300, 300);
        for (index_t i = 0; i < 300; ++i) a(i, zero) = 0;
        const auto found = right_answer({a}, {.type = GetParam().type});
        ASSERT_TRUE(found);
        EXPECT_EQ(found->first_zero[0], zero);
    }
}

std::vector<tuned_lu_row> all_tuned() {
    using enum pivoting;
    const auto any = [](const auto& table) { return numbers_below(std::size(table)); };
    const auto f32 = [](const auto& table) { return tuning::compiled_rows(table, 4); };
    const auto f64 = [](const auto& table) { return tuning::compiled_rows(table, 8); };
    std::vector<lu_tunable> tunables{
        {"cpu/recursive", "lu/factor/recursive", numbers_below(4), numbers_below(4), partial},
        {"cuda/batched", "lu/factor/batched/grid", any(lu::thread_grid_policies),
         any(lu::thread_grid_policies), none},
        {"cuda/resident", "lu/factor/resident_pivoted", f32(lu::resident::pivoted_policies),
         f64(lu::resident::pivoted_policies), partial, "lu/factor/resident_blocks"},
        {"cuda/resident", "lu/factor/resident_unpivoted", f32(lu::resident::unpivoted_policies),
         f64(lu::resident::unpivoted_policies), none, "lu/factor/resident_blocks"},
        {"cuda/tile_dag", "lu/factor/tile_dag", f32(lu::tile_dag::policies), f64(lu::tile_dag::policies),
         none, "lu/factor/tile_dag_blocks"},
        {"cuda/lookahead", "lu/factor/lookahead", any(lu::lookahead_policies), any(lu::lookahead_policies),
         partial},
        {"cuda/lookahead", "lu/factor/unpivoted", any(lu::unpivoted::policies), any(lu::unpivoted::policies),
         none},
        {"cuda/panels", "lu/factor/panels", any(lu::panels::policies), any(lu::panels::policies), partial}};
    for (const char* row :
         {"cuda/blocked_shared", "cuda/blocked_global", "cuda/row_column", "cuda/row_column_copy"})
        tunables.push_back(
            {row, "lu/factor/ladder", f32(lu::ladder::policies), f64(lu::ladder::policies), none});
    return tuned_lu_rows(rows_of(lu::factor_rows), tunables);
}
INSTANTIATE_TEST_SUITE_P(Tuned, LuFactorTuned, testing::ValuesIn(all_tuned()), tuned_name);

/// One block or three do what all do, bit for bit.
class LuFactorBlocks : public LuFactorTuned {};

TEST_P(LuFactorBlocks, TheSameBits) {
    const auto found = right_answer(500, 500, column_major);
    const tuning::scoped_override any("lu/factor/tile_dag_blocks=0");
    const auto expected = right_answer(500, 500, column_major);
    ASSERT_TRUE(found && expected);
    EXPECT_TRUE(found->bits == expected->bits);
}

/// Panels of more rows than one shape of a cluster holds in registers.
class LuTallPanels : public LuFactorTuned {};

TEST_P(LuTallPanels, EveryShape) {
    for (const auto& [m, n] :
         {std::pair<index_t, index_t>{4096, 40}, {4097, 40}, {8193, 33}, {16385, 40}, {33000, 20}})
        for (const storage_order order : {row_major, column_major}) (void)right_answer(m, n, order);
}

std::vector<tuned_lu_row> those_with(const char* tuning) {
    std::vector<tuned_lu_row> all = all_tuned();
    std::erase_if(all, [&](const tuned_lu_row& r) { return r.tuning.find(tuning) == std::string::npos; });
    return all;
}
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LuFactorBlocks);  // there may be no plugin
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LuTallPanels);
INSTANTIATE_TEST_SUITE_P(Tuned, LuFactorBlocks, testing::ValuesIn(those_with("tile_dag_blocks")), tuned_name);
INSTANTIATE_TEST_SUITE_P(Tuned, LuTallPanels, testing::ValuesIn(those_with("lu/factor/lookahead")),
                         tuned_name);
INSTANTIATE_TEST_SUITE_P(Panels, LuTallPanels, testing::ValuesIn(those_with("lu/factor/panels")), tuned_name);

}  // namespace
}  // namespace wale::agreement
