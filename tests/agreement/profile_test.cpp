// profile_test - profiles in the place of queries: each row against the reference, and against align() and
// search() of the sequence whose scores a profile repeats; files of profiles.
#include <array>
#include <filesystem>
#include <fstream>
#include <wale/profile.hpp>
#include <wale/search.hpp>

#include "alignment_modes.hpp"
#include "packed.hpp"
#include "rows.hpp"
#include "solvers/wavefront/search_jobs.hpp"
#include "thinned.hpp"

namespace wale::agreement {
namespace {

constexpr const char* amino_acids = "ARNDCQEGHILKMFPSTWYVBZX*";

/// The rows of a matrix that the letters of a sequence have.
score_profile repeated(const substitution_matrix& m, const std::string& query) {
    const std::size_t n = m.letters().size();
    std::vector<std::int32_t> scores;
    for (const char c : query) {
        const auto row = m.scores().begin() + static_cast<std::ptrdiff_t>(m.letters().find(c) * n);
        scores.insert(scores.end(), row, row + static_cast<std::ptrdiff_t>(n));
    }
    return {m.letters(), std::move(scores), query};
}

score_profile random_profile(std::size_t rows, const std::string& letters, int most, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::int32_t> scores(rows * letters.size());
    for (std::int32_t& s : scores) s = static_cast<std::int32_t>(random() % (3U * unsigned(most))) - 2 * most;
    return {letters, std::move(scores)};
}

std::vector<alignment_options> modes() {
    std::vector<alignment_options> all(2);
    all[1].mode = alignment_mode::local;
    for (const free_ends ends : {infix_ends, prefix_ends, free_ends{true, false, false, true}}) {
        all.emplace_back();
        all.back().mode = alignment_mode::semi_global;
        all.back().ends = ends;
    }
    for (alignment_options& o : all) {
        o.open = 11;
        o.extend = 2;
    }
    return all;
}

void expect_same(const alignment_result& got, const alignment_result& wanted) {
    EXPECT_EQ(got.score, wanted.score);
    EXPECT_EQ(got.cigar(), wanted.cigar());
    EXPECT_EQ(got.query_begin, wanted.query_begin);
    EXPECT_EQ(got.target_begin, wanted.target_begin);
    EXPECT_EQ(got.query_end, wanted.query_end);
    EXPECT_EQ(got.target_end, wanted.target_end);
}

/// The rows that take profiles; the others must refuse for a reason that names profiles or what they lack.
struct profiles : row_test {
    template <class Ask>
    static bool takes(const Ask& ask) {
        try {
            ask();
            return true;
        } catch (const unsupported_variant& e) {
            EXPECT_NE(std::string(e.what()), "");
            return false;
        }
    }
};

struct profile_pairs : profiles {};

TEST_P(profile_pairs, repeat_sequences) {
    for (const substitution_matrix& m : {substitution_matrix::named("blosum62"), odd_matrix()})
        for (const std::size_t rows : {0, 1, 5, 31, 32, 33, 150, 700})
            for (alignment_options o : modes()) {
                if (!asked_here(2)) continue;
                o.task = alignment_task::path;
                o.matrix = m;
                const std::string query = letters_of(rows, m.letters(), static_cast<unsigned>(rows));
                const std::string target = query.substr(rows / 3) + letters_of(40, m.letters(), 7);
                const alignment_result wanted = align(on_reference{}, query, target, o);
                o.variant = GetParam().name;
                alignment_result got;
                const bool taken = takes([&] { got = align(where(), repeated(m, query), target, o); });
                if (GetParam().where != backend::cuda && GetParam().name != "cpu/striped") {
                    EXPECT_EQ(taken, takes([&] { (void)align(where(), query, target, o); }));
                }
                if (!taken) continue;
                expect_same(got, wanted);
                EXPECT_EQ(got.run.variant, GetParam().name);
                if (HasFailure()) return;
            }
}

TEST_P(profile_pairs, agree) {
    for (const int most : {4, 300, 200'000})
        for (const std::size_t rows : {3, 29, 64, 300})
            for (const std::size_t columns : {0, 1, 40, 333})
                for (alignment_options o : modes()) {
                    if (!asked_here(2)) continue;
                    o.task = alignment_task::path;
                    const score_profile profile = random_profile(rows, amino_acids, most, 3);
                    const std::string target = letters_of(columns, "ARNDCQEGHILKMFPSTWYVUx", 5);
                    const alignment_result wanted = align(on_reference{}, profile, target, o);
                    o.variant = GetParam().name;
                    alignment_result got;
                    if (!takes([&] { got = align(where(), profile, target, o); })) continue;
                    expect_same(got, wanted);
                    if (HasFailure()) return;
                }
}

TEST_P(profile_pairs, bands) {
    const score_profile profile = random_profile(60, "ACGT", 5, 1);
    alignment_options o{.task = alignment_task::path, .open = 3, .band = 4};
    const std::string target = letters_of(70, "ACGT", 2);
    const alignment_result wanted = align(on_reference{}, profile, target, o);
    o.variant = GetParam().name;
    alignment_result got;
    if (takes([&] { got = align(where(), profile, target, o); })) expect_same(got, wanted);
}

INSTANTIATE_TEST_SUITE_P(rows, profile_pairs, testing::ValuesIn(rows_of(wavefront::align_rows)), test_name);

struct profile_searches : profiles {};

TEST_P(profile_searches, scores_agree) {
    packed targets;
    for (std::size_t k = 0; k < 70; ++k)
        targets.add(letters_of(k * 29 % 150, "ARNDCQEGHILKMFPSTWYVUx", static_cast<unsigned>(k)));
    for (const int most : {3, 40, 5000})
        for (const std::size_t rows : {0, 1, 16, 127, 128, 129, 400})
            for (alignment_options o : modes()) {
                if (!asked_here(3)) continue;
                const score_profile profile = random_profile(rows, amino_acids, most, 11);
                o.variant = GetParam().name;
                std::vector<std::int64_t> got(targets.size(), -98);
                const auto ask = [&] { (void)align(where(3), profile, targets.batch(), got, o); };
                if (!takes(ask)) continue;
                o.variant = "automatic";
                for (std::size_t k = 0; k < targets.size(); ++k)
                    ASSERT_EQ(got[k], align(on_reference{}, profile, targets.text(k), o).score)
                        << "rows " << rows << " most " << most << " target " << k;
            }
}

/// What a search of profiles finds is what the search of the sequences finds, path and E-value alike.
TEST_P(profile_searches, repeat_sequences) {
    for (const bool odd : {false, true}) {
        const substitution_matrix m = odd ? odd_matrix() : substitution_matrix::named("blosum62");
        packed targets, queries;
        for (std::size_t k = 0; k < 60; ++k)
            targets.add(letters_of(k * 37 % 260, m.letters(), 40 + static_cast<unsigned>(k)));
        queries.add(letters_of(130, m.letters(), 1));
        queries.add(targets.text(33).substr(3));
        std::vector<score_profile> repeats;
        for (std::size_t q = 0; q < queries.size(); ++q) {
            repeats.push_back(repeated(m, queries.text(q)));
            if (!odd) repeats.back().scaled_as = "blosum62";
        }
        search_options o{.matrix = m, .evalue = 1e300};
        const search_result wanted = search(on_reference{}, queries.batch(), targets.batch(), o);
        o.variant = GetParam().name;
        o.matrix = {};
        search_result got;
        const bool taken = takes([&] { got = search(where(), repeats, targets.batch(), o); });
        if (GetParam().where != backend::cuda && GetParam().name != "cpu/striped") {
            o.matrix = m;
            EXPECT_EQ(taken, takes([&] { (void)search(where(), queries.batch(), targets.batch(), o); }));
        }
        if (!taken) return;
        ASSERT_EQ(got.hits.size(), 2U);
        for (std::size_t q = 0; q < 2; ++q) {
            ASSERT_EQ(got.hits[q].size(), wanted.hits[q].size());
            for (std::size_t k = 0; k < got.hits[q].size(); ++k) {
                const search_hit &g = got.hits[q][k], &w = wanted.hits[q][k];
                EXPECT_EQ(g.target, w.target);
                EXPECT_EQ(std::isnan(g.evalue), odd);
                if (!odd) {
                    EXPECT_EQ(g.evalue, w.evalue);
                }
                expect_same(g.alignment, w.alignment);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(rows, profile_searches, testing::ValuesIn(rows_of(wavefront::align_cross_rows)),
                         test_name);

TEST(profile, takes_letters_as_a_matrix_does) {
    const score_profile p("AC*", {5, -1, -9, -2, 4, -9}, "ac");
    EXPECT_EQ(p.consensus(), "AC");
    EXPECT_EQ(p.size(), 2);
    EXPECT_EQ(score_profile("AC", {1, 1, 0, 2}).consensus(), "AC");  // of equal ones the first
    const alignment_options o{.task = alignment_task::path, .open = 100};
    EXPECT_EQ(align(on_cpu{}, p, std::string_view("ac"), o).cigar(), "2=");
    EXPECT_EQ(align(on_cpu{}, p, std::string_view("A?"), o).score, -4);
    EXPECT_THROW((void)align(on_cpu{}, score_profile("AC", {1, 0}), std::string_view("A?"), o), bad_argument);
}

TEST(profile, refuses_other_shapes) {
    EXPECT_THROW(score_profile("", {}), bad_argument);
    EXPECT_THROW(score_profile("AC", {1, 2, 3}), bad_argument);
    EXPECT_THROW(score_profile("AA", {1, 2}), bad_argument);
    EXPECT_THROW(score_profile("AC", {1, 2}, "ACC"), bad_argument);
    EXPECT_THROW(score_profile("AC", {1, 1'000'001}), bad_argument);
    score_profile p("AC", {1, 2});
    std::array<std::int64_t, 1> score{};
    EXPECT_THROW((void)align(on_cpu{}, p, packed().batch(), score), bad_argument);
    const packed none;
    p.scaled_as = "blosum63";
    EXPECT_THROW((void)search(on_cpu{}, std::span(&p, 1), none.batch()), bad_argument);
}

const std::string of_psiblast =
    "\nLast position-specific scoring matrix computed, weighted observed percentages rounded down, "
    "information\n"
    "            A   R   N   D   C   Q   E   G   H   I   L   K   M   F   P   S   T   W   Y   V   A   R   N   "
    "D"
    "   C   Q   E   G   H   I   L   K   M   F   P   S   T   W   Y   V\n"
    "    1 M    -1  -2  -3  -4  -2  -1  -2  -3  -2   1   2  -2   6   0  -3  -2  -1  -2  -1   1    0   0   0  "
    " 0"
    "   0   0   0   0   0   0   0   0 100   0   0   0   0   0   0   0  0.59 0.10\n"
    "    2 K    -1   2   0  -1  -3   1   3  -2  -1  -3  -2   5  -1  -3  -1   0  -1  -3  -2  -3    0   0   0  "
    " 0"
    "   0   0   0   0   0   0   0 100   0   0   0   0   0   0   0   0  0.57 inf\n"
    "\n                      K         Lambda\nStandard Ungapped    0.1370     0.3192\n"
    "Standard Gapped      0.0410     0.2670\nPSI Ungapped         0.1342     0.3138\n"
    "PSI Gapped           0.0402     0.2670\n";

TEST(profile_files, of_psiblast) {
    const score_profile p = score_profile::parse(of_psiblast, "p");
    EXPECT_EQ(p.letters(), "ARNDCQEGHILKMFPSTWYVBZX*");
    EXPECT_EQ(p.consensus(), "MK");
    EXPECT_EQ(p.scaled_as, "blosum62");
    const std::vector<std::int32_t> wanted{-1, -2, -3, -4, -2, -1, -2, -3, -2, 1,  2,  -2, 6,  0, -3, -2,
                                           -1, -2, -1, 1,  -3, -1, -1, -4, -1, 2,  0,  -1, -3, 1, 3,  -2,
                                           -1, -3, -2, 5,  -1, -3, -1, 0,  -1, -3, -2, -3, 0,  3, -1, -4};
    EXPECT_EQ(p.scores(), wanted);
}

TEST(profile_files, tables) {
    const score_profile plain = score_profile::parse("# DNA\nA C G T\n1 2 -3 4 # one\n\n5 -6 7 8\r\n", "p");
    EXPECT_EQ(plain.letters(), "ACGT");
    EXPECT_EQ(plain.scores(), (std::vector<std::int32_t>{1, 2, -3, 4, 5, -6, 7, 8}));
    EXPECT_EQ(plain.consensus(), "TT");
    EXPECT_EQ(plain.scaled_as, "");
    EXPECT_EQ(score_profile::parse("A C\nC 1 2\nA 1 2", "p").consensus(), "CA");
    EXPECT_EQ(score_profile::parse("A C\n1 g 1 2\n2 A 1 2\n", "p").consensus(), "GA");
    const auto path = std::filesystem::temp_directory_path() / "wale_profile_test.pssm";
    std::ofstream(path) << of_psiblast;
    EXPECT_EQ(score_profile::read(path.string()).size(), 2);
    std::filesystem::remove(path);
    EXPECT_THROW((void)score_profile::read("/nowhere/x.pssm"), cannot_open);
}

TEST(profile_files, bad_lines_have_their_number) {
    const auto message = [](const std::string& text) {
        try {
            (void)score_profile::parse(text, "p");
        } catch (const bad_input& e) {
            return std::string(e.what());
        }
        return std::string("taken");
    };
    EXPECT_EQ(message(""), "p:1: has no line of letters, expected a profile");
    EXPECT_EQ(message("A C\n"), "p:1: has no line of scores, expected one for each position");
    EXPECT_EQ(message("A CC\n1 2\n"), "p:1: 'CC', expected a letter");
    EXPECT_EQ(message("A C\n1 2\n1 x\n"), "p:3: 'x', expected a whole number within +-1000000");
    EXPECT_EQ(message("A C\n1 2\n1 2.5\n"), "p:3: '2.5', expected a whole number within +-1000000");
    EXPECT_EQ(message("A C\n1 1000001"), "p:2: '1000001', expected a whole number within +-1000000");
    EXPECT_EQ(message("A C\n1\n"), "p:2: 1 words, expected 2 scores");
    EXPECT_EQ(message("A C\n1 2 3 4 5\n"), "p:2: 5 words, expected 2 scores");
    EXPECT_EQ(message("A C\nA 1 2\n1 2\n"), "p:3: expected a letter in every row of scores, or in none");
    EXPECT_EQ(message("A C\n1 2\nA 1 2\n"), "p:3: expected a letter in every row of scores, or in none");
    EXPECT_EQ(message("A C A\n1 2 3\n"), "p:2: profile: byte 65 is a letter twice, expected once");
    std::string cut = of_psiblast;
    cut.replace(cut.find("2 K"), 3, "x K");
    EXPECT_EQ(message(cut), "p:5: 'x', expected the number of a position");
}

TEST(matrix_files, bad_lines_have_their_number) {
    try {
        (void)substitution_matrix::parse("# m\nA C\nA 1 2\nC 1 x\nG 1 2\n", "m");
        FAIL() << "taken";
    } catch (const bad_input& e) {
        EXPECT_STREQ(e.what(), "m:4: 'x', expected a whole number within +-1000000");
    }
}

}  // namespace
}  // namespace wale::agreement
