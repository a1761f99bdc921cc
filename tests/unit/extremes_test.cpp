// extremes_test - nothing at all, data that are not there, and options at the ends of their types, asked of
// every row of the host.
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <vector>
#include <wale/brief.hpp>
#include <wale/cable.hpp>
#include <wale/distance_matrix.hpp>
#include <wale/image_file.hpp>
#include <wale/matrix_file.hpp>
#include <wale/mesh_tools.hpp>
#include <wale/packed_sequences.hpp>
#include <wale/pair_alignments.hpp>
#include <wale/search.hpp>
#include <wale/wale.hpp>
#include <wale/warping.hpp>

#include "agreement/rows_here.hpp"
#include "thrown.hpp"

namespace wale {
namespace {

constexpr index_t largest = std::numeric_limits<index_t>::max();

/// ask(where, name) of each row of the host that has this operation.
template <class Ask>
void for_rows(const char* solver, const char* operation, const Ask& ask) {
    int asked = 0;
    for (const agreement::row_here& row : agreement::rows_here(solver, operation)) {
        if (backend_of(row.where) == backend::cuda) continue;
        SCOPED_TRACE(row.name);
        ask(row.where, row.name);
        ++asked;
    }
    EXPECT_GT(asked, 1) << operation;
}

TEST(Extremes, NoSequencesNeedNoOffsets) {
    const sequence_batch none{};
    const std::string letters = "ACGT";
    const index_t offsets[] = {0, 4};
    const sequence_batch one{letters.data(), offsets, 1, 1};
    const matrix_view<std::int32_t> no_rows(nullptr, extents<2>{{0, 1}}),
        no_columns(nullptr, extents<2>{{1, 0}});
    for_rows("wavefront", "lcs_batch", [&](const execution& where, const std::string& name) {
        EXPECT_EQ(lcs_length(where, none, none, {}, {name}).run.work, 0);
    });
    for_rows("wavefront", "edit_batch", [&](const execution& where, const std::string& name) {
        EXPECT_EQ(edit_distance(where, none, none, {}, {name}).run.work, 0);
    });
    for_rows("wavefront", "align_batch", [&](const execution& where, const std::string& name) {
        EXPECT_EQ(align(where, none, none, {}, {.variant = name}).run.work, 0);
    });
    for_rows("wavefront", "align_pairs", [&](const execution& where, const std::string& name) {
        EXPECT_EQ(align_pairs(where, none, none, {.variant = name}).size(), 0);
    });
    for_rows("wavefront", "edit_cross", [&](const execution& where, const std::string& name) {
        EXPECT_EQ(edit_distances(where, none, one, no_rows, {name}).run.work, 0);
        EXPECT_EQ(edit_distances(where, one, none, no_columns, {name}).run.work, 0);
    });
    for_rows("wavefront", "align_cross", [&](const execution& where, const std::string& name) {
        EXPECT_TRUE(search(where, none, one, {.variant = name}).hits.empty());
        EXPECT_EQ(search(where, one, none, {.variant = name}).targets, 0);
    });
    for_rows("wavefront", "infix", [&](const execution& where, const std::string& name) {
        EXPECT_TRUE(infix_align(where, none, "ACGT", {.variant = name}).matches.empty());
    });
}

/// A file that cannot be written is not begun.
TEST(Extremes, FilesOfWhatIsNotThere) {
    raster r{.rows = 2, .columns = 3, .row_stride = 3};
    const std::string path = testing::TempDir() + "/extremes";
    for (const char* ending : {".png", ".tif", ".npy"}) {
        expect_thrown<bad_argument>("data is null", [&] { write_image(path + ending, {nullptr, r}); });
        raster negative = r;
        negative.rows = -2;
        const std::uint8_t pixels[6] = {};
        expect_thrown<bad_argument>("1 images of 1 x -2 x 3", [&] {
            write_image(path + ending, {pixels, negative});
        });
        EXPECT_FALSE(std::filesystem::exists(path + ending));
    }
    const double numbers[] = {1, 2, 3, 4};
    for (const char* ending : {".mtx", ".npy", ".csv", ".dat"})
        expect_thrown<bad_argument>("is -2 x -2, expected 0 or more", [&] {
            write_matrix(path + ending, {numbers, {.rows = -2, .columns = -2, .leading = 2}});
        });
}

TEST(Extremes, NoCellsHaveMembranes) {
    const cable_model model(std::vector<cable_compartment>{{.parent = -1, .area = 100}});
    expect_thrown<bad_argument>("options.membranes: has 0 sets, expected 1",
                                [&] { (void)cable(model, {.cells = 0, .membranes = {}}); });
    EXPECT_EQ(cable(model, {.cells = 0}).run(on_cpu{}, 3).steps, 3);
}

TEST(Extremes, MorePartsThanCells) {
    const mesh m = generate_mesh({.kind = mesh_kind::tube, .size = 9, .shape = cell_shape::quadrilateral});
    const std::vector<std::int32_t> part = partition(m, std::numeric_limits<std::int32_t>::max());
    EXPECT_EQ(std::set<std::int32_t>(part.begin(), part.end()).size(), part.size());
    for (const index_t size : {index_t{0}, index_t{-1}, largest, -largest})
        for (const mesh_kind kind : {mesh_kind::o_grid, mesh_kind::c_grid, mesh_kind::tube})
            expect_thrown<bad_argument>("recipe.size", [&] {
                (void)generate_mesh({.kind = kind, .size = size, .shape = cell_shape::quadrilateral});
            });
}

/// Calls when the tables of rows and what threads keep from call to call would be gone.
struct last_caller {
    bool calls = false;
    static void call() {
        const std::string a(9000, 'A'), b(9000, 'C');
        const index_t offsets[] = {0, 40, 90};
        const sequence_batch texts{a.data(), offsets, 2, 1};
        std::vector<double> m(200 * 200, 1);
        for (std::size_t i = 0; i < 200; ++i) m[i * 201] = 300;
        std::vector<std::int32_t> pivots(200);
        std::vector<std::int64_t> scores(2);
        (void)lcs_string(on_cpu{2}, a, b);
        (void)brief_lcs_length("ACGT", "ACCT");
        (void)align(on_cpu{1}, texts, texts, scores, {.open = 3});
        (void)align_pairs(on_cpu{1}, texts, texts);
        (void)lu_factor(on_cpu{2}, matrix_view<double>(m.data(), {200, 200}), pivots.data());
        EXPECT_FALSE(variants("lu").empty());
        EXPECT_THROW((void)read_matrix("none.mtx"), cannot_open);
    }
    ~last_caller() {
        if (calls) call();
    }
} last;

/// By a process of its own: a forked one would report what the threads of its parent keep as a leak.
TEST(Extremes, StaticDestructorsMayCall) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            last_caller::call();
            last.calls = true;
            std::exit(testing::Test::HasFailure() ? 1 : 0);
        },
        testing::ExitedWithCode(0), "");
}

