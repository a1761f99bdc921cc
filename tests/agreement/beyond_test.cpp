// beyond_test - a pair of more than 2^31 cells on the CPU: rows that share no code must agree, and a path
// must cost what its score says.
#include <wale/warping.hpp>

#include "rows.hpp"
#include "thinned.hpp"

namespace wale::agreement {
namespace {

constexpr index_t rows = 46'400, columns = 46'500;
static_assert(rows * columns > index_t{1} << 31);

struct beyond : testing::Test {
    void SetUp() override {
        if (one_question_in() > 1) GTEST_SKIP() << "takes seconds in a build that is not instrumented";
    }
    std::vector<std::uint8_t> a = narrowed<std::uint8_t>(random_text(rows, 4, 21)),
                              b = narrowed<std::uint8_t>(random_text(columns, 4, 22));
    sequence_view query{a.data(), rows, 1}, target{b.data(), columns, 1};
};

TEST_F(beyond, distances_are_costs_of_alignments) {
    const index_t distance = edit_distance(on_cpu{}, query, target).distance;
    EXPECT_EQ(edit_distance(on_cpu{}, query, target, {.variant = "cpu/bit_vector"}).distance, distance);
    const alignment_result r =
        align(on_cpu{}, query, target, {.variant = "cpu/diagonals", .task = alignment_task::path});
    EXPECT_EQ(r.score, -distance);
    EXPECT_EQ(r.edits(), distance);
    std::size_t i = 0, j = 0;
    for (const alignment_run& run : r.path)
        for (index_t k = 0; k < run.length; ++k) {
            const bool both = run.operation == '=' || run.operation == 'X';
            ASSERT_TRUE(!both || (a.at(i) == b.at(j)) == (run.operation == '=')) << i << ", " << j;
            i += both || run.operation == 'I';
            j += both || run.operation == 'D';
        }
    EXPECT_TRUE(i == a.size() && j == b.size()) << i << ", " << j;
}

TEST_F(beyond, common_subsequences_are_scores) {
    const index_t length = lcs_length(on_cpu{}, query, target).length;
    const alignment_options o{.variant = "cpu/diagonals", .matrix = {1, 0}, .open = 0, .extend = 0};
    EXPECT_EQ(align(on_cpu{}, query, target, o).score, length);
}

TEST_F(beyond, warping_of_constants) {
    const std::vector<float> zeros(rows, 0.0F), ones(columns, 1.0F);
    const index_t m[] = {0, rows}, n[] = {0, columns};
    float cost = 0;
    (void)warping_costs<float>(on_cpu{}, {zeros.data(), m, 1, 1}, {ones.data(), n, 1, 1},
                               matrix_view<float>(&cost, extents<2>{{1, 1}}));
    EXPECT_EQ(cost, static_cast<float>(columns));  // a path has no fewer cells than there are columns
}

}  // namespace
}  // namespace wale::agreement
