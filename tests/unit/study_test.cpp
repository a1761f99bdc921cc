// study_test - the study's checks find what is wrong, and its rows say what was measured.
#include <gtest/gtest.h>

#include <algorithm>
#include <wale/error.hpp>
#include <wale/study.hpp>

#include "solvers/wavefront/study/study.hpp"

namespace wale::wavefront {
namespace {

struct filled {
    filled(recurrence kind, index_t rows, index_t columns)
        : a(random_dna(rows, 1)), b(random_dna(columns, 2)), cells(static_cast<std::size_t>(rows * columns)) {
        matrix_view<std::int32_t> table(cells.data(), {rows, columns});
        wavefront_fill(on_reference{}, a, b, table, {.kind = kind, .score = {2, -1, -2}});
        job.kind = kind;
        job.score = {2, -1, -2};
        job.a = {a.data(), rows, 1};
        job.b = {b.data(), columns, 1};
        job.table = cells.data();
        job.rows = rows;
        job.columns = job.pitch = columns;
    }
    std::string a, b;
    std::vector<std::int32_t> cells;
    fill_job job;
};

TEST(Check, FindsEveryWrongCell) {
    for (const recurrence kind : {recurrence::lcs, recurrence::edit, recurrence::global}) {
        filled t(kind, 13, 17);
        EXPECT_EQ(wrong_table(t.job), "");
        for (std::int32_t& cell : t.cells) {
            cell += 1;
            EXPECT_NE(wrong_table(t.job), "");
            cell -= 1;
        }
        for (index_t cut = 1; cut < 13; ++cut) {
            EXPECT_EQ(wrong_rows(t.job, t.cells.data(), 0, cut), "");
            EXPECT_EQ(wrong_rows(t.job, t.cells.data() + (cut - 1) * 17, cut, 13), "");
        }
    }
    filled none(recurrence::lcs, 0, 5);
    EXPECT_EQ(wrong_table(none.job), "");
}

TEST(Check, FindsWhatIsNoSubsequence) {
    EXPECT_EQ(wrong_subsequence("ACGT", "AGT", {0, 2, 3}, {0, 1, 2}), "");
    EXPECT_EQ(wrong_subsequence("", "", {}, {}), "");
    EXPECT_NE(wrong_subsequence("ACGT", "AGT", {0, 1}, {0, 1}), "");  // C is not G
    EXPECT_NE(wrong_subsequence("AA", "AA", {1, 0}, {0, 1}), "");     // descending
    EXPECT_NE(wrong_subsequence("AA", "AA", {0, 1}, {0, 0}), "");     // one symbol twice
    EXPECT_NE(wrong_subsequence("AA", "AA", {0, 2}, {0, 1}), "");     // outside
    EXPECT_NE(wrong_subsequence("AA", "AA", {0}, {0, 1}), "");        // not pairs
}

TEST(Inputs, AreTheSameEverywhere) {
    EXPECT_EQ(random_dna(12, 1), random_dna(12, 1));
    EXPECT_NE(random_dna(12, 1), random_dna(12, 2));
    const pair_tapes pairs = random_pairs(100, 3);
    ASSERT_EQ(pairs.a.offsets.size(), 101U);
    EXPECT_EQ(pairs.a.offsets.back(), std::ssize(pairs.a.symbols));
    EXPECT_GT(pairs.cells, 100 * 50.0 * 64.0);
}

TEST(Study, EveryOperationHasVerifiedRows) {
    for (const char* operation :
         {"fill", "fill_edit", "fill_global", "fill_dtw", "fill_summed_area", "lcs_length", "edit_distance",
          "lcs_string", "lcs_batch", "edit_batch", "warping", "warping_path"}) {
        const study_result r =
            study("wavefront", {.operation = operation, .sizes = {1, 130}, .repeats = 1, .cuda = false});
        EXPECT_TRUE(r.failed.empty()) << operation << ": " << r.failed.front();
        ASSERT_GE(r.rows.size(), 2U) << operation;
        for (const study_row& row : r.rows) {
            EXPECT_TRUE(row.verified);
            EXPECT_GT(row.seconds, 0);
            EXPECT_LE(row.of_fastest, 1);
            EXPECT_GE(row.over_slowest, 1);
        }
        EXPECT_EQ(r.claims.empty(), std::string(operation) != "fill");
    }
}

/// Of every solver the operation whose rows are held against the source's notes, and operations of other
/// inputs.
TEST(Study, EverySolverHasVerifiedRowsAndClaims) {
    const std::tuple<const char*, const char*, index_t, bool> all[] = {
        {"lu", "unpivoted", 40, true},
        {"lu", "batch_8", 20, false},
        {"reconstruction", "h_domes", 50, true},
        {"reconstruction", "fill_holes_field_u16", 40, false},
        {"tree", "one_path", 500, false},
        {"euler", "rodinia_f32", 300, true},
        {"euler", "hllc_first_order", 200, false},
        {"wavefront", "align_similar", 300, false}};
    for (const auto& [solver, operation, size, claims] : all) {
        const study_result r =
            study(solver, {.operation = operation, .sizes = {size}, .repeats = 1, .cuda = false});
        EXPECT_TRUE(r.failed.empty()) << operation << ": " << r.failed.front();
        EXPECT_GE(r.rows.size(), 2U) << operation;
        EXPECT_EQ(!r.claims.empty(), claims) << operation;
        for (const study_claim& c : r.claims) EXPECT_FALSE(c.claim.empty() || c.measured.empty());
    }
}

TEST(Study, ComplexNumbersRunOnTheRowsThatTakeThem) {
    for (const char* operation : {"pivoted_c64", "pivoted_c128"}) {
        const study_result r =
            study("lu", {.operation = operation, .sizes = {40}, .repeats = 1, .cuda = false});
        EXPECT_TRUE(r.failed.empty()) << operation << ": " << r.failed.front();
        EXPECT_GE(r.rows.size(), 2U) << operation;
        EXPECT_TRUE(std::ranges::all_of(r.rows, &study_row::verified)) << operation;
        EXPECT_TRUE(std::ranges::any_of(r.skipped, [](const std::string& s) {
            return s.find("computes real numbers only") != s.npos;
        })) << operation;
    }
}

TEST(Study, OnlyTheVariantAskedFor) {
    const study_result r =
        study("wavefront", {.sizes = {64}, .variant = "plain", .repeats = 2, .cpu = true, .cuda = false});
    ASSERT_EQ(r.rows.size(), 1U);
    EXPECT_EQ(r.rows[0].variant, "reference/plain");
}

TEST(Study, RefusesWhatMakesNoSense) {
    EXPECT_THROW((void)study("wavefront", {.operation = "fil"}), bad_argument);
    EXPECT_THROW((void)study("wavefront", {.variant = "plane"}), unsupported_variant);
    EXPECT_THROW((void)study("wavefront", {.sizes = {0}}), bad_argument);
    EXPECT_THROW((void)study("wavefront", {.repeats = 0}), bad_argument);
    EXPECT_THROW((void)study("wavefront", {.threads = -1}), bad_argument);
}

TEST(Claims, AreRatiosOfTheLargestSizeThatBothHave) {
    const auto row = [](const char* variant, index_t size, double seconds) {
        study_row r;
        r.variant = variant;
        r.size = size;
        r.seconds = seconds;
        return r;
    };
    const std::vector<study_row> rows{row("cuda/rect_global", 100, 3), row("cuda/rect_shared", 100, 2),
                                      row("cuda/rect_global", 200, 9), row("cuda/rect_shared", 200, 6),
                                      row("cuda/hyperlane", 200, 1.5), row("cuda/rect_shared", 400, 1)};
    const auto timer = [](const std::string& variant, tile_shape tile) -> std::optional<double> {
        if (variant == "cuda/rect_shared" && tile.rows > 200) return std::nullopt;
        return variant == "cuda/rect_shared" ? 4.0 : 2.0;
    };
    const auto claims = judge_claims(rows, true, timer);
    EXPECT_EQ(claims[0].measured, "cuda/rect_shared is 1.5 x as fast as cuda/rect_global at 200");
    EXPECT_NE(claims[1].measured.find("is 2 x as fast"), std::string::npos) << claims[1].measured;
    EXPECT_NE(claims[2].measured.find("cuda/hyperlane is 6 x"), std::string::npos) << claims[2].measured;
    EXPECT_NE(claims[3].measured.find("cuda/hyperlane is 4 x"), std::string::npos) << claims[3].measured;
    EXPECT_EQ(claims[4].measured.rfind("not measured here", 0), 0U) << claims[4].measured;
    EXPECT_EQ(judge_claims({}, false, timer)[0].measured, "not measured here: CUDA rows did not run");
}

}  // namespace
}  // namespace wale::wavefront
