// database_test - searches against scores of the reference pair by pair: hits, their order, blocks of a file,
// threads, lanes of every width; and the parameters of E-values.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <wale/search.hpp>

#include "packed.hpp"
#include "rows.hpp"
#include "solvers/wavefront/search_jobs.hpp"
#include "thinned.hpp"

namespace wale::agreement {
namespace {

packed proteins(std::size_t count, unsigned seed) {
    packed all;
    for (std::size_t k = 0; k < count; ++k)
        all.add(letters_of(k * 37 % 260, "ARNDCQEGHILKMFPSTWYVBZX", seed + static_cast<unsigned>(k)));
    return all;
}

/// What search() must give: all pairs, sorted.
std::vector<std::pair<index_t, index_t>> expected(const std::string& query, const packed& targets,
                                                  const search_options& o) {
    std::vector<std::pair<index_t, index_t>> all;
    const alignment_options one{
        .mode = o.mode, .ends = o.ends, .matrix = o.matrix, .open = o.open, .extend = o.extend};
    for (std::size_t k = 0; k < targets.size(); ++k) {
        const index_t score = align(on_reference{}, query, targets.text(k), one).score;
        if (o.mode != alignment_mode::local || score > 0) all.emplace_back(-score, static_cast<index_t>(k));
    }
    std::sort(all.begin(), all.end());
    all.resize(std::min<std::size_t>(all.size(), static_cast<std::size_t>(o.top)));
    return all;
}

void expect_hits(const search_result& got, const packed& queries, const packed& targets,
                 const search_options& o) {
    ASSERT_EQ(got.hits.size(), queries.size());
    EXPECT_EQ(got.targets, std::ssize(targets.offsets) - 1);
    EXPECT_EQ(got.letters, std::ssize(targets.letters));
    for (std::size_t q = 0; q < queries.size(); ++q) {
        const auto wanted = expected(queries.text(q), targets, o);
        ASSERT_EQ(got.hits[q].size(), wanted.size()) << "query " << q;
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            const search_hit& hit = got.hits[q][k];
            ASSERT_EQ(hit.score, -wanted[k].first) << "query " << q << " hit " << k;
            ASSERT_EQ(hit.target, wanted[k].second) << "query " << q << " hit " << k;
            EXPECT_EQ(hit.symbols, targets.text(static_cast<std::size_t>(hit.target)));
            if (o.path) {
                EXPECT_EQ(hit.alignment.score, hit.score);
            }
        }
    }
}

struct searches : row_test {
    void SetUp() override {
        row_test::SetUp();
        if (IsSkipped()) return;
        packed some;
        some.add("AR");
        try {
            (void)search(where(), some.batch(), some.batch(), {.variant = GetParam().name});
        } catch (const unsupported_variant& e) {
            GTEST_SKIP() << e.what();
        }
    }
};

TEST_P(searches, agree_with_pairs) {
    const packed targets = proteins(150, 1);
    packed queries;
    for (const std::size_t size : {0, 1, 16, 127, 128, 129, 200}) queries.add(letters_of(size, "ARNDCWY", 9));
    queries.add(targets.text(40).substr(3));  // a score above 255
    for (const auto& [mode, ends] : {std::pair{alignment_mode::local, free_ends{}},
                                     {alignment_mode::global, free_ends{}},
                                     {alignment_mode::semi_global, infix_ends},
                                     {alignment_mode::semi_global, free_ends{true, false, false, true}}})
        for (const index_t top : {1, 7, 1000})
            for (const int threads : {1, 3}) {
                if (!asked_here(3)) continue;
                search_options o{.variant = GetParam().name,
                                 .mode = mode,
                                 .ends = ends,
                                 .top = top,
                                 .evalue = 1e300,
                                 .path = top == 7};
                expect_hits(search(where(threads), queries.batch(), targets.batch(), o), queries, targets, o);
                if (HasFatalFailure()) return;
            }
    search_options wide{.variant = GetParam().name, .open = 40'000, .extend = 3, .top = 5, .evalue = 1e300};
    wide.mode = alignment_mode::global;  // cells of 32 bits
    if (GetParam().name == "cpu/striped")
        EXPECT_THROW((void)search(where(), queries.batch(), targets.batch(), wide), unsupported_variant);
    else
        expect_hits(search(where(), queries.batch(), targets.batch(), wide), queries, targets, wide);
    search_options equality{.variant = GetParam().name, .matrix = {2, -3}, .open = 5, .extend = 2};
    expect_hits(search(where(), queries.batch(), targets.batch(), equality), queries, targets, equality);
    // Not symmetric: a score belongs to a letter of the query and one of the target.
    std::vector<std::int32_t> scores = substitution_matrix::named("blosum62").scores();
    scores[1] = 7;
    search_options odd{.variant = GetParam().name,
                       .matrix = {substitution_matrix::named("blosum62").letters(), scores}};
    expect_hits(search(where(), queries.batch(), targets.batch(), odd), queries, targets, odd);
}

/// On CUDA each query has launches of its own then, and warps share its profile where it has one strip of
/// rows; the targets of longer queries are the rows.
TEST_P(searches, one_query_at_a_time) {
    if (!on_device()) GTEST_SKIP() << "as otherwise on the host";
    const packed targets = proteins(150, 1);
    packed queries;
    for (const std::size_t size : {0, 1, 8, 9, 33, 127, 128, 129, 320, 321, 767, 1536, 1537, 2000})
        queries.add(letters_of(size, "ARNDCQEGHILKMFPSTWYV", 11));
    queries.add(targets.text(40).substr(3));
    search_options o{.variant = GetParam().name, .top = 1000, .evalue = 1e300};
    for (const char* longest : {"1536", "100", "100000"}) {
        tune(std::string("wavefront/align/one_query=1,wavefront/align/longest_query=") + longest);
        expect_hits(search(where(), queries.batch(), targets.batch(), o), queries, targets, o);
        std::vector<std::int32_t> scores = o.matrix.scores();
        scores[1] += 3;  // not symmetric: of a letter of the query and one of the target
        o.matrix = {o.matrix.letters(), scores};
    }
}

TEST_P(searches, files_in_blocks) {
    const packed targets = proteins(90, 5);
    packed queries;
    queries.add(letters_of(60, "ARNDCQEGHILKMFPSTWYV", 3));
    queries.add(targets.text(50).substr(10));
    const auto path = std::filesystem::temp_directory_path() /
                      ("wale_database_" + std::to_string(std::hash<std::string>{}(GetParam().name)) + ".fa");
    std::ofstream file(path);
    for (std::size_t k = 0; k < targets.size(); ++k)
        file << ">record" << k << " text\n" << targets.text(k) << "\n";
    file.close();
    for (const index_t block : {index_t{1}, index_t{1000}, index_t{1} << 30})
        for (const int threads : {1, 3}) {
            const search_options o{.variant = GetParam().name, .evalue = 1e300, .block = block};
            const search_result got = search(where(threads), queries.batch(), path.string(), o);
            expect_hits(got, queries, targets, o);
            for (const search_hit& hit : got.hits[1])
                EXPECT_EQ(hit.name, "record" + std::to_string(hit.target));
        }
    std::filesystem::remove(path);
}

TEST_P(searches, bad_arguments) {
    packed some, lower;
    some.add("ARND");
    const auto ask = [&](search_options o) {
        o.variant = GetParam().name;
        return search(where(), some.batch(), some.batch(), o);
    };
    EXPECT_THROW((void)ask({.top = 0}), bad_argument);
    EXPECT_THROW((void)ask({.open = -1}), bad_argument);
    EXPECT_THROW((void)ask({.evalue = std::nan("")}), bad_argument);
    EXPECT_THROW((void)ask({.block = 0}), bad_argument);
    EXPECT_THROW((void)ask({.matrix = {"AR", {1, 0, 0, 1}}}), bad_argument);
    EXPECT_THROW((void)search(where(), some.batch(), std::string("/nowhere/x.fa"), {}), cannot_open);
    EXPECT_TRUE(search(where(), some.batch(), packed().batch(), {}).hits[0].empty());
    EXPECT_TRUE(search(where(), packed().batch(), some.batch(), {}).hits.empty());
}

INSTANTIATE_TEST_SUITE_P(rows, searches, testing::ValuesIn(rows_of(wavefront::align_cross_rows)), test_name);

/// Robinson & Robinson (1991): how frequent the amino acids are, in a thousand.
double frequency(char letter) {
    constexpr std::string_view letters = "ARNDCQEGHILKMFPSTWYV";
    constexpr double all[] = {78.05, 51.29, 44.87, 53.64, 19.25, 42.64, 62.95, 73.77, 21.99, 51.42,
                              90.19, 57.44, 22.43, 38.56, 52.03, 71.20, 58.41, 13.30, 32.16, 64.41};
    const std::size_t at = letters.find(letter);
    return at == letters.npos ? 0 : all[at] / 1000;
}

/// The root of sum p_i p_j exp(lambda s_ij) = 1.
double lambda_without_gaps(const substitution_matrix& m) {
    double low = 0.01, high = 2;
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2;
        double sum = 0;
        for (std::size_t i = 0; i < m.letters().size(); ++i)
            for (std::size_t j = 0; j < m.letters().size(); ++j)
                sum += frequency(m.letters()[i]) * frequency(m.letters()[j]) *
                       std::exp(middle * m.scores()[i * m.letters().size() + j]);
        (sum > 1 ? high : low) = middle;
    }
    return low;
}

/// The published parameters are of a matrix with this lambda: other tables under the same name have others.
TEST(statistics, belong_to_the_matrices) {
    const std::pair<const char*, double> published[] = {
        {"blosum45", .2291}, {"blosum50", .2318}, {"blosum62", .3176}, {"blosum90", .3346},
        {"pam30", .3400},    {"pam70", .3345},    {"pam250", .2252}};
    for (const auto& [name, lambda] : published)
        EXPECT_NEAR(lambda_without_gaps(substitution_matrix::named(name)), lambda, 0.01 * lambda) << name;
    EXPECT_GT(std::abs(lambda_without_gaps(substitution_matrix::named("blosum80")) - .3430), 0.05);
}

TEST(statistics, evalues) {
    const auto s = published_statistics(substitution_matrix::named("blosum62"), 12, 1);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->lambda, .267);
    EXPECT_NEAR(s->bits(100), (.267 * 100 - std::log(.041)) / std::log(2.0), 1e-12);
    // l solves l = 1.9 / .267 * ln(.041 (200 - l) (1e6 - 3000 l)) - 30, rounded down
    const double l = 77;
    const auto side = [](double x) {
        return 1.9 / .267 * std::log(.041 * (200 - x) * (1e6 - 3000 * x)) - 30;
    };
    EXPECT_GT(side(l), l);
    EXPECT_LT(side(l + 1), l + 1);
    EXPECT_NEAR(s->evalue(100, 200, 1'000'000, 3000), .041 * (200 - l) * (1e6 - 3000 * l) * std::exp(-26.7),
                1e-15);
    EXPECT_GE(s->evalue(1, 1, 1, 1), 0);
    EXPECT_FALSE(published_statistics(substitution_matrix::named("blosum62"), 11, 11));
    EXPECT_FALSE(published_statistics(substitution_matrix::named("blosum80"), 11, 1));
    EXPECT_FALSE(published_statistics({1, -1}, 12, 1));
}

}  // namespace
}  // namespace wale::agreement
