// align_strips_test - cuda/strips in every tuning row and with few resident blocks against a row of the host;
// pairs of more than 2^40 cells.
#include "alignment_models.hpp"
#include "solvers/wavefront/align/cuda/tuning.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::agreement {
namespace {

/// Every tuning row of the strips, and few resident blocks, against a row of the host.
struct tuned_strips : row_test {
    static void agrees(const std::string& q, const std::string& t, const prices& p) {
        for (const model& mode : {modes()[0], modes()[1], modes()[14], modes()[17]}) {
            model m = priced(mode, p);
            const alignment_result wanted = align(on_cpu{}, q, t, m.options);
            m.options.variant = GetParam().name;
            expect_same(m.what + ": " + std::to_string(q.size()) + " x " + std::to_string(t.size()),
                        asked_bytes(where(), q, t, m.options), wanted);
            if (HasFatalFailure()) return;
        }
    }
    static void agree() {
        std::string sixty;
        for (char c = '!'; c <= '\\'; ++c) sixty += c;
        const prices dna{"dna", {2, -3}, 5, 2};
        for (const std::size_t n : {1023, 2048, 2049, 5000}) {
            const std::string target = letters_of(n, "ACGT", 11);
            agrees(changed(target, 30, "ACGT", 12), target, dna);
            agrees(letters_of(4100, "ACGT", 13), target, dna);
            agrees(changed(target, 30, "ACGTN", 14), target, dna);
            agrees(target, target, {"gaps for nothing", {1, -1}, 0, 0});
            const std::string letters = letters_of(n, sixty, 15);
            agrees(changed(letters, 9, sixty, 16), letters, {"text", {3, -1}, 4, 1});
            const std::string protein = letters_of(n, "ARNDCQEGHILKMFPSTWYV", 17);
            agrees(changed(protein, 6, "ARNDCQEGHILKMFPSTWYV", 18), protein,
                   {"blosum62", substitution_matrix::named("blosum62"), 11, 1});
            if (HasFatalFailure()) return;
        }
    }
};

TEST_P(tuned_strips, agree) {
    agree();
}
/// Parts that are computed again within parts.
TEST_P(tuned_strips, agree_with_lines_side_by_side) {
    tune("wavefront/align/line_step=512,wavefront/align/line_bytes=60000");
    agree();
}
/// Panels are those of scores alone.
TEST_P(tuned_strips, agree_in_short_panels) {
    tune("wavefront/align/panel=512");
    const std::string target = letters_of(5000, "ACGT", 19);
    for (model m : modes()) {
        m = priced(m, {"dna", {2, -3}, 5, 2});
        m.options.task = alignment_task::ends;
        const std::string query = changed(target, 40, "ACGT", 20);
        const alignment_result wanted = align(on_cpu{}, query, target, m.options);
        m.options.variant = GetParam().name;
        expect_same(m.what, asked_bytes(where(), query, target, m.options), wanted);
        if (HasFatalFailure()) return;
    }
}

named_rows every_strips() {
    return tuned(rows_of(wavefront::align_rows),
                 {{"align", "cuda/strips", "wavefront/align/strips", every_row(wavefront::strips::shapes),
                   "wavefront/align/max_blocks"}});
}
INSTANTIATE_TEST_SUITE_P(rows, tuned_strips, testing::ValuesIn(every_strips()), test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(tuned_strips);

struct huge_strips : row_test {};

/// More than 2^40 cells. With prices of one, the score of a global alignment is minus the edit distance.
TEST_P(huge_strips, edit_distances_and_planted_places) {
    const std::string target = letters_of(1'100'000, "ACGT", 21);
    const std::string query = changed(target, 1000, "ACGT", 22);
    const auto bytes = [](const std::string& s) {
        return std::span(reinterpret_cast<const std::uint8_t*>(s.data()), s.size());
    };
    const placed<std::uint8_t> a(where(), bytes(query)), b(where(), bytes(target));
    const index_t distance = edit_distance(where(), a.view(), b.view()).distance;
    EXPECT_EQ(align(where(), a.view(), b.view(), {.variant = GetParam().name}).score, -distance);
    // A part of the target between symbols that the target does not have: every cell that ends elsewhere is
    // worse, since a match is 2 and the part is matched whole.
    const std::string part =
        std::string(400'000, 'N') + target.substr(300'000, 700'000) + std::string(9, 'N');
    const placed<std::uint8_t> c(where(), bytes(part));
    const alignment_result local = align(where(), c.view(), b.view(),
                                         {.variant = GetParam().name,
                                          .mode = alignment_mode::local,
                                          .task = alignment_task::path,
                                          .matrix = {2, -3},
                                          .open = 5,
                                          .extend = 2});
    EXPECT_EQ(local.score, 1'400'000);
    EXPECT_EQ(local.query_end, 1'100'000);
    EXPECT_EQ(local.target_end, 1'000'000);
    EXPECT_EQ(local.query_begin, 400'000);
    EXPECT_EQ(local.target_begin, 300'000);
    EXPECT_EQ(local.cigar(), "700000=");
}

named_rows on_cuda_alone() {
    named_rows rows = rows_of(wavefront::align_rows);
    std::erase_if(rows, [](const named_row& r) { return r.where != backend::cuda; });
    return rows;
}
INSTANTIATE_TEST_SUITE_P(rows, huge_strips, testing::ValuesIn(on_cuda_alone()), test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(huge_strips);

}  // namespace
}  // namespace wale::agreement
