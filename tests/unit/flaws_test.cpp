// flaws_test - alignment_flaw, lcs_flaw and infix_flaw take right answers and see every planted wrong one.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <wale/wale.hpp>

namespace wale {
namespace {

std::string letters(std::mt19937& draw, std::size_t most, int count = 4) {
    std::string text(draw() % (most + 1), 'A');
    for (char& c : text) c = "ACGTNRKYSW"[draw() % static_cast<unsigned>(count)];
    return text;
}

alignment_options scoring_of(std::mt19937& draw) {
    alignment_options o;
    o.task = alignment_task::path;
    o.mode = static_cast<alignment_mode>(draw() % 3);
    if (o.mode == alignment_mode::semi_global)
        o.ends = {draw() % 2 == 0, draw() % 2 == 0, draw() % 2 == 0, draw() % 2 == 0};
    o.matrix = draw() % 2 == 0 ? substitution_matrix(2, -3) : substitution_matrix::named("blosum62");
    o.open = static_cast<index_t>(draw() % 6);
    o.extend = static_cast<index_t>(draw() % 4);
    return o;
}

TEST(Flaws, AlignmentsOfEveryModeAreTakenAndWrongOnesSeen) {
    std::mt19937 draw(1);
    int wrong = 0;
    for (int trial = 0; trial < 600; ++trial) {
        const std::string a = letters(draw, 40), b = letters(draw, 40);
        const alignment_options o = scoring_of(draw);
        const alignment_result good = align(on_cpu{1}, a, b, o);
        ASSERT_EQ(alignment_flaw(a, b, good, o), "") << a << " " << b << " " << good.cigar();
        alignment_result bad = good;
        bad.score += 1;
        EXPECT_NE(alignment_flaw(a, b, bad, o), "");
        if (good.path.empty()) continue;
        const auto at = draw() % good.path.size();
        for (int kind = 0; kind < 5; ++kind) {
            bad = good;
            if (kind == 0) bad.path[at].length += 1;
            if (kind == 1) bad.path[at].operation = bad.path[at].operation == '=' ? 'X' : '=';
            if (kind == 2) bad.path.erase(bad.path.begin() + static_cast<std::ptrdiff_t>(at));
            if (kind == 3) bad.query_end += 1;
            if (kind == 4) bad.path[at].operation = 'M';
            EXPECT_NE(alignment_flaw(a, b, bad, o), "") << kind << " " << good.cigar();
            ++wrong;
        }
    }
    EXPECT_GT(wrong, 1000);
}

TEST(Flaws, AnAlignmentBeginsAndEndsWhereItsModeAllows) {
    const alignment_options infix{
        .mode = alignment_mode::semi_global, .ends = infix_ends, .task = alignment_task::path};
    const std::string a = "ACGT", b = "TTACGTTT";
    const alignment_result found = align(on_cpu{1}, a, b, infix);
    EXPECT_EQ(alignment_flaw(a, b, found, infix), "");
    alignment_options global = infix;
    global.mode = alignment_mode::global;
    global.ends = {};
    EXPECT_NE(alignment_flaw(a, b, found, global).find("begins"), std::string::npos);
    alignment_options prefix = infix;
    prefix.ends = {.target_begin = true};
    EXPECT_NE(alignment_flaw(a, b, found, prefix).find("ends"), std::string::npos);
    EXPECT_THROW((void)alignment_flaw(a, b, align(on_cpu{1}, a, b, {}), {}), bad_argument);
}

TEST(Flaws, CommonSubsequencesAscendAndAreEqual) {
    std::mt19937 draw(2);
    for (int trial = 0; trial < 200; ++trial) {
        const std::string a = letters(draw, 60), b = letters(draw, 60);
        const lcs_string_result good = lcs_string(on_cpu{1}, a, b);
        ASSERT_EQ(lcs_flaw(a, b, good), "");
        if (good.in_a.size() < 2) continue;
        lcs_string_result bad = good;
        std::swap(bad.in_a[0], bad.in_a[1]);
        EXPECT_NE(lcs_flaw(a, b, bad), "");
        bad = good;
        bad.in_b.back() = std::ssize(b);
        EXPECT_NE(lcs_flaw(a, b, bad), "");
        bad = good;
        bad.in_b.pop_back();
        EXPECT_NE(lcs_flaw(a, b, bad), "");
    }
    EXPECT_NE(lcs_flaw("AC", "GC", {{0}, {0}, {}}).find("differ"), std::string::npos);
}

TEST(Flaws, PlacesInATextAreTakenAndWrongOnesSeen) {
    std::mt19937 draw(3);
    int wrong = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const std::string read = letters(draw, 30), genome = letters(draw, 200);
        infix_options o;
        o.mode = draw() % 3 == 0 ? infix_mode::prefix : infix_mode::infix;
        o.both_strands = draw() % 2 == 0;
        const infix_match good = infix_align(on_cpu{1}, read, genome, o);
        ASSERT_EQ(infix_flaw(read, genome, good, o), "") << read << " " << genome;
        infix_match bad = good;
        bad.distance += 1;
        EXPECT_NE(infix_flaw(read, genome, bad, o), "");
        if (good.distance > 0) {
            bad.distance = good.distance - 1;
            EXPECT_NE(infix_flaw(read, genome, bad, o), "");
        }
        bad = good;
        bad.locations.clear();
        EXPECT_NE(infix_flaw(read, genome, bad, o), "");
        if (good.cigar.empty()) continue;
        for (const index_t far : {index_t{-2}, std::numeric_limits<index_t>::min()}) {
            bad = good;
            bad.locations.back().begin = bad.locations.back().end = far;
            EXPECT_NE(infix_flaw(read, genome, bad, o), "");
        }
        bad = good;
        bad.locations.front().begin = -1;  // not computed, unlike the path
        EXPECT_NE(infix_flaw(read, genome, bad, o), "");
        bad = good;
        bad.cigar += "1D";
        EXPECT_NE(infix_flaw(read, genome, bad, o), "");
        bad = good;
        bad.cigar.front() = bad.cigar.front() == '9' ? '8' : '9';
        EXPECT_NE(infix_flaw(read, genome, bad, o), "");
        ++wrong;
    }
    EXPECT_GT(wrong, 100);
    // A nearer part beside the one that is named.
    infix_match missed = infix_align(on_cpu{1}, "ACGTACGT", "ACGTTCGT");
    EXPECT_NE(infix_flaw("ACGTACGT", "ACGTTCGTACGTACGT", missed), "");
}

}  // namespace
TEST(flaws, of_hits_of_a_search) {
    const std::string query = "MKTAYIGKQRQISF", records = "MKTAYIAKQRQISFVKSHFSRQGGGGGMKTAYIAKQR";
    const std::vector<index_t> of_query{0, std::ssize(query)}, of_records{0, 22, 27, 37};
    const search_result found =
        search(on_cpu{1}, {query.data(), of_query.data(), 1, 1}, {records.data(), of_records.data(), 3, 1});
    const search_hit good = found.hits.at(0).at(0);
    double cells = 1e6, none = 0;
    EXPECT_EQ(hit_flaw(query, good, {}, cells), "");
    EXPECT_LT(cells, 1e6);
    search_hit bad = good;
    ++bad.score;
    EXPECT_NE(hit_flaw(query, bad, {}, none).find("of the alignment"), std::string::npos);
    ++bad.alignment.score;
    EXPECT_NE(hit_flaw(query, bad, {}, none).find("the path has"), std::string::npos);
    search_hit worse = good;  // a part of the path has its score, and is not the best
    worse.alignment.path = {{'=', 6}};
    worse.alignment.query_end = worse.alignment.query_begin + 6;
    worse.alignment.target_end = worse.alignment.target_begin + 6;
    worse.score = worse.alignment.score =
        align(on_reference{}, query.substr(0, 6), query.substr(0, 6),
              {.mode = alignment_mode::global, .matrix = substitution_matrix::named("blosum62")})
            .score;
    EXPECT_EQ(hit_flaw(query, worse, {}, none), "");  // without cells for the plain loops
    EXPECT_NE(hit_flaw(query, worse, {}, cells).find("the reference says"), std::string::npos);
}

}  // namespace wale