TEST(Extremes, NoMatrices) {
    matrix_shape shape{.rows = 5, .columns = 5, .leading = 5, .count = 0};
    const matrices none(nullptr, shape);
    for_rows("lu", "factor", [&](const execution& where, const std::string& name) {
        EXPECT_EQ(lu_factor(where, none, nullptr, {.variant = name, .pivoting = pivoting::none}).singular, 0);
    });
    for_rows("lu", "solve", [&](const execution& where, const std::string& name) {
        EXPECT_EQ(lu_solve(where, none, nullptr, none, {.variant = name}).run.work, 0);
    });
    for_rows("lu", "inverse", [&](const execution& where, const std::string& name) {
        EXPECT_EQ(lu_inverse(where, none, nullptr, {.variant = name}).run.work, 0);
    });
}

TEST(Extremes, DataThatAreNotThere) {
    const index_t offsets[] = {0, 4};
    const sequence_batch lost{nullptr, offsets, 1, 1};
    const sequence_batch unplaced{"ACGT", nullptr, 1, 1};
    std::int32_t answer = 0;
    const matrix_view<std::int32_t> cell(&answer, extents<2>{{1, 1}});
    const on_cpu where;
    for (const sequence_batch& b : {lost, unplaced}) {
        expect_thrown<bad_argument>("a: data is null", [&] { (void)lcs_length(where, b, b, {&answer, 1}); });
        expect_thrown<bad_argument>("queries: data is null", [&] { (void)edit_distances(where, b, cell); });
        expect_thrown<bad_argument>("query: data is null", [&] { (void)align_pairs(where, b, b); });
        expect_thrown<bad_argument>("queries: data is null", [&] { (void)search(where, b, b); });
        expect_thrown<bad_argument>("queries: data is null", [&] { (void)infix_align(where, b, "ACGT"); });
    }
    expect_thrown<bad_argument>("text: data is null",
                                [&] { (void)infix_align(where, "ACGT", sequence_view(nullptr, 4, 1)); });
    for (const brief_mode mode : {brief_mode::infix, brief_mode::global}) {
        expect_thrown<bad_argument>("query: data is null", [&] {
            (void)brief_align(sequence_view(nullptr, 4, 1), "ACGT", mode, infix_task::path);
        });
        expect_thrown<bad_argument>("text: size is -3", [&] {
            (void)brief_align("ACGT", sequence_view("x", -3, 1), mode, infix_task::path);
        });
    }
    for (const sequence_view& s : {sequence_view(nullptr, 4, 1), {"ACGT", -1, 1}, {"ACGT", 1, 3}})
        expect_thrown<bad_argument>("sequences[1]: ", [&] {
            (void)pack(std::vector{sequence_view("A"), s});
        });
    expect_thrown<bad_argument>("fill: is empty", [&] {
        (void)wavefront_schedule(where, {{3, 3}}, std::function<void(tile_range)>());
    });
    char byte = 0;
    expect_thrown<bad_argument>("to, from: one is null", [&] { copy_bytes(where, nullptr, &byte, 1); });
    expect_thrown<bad_argument>("size is -1", [&] { copy_bytes(where, &byte, &byte, -1); });
    expect_thrown<bad_argument>("size is -1", [] { (void)memory(-1, memory_space::host); });
    const double points[] = {1, 2};
    const index_t two[] = {0, 2};
    expect_thrown<bad_argument>("answers: data is null", [&] {
        (void)warping_costs<double>(where, {points, two, 1},
                                    matrix_view<double>(nullptr, extents<2>{{1, 1}}));
    });
}

/// A bound that nothing exceeds: one more than the largest has no sign.
TEST(Extremes, LargestBounds) {
    const std::string a = "kitten", b = "sitting", both = a + b;
    const index_t first[] = {0, 6}, second[] = {6, 13};
    const sequence_batch left{both.data(), first, 1, 1}, right{both.data(), second, 1, 1};
    std::int32_t answer = 0;
    for (const index_t bound : {largest, largest - 1, index_t{1} << 32, (index_t{1} << 31) - 1}) {
        for_rows("wavefront", "edit_distance", [&](const execution& where, const std::string& name) {
            EXPECT_EQ(edit_distance(where, a, b, {name, bound}).distance, 3);
        });
        for_rows("wavefront", "edit_batch", [&](const execution& where, const std::string& name) {
            (void)edit_distance(where, left, right, {&answer, 1}, {name, bound});
            EXPECT_EQ(answer, 3);
        });
        for_rows("wavefront", "edit_cross", [&](const execution& where, const std::string& name) {
            (void)edit_distances(where, left, right, {&answer, extents<2>{{1, 1}}}, {name, bound});
            EXPECT_EQ(answer, 3);
        });
        for_rows("wavefront", "infix", [&](const execution& where, const std::string& name) {
            EXPECT_EQ(infix_align(where, a, b, {.variant = name, .bound = bound}).distance, 2);
        });
        EXPECT_EQ(brief_edit_distance(a, b, bound).value().value, 3);
        EXPECT_EQ(brief_edit_distance(a, "", bound).value().value, 6);
        const sequence_view texts[] = {a, a, a}, others[] = {b, b, b};
        std::int32_t answers[3] = {};
        EXPECT_TRUE(brief_edit_distances(texts, others, answers, bound));
        EXPECT_EQ(answers[1], 3);
    }
}

/// A heuristic that leaves nothing out, whichever number says so.
TEST(Extremes, LargestBandsAndDrops) {
    const auto found = [](const execution& where, const std::string& name, index_t band, index_t drop) {
        const alignment_result r = align(where, "kitten", "sitting",
                                         {.variant = name,
                                          .task = alignment_task::path,
                                          .matrix = substitution_matrix(2, -1),
                                          .band = band,
                                          .x_drop = drop});
        return std::to_string(r.score) + " " + r.cigar();
    };
    for (const index_t most : {index_t{1000}, index_t{1} << 62, largest - 1, largest})
        for (const auto& [name, where] :
             {std::pair{"reference/plain", execution(on_reference{})}, {"cpu/band", execution(on_cpu{})}}) {
            SCOPED_TRACE(name + (" " + std::to_string(most)));
            EXPECT_EQ(found(where, name, most, -1), "5 1X3=1X1=1D");
            EXPECT_EQ(found(where, name, -1, most), "6 1X3=1X1=");  // ends at the best cell
            EXPECT_EQ(found(where, name, most, most), "6 1X3=1X1=");
        }
}

/// Soft minima of a larger gamma would leave the type, and infinities of both signs would meet.
TEST(Extremes, LargestGamma) {
    const auto cost = [](auto zero, double gamma) {
        using T = decltype(zero);
        const T a[] = {1, 2, 5}, b[] = {1, 3, 4, 4};
        const index_t of_a[] = {0, 3}, of_b[] = {0, 4};
        T answer = 0;
        (void)warping_costs<T>(on_cpu{}, {a, of_a, 1}, {b, of_b, 1}, {&answer, extents<2>{{1, 1}}},
                               {.gamma = gamma});
        return static_cast<double>(answer);
    };
    EXPECT_NEAR(cost(0.0, 0x1p984) / 0x1p984, cost(0.0, 0x1p50) / 0x1p50, 1e-12);
    EXPECT_NEAR(cost(0.0F, 0x1p88) / 0x1p88, cost(0.0F, 0x1p50) / 0x1p50, 1e-5);
    expect_thrown<bad_argument>("options.gamma", [&] { (void)cost(0.0, 0x1.1p984); });
    expect_thrown<bad_argument>("options.gamma", [&] { (void)cost(0.0F, 0x1.1p88); });
}

TEST(Extremes, LargestTiles) {
    const std::string a(261, 'a'), b(120, 'a');
    std::vector<std::int32_t> cells(a.size() * b.size());
    for (const tile_shape tile : {tile_shape{60, largest}, {largest, 60}, {largest, largest}})
        for (const recurrence kind : {recurrence::lcs, recurrence::global})
            for_rows("wavefront", "fill", [&](const execution& where, const std::string& name) {
                const matrix_view<std::int32_t> table(cells.data(), extents<2>{{261, 120}});
                (void)wavefront_fill(where, a, b, table,
                                     {.variant = name, .kind = kind, .score = {1, 0, 0}, .tile = tile});
                EXPECT_EQ(cells.back(), 120);
            });
}

}  // namespace
}  // namespace wale
