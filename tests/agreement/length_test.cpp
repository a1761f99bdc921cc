// length_test - every row of lcs_length, edit_distance and lcs_string, with every tuning row and number of
// resident blocks, against the reference and the plain table. No row may refuse any of these pairs.
#include <map>
#include <tuple>

#include "rows.hpp"
#include "solvers/wavefront/jobs.hpp"
#include "solvers/wavefront/length/cpu/tuning.hpp"
#include "solvers/wavefront/length/cuda/tuning.hpp"
#include "thinned.hpp"

namespace wale::agreement {
namespace {

/// Positions ascend, symbols agree. The caller compares the length.
void expect_common(const text_pair& p, const lcs_string_result& r) {
    ASSERT_EQ(r.in_a.size(), r.in_b.size()) << p.what;
    index_t last_a = -1;
    index_t last_b = -1;
    for (std::size_t k = 0; k < r.in_a.size(); ++k) {
        ASSERT_TRUE(last_a < r.in_a[k] && r.in_a[k] < std::ssize(p.a)) << p.what << ", common symbol " << k;
        ASSERT_TRUE(last_b < r.in_b[k] && r.in_b[k] < std::ssize(p.b)) << p.what << ", common symbol " << k;
        last_a = r.in_a[k];
        last_b = r.in_b[k];
        ASSERT_EQ(p.a[static_cast<std::size_t>(last_a)], p.b[static_cast<std::size_t>(last_b)]) << p.what;
    }
}

/// The answer of a row: a length or a distance.
index_t answer(const std::string& operation, const execution& on, const text_pair& p,
               const std::string& row) {
    return asked(on, p, [&](auto a, auto b) {
        if (operation == "edit_distance") return edit_distance(on, a, b, {.variant = row}).distance;
        if (operation == "lcs_length") return lcs_length(on, a, b, {.variant = row}).length;
        const lcs_string_result found = lcs_string(on, a, b, {.variant = row});
        expect_common(p, found);
        return static_cast<index_t>(found.in_a.size());
    });
}

index_t reference_lcs(const text_pair& p) {
    return answer("lcs_length", on_reference{}, p, "automatic");
}
index_t reference_edit(const text_pair& p) {
    return answer("edit_distance", on_reference{}, p, "automatic");
}

struct lengths : row_test {
    static bool is_edit() { return GetParam().operation == "edit_distance"; }

    /// Computed once for all rows of this process: a pair is known by its symbols.
    static index_t expected(const text_pair& p) {
        static std::map<std::tuple<bool, text, text>, index_t> known;
        const auto [at, is_new] = known.try_emplace({is_edit(), p.a, p.b}, 0);
        if (is_new) at->second = is_edit() ? reference_edit(p) : reference_lcs(p);
        return at->second;
    }
    static void agrees(const text_pair& p, index_t wanted, int threads = thread_counts().back()) {
        EXPECT_EQ(answer(GetParam().operation, where(threads), p, GetParam().name), wanted)
            << p.what << ", threads " << threads;
    }
    static void agree(const std::vector<text_pair>& pairs, unsigned always = 16) {
        // The reference keeps the whole table for a string; larger pairs would not fit in the tests' memory.
        const bool small = GetParam().operation == "lcs_string" && GetParam().where == backend::reference;
        for (const text_pair& p : pairs) {
            if ((small && p.a.size() * p.b.size() > 40'000'000) || !asked_here(always)) continue;
            const index_t wanted = expected(p);
            if (std::max(p.a.size(), p.b.size()) > 20000 && GetParam().name == "cpu/diagonals") {
                EXPECT_THROW(agrees(p, wanted), unsupported_variant)
                    << "as many steps as the distance squared";
                continue;
            }
            for (const int threads : thread_counts()) agrees(p, wanted, threads);
            if (HasFailure()) return;
        }
    }
};

TEST_P(lengths, all_short_pairs) {
    // For a device row one pair in 997, as each call costs a launch.
    const auto& strings = all_short_strings();
    const std::size_t step = on_device() ? 997 : 1;
    const std::size_t count = strings.size();
    for (std::size_t k = 0; k < count * count && !HasFailure(); k += step) {
        if (!asked_here()) continue;
        const std::string& a = strings[k / count];
        const std::string& b = strings[k % count];
        agrees({"'" + a + "' x '" + b + "'", text(a.begin(), a.end()), text(b.begin(), b.end())},
               is_edit() ? plain_edit(a, b) : plain_lcs(a, b), 1);
    }
}

TEST_P(lengths, edges) {
    agree(edge_pairs());
}

/// Carries run through every word, lane, strip and block when all letters are equal. Ends that differ keep a
/// row from settling the pair by its common prefix.
TEST_P(lengths, all_equal) {
    const auto of_equal = [](index_t m, index_t n) {
        return is_edit() ? std::max(m, n) - std::min(m, n) : std::min(m, n);
    };
    for (const index_t m : edge_sizes())
        for (const index_t n : edge_sizes()) {
            if (!asked_here()) continue;
            text_pair p{"all equal " + std::to_string(m) + " x " + std::to_string(n),
                        text(static_cast<std::size_t>(m), 7), text(static_cast<std::size_t>(n), 7)};
            agrees(p, of_equal(m, n));
            if (m < 2 || n < 2) continue;
            p.what += " but for the ends";
            p.a.front() = 1;
            p.a.back() = 2;
            p.b.front() = 3;
            p.b.back() = 4;
            agrees(p, of_equal(m - 2, n - 2) + (is_edit() ? 2 : 0));
            if (HasFailure()) return;
        }
}

TEST_P(lengths, alphabets) {
    agree(alphabet_pairs());
}
TEST_P(lengths, similar) {
    agree(similar_pairs());
}
TEST_P(lengths, large) {
    agree(large_pairs(), 1);
}

TEST_P(lengths, repeats_give_one_answer) {
    const text_pair p{"9000 x 7000", random_text(9000, 4, 19), random_text(7000, 4, 20)};
    if (GetParam().where == backend::reference) GTEST_SKIP() << "one thread of plain loops";
    const index_t wanted = expected(p);
    for (int repeat = 0; repeat < (on_device() ? 1000 : 20) && !HasFailure(); ++repeat) agrees(p, wanted);
}

named_rows all_rows() {
    return joined({rows_of(wavefront::lcs_length_rows), rows_of(wavefront::edit_distance_rows),
                   rows_of(wavefront::lcs_string_rows)});
}

INSTANTIATE_TEST_SUITE_P(wavefront, lengths, testing::ValuesIn(all_rows()), test_name);

struct huge_lengths : lengths {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(huge_lengths);  // without the plugin there are no such rows

TEST_P(huge_lengths, agree_with_plain_words_of_the_host) {
    for (const text_pair& p : huge_pairs())
        agrees(p, answer(is_edit() ? "edit_distance" : "lcs_length", on_cpu{}, p, "cpu/bit_vector"));
}

INSTANTIATE_TEST_SUITE_P(wavefront, huge_lengths, testing::ValuesIn(on_cuda_only(all_rows())), test_name);

struct tuned_lengths : lengths {};

TEST_P(tuned_lengths, agree) {
    agree(tuned_pairs(), 0);
}

named_rows all_tuned() {
    using namespace wavefront;
    constexpr const char* blocks = "wavefront/length/max_blocks";
    constexpr const char* host = "wavefront/length/cpu_strips";
    const auto lcs = every_row(lcs_policies);
    const auto strips = every_row(strip_policies);
    return tuned(
        all_rows(),
        {{"lcs_length", "cuda/strips", "wavefront/length/lcs_strips", lcs, blocks},
         {"edit_distance", "cuda/strips", "wavefront/length/edit_strips", every_row(edit_policies), blocks},
         {"lcs_string", "cuda/strips", "wavefront/length/string_strips", every_row(string_policies), blocks},
         {"lcs_length", "cpu/skewed_strips", host, strips},
         {"edit_distance", "cpu/skewed_strips", host, strips},
         {"edit_distance", "cpu/band", host, strips},
         {"lcs_string", "cpu/hirschberg", host, strips}});
}

INSTANTIATE_TEST_SUITE_P(wavefront, tuned_lengths, testing::ValuesIn(all_tuned()), test_name);

struct bounded_distances : row_test {};

TEST_P(bounded_distances, are_exact_up_to_the_bound) {
    std::vector<text_pair> pairs = similar_pairs();
    for (const index_t size : {0, 1, 63, 64, 65, 300, 1025})
        pairs.push_back(
            {"random " + std::to_string(size), random_text(size, 4, 1), random_text(size + 9, 4, 2)});
    pairs.push_back({"symbols of 4 bytes", random_text(500, 60, 1, 4), random_text(470, 60, 2, 4), 4});
    // As many symbols as leave words of matches full, and a distance for which the band has blocks and
    // strips.
    const text wide = random_text(4000, 50000, 5, 4);
    pairs.push_back({"50000 symbols", wide, mutated(wide, 0.05, 6), 4});
    for (const text_pair& p : pairs) {
        const index_t d = reference_edit(p);
        for (const index_t bound : {index_t{0}, index_t{1}, d - 1, d, d + 1, 2 * d, index_t{1} << 62}) {
            if (bound < 0) continue;
            const execution on = where();
            const edit_distance_result got = asked(on, p, [&](auto a, auto b) {
                return edit_distance(on, a, b, {.variant = GetParam().name, .bound = bound});
            });
            ASSERT_EQ(got.within_bound, d <= bound) << p.what << ", bound " << bound << ", distance " << d;
            ASSERT_EQ(got.distance, std::min(d, bound + 1)) << p.what << ", bound " << bound;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(wavefront, bounded_distances,
                         testing::ValuesIn(rows_of(wavefront::edit_distance_rows)), test_name);

// The reference itself, against what must hold of any length and any distance.

TEST(reference_lengths, have_the_properties_of_a_metric) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        const auto size = static_cast<index_t>(seed * 3);
        const text x = random_text(size, 4, seed);
        const text y = mutated(random_text(size, 4, seed), 0.2, seed);
        const text z = random_text(size + 5, 4, seed + 100);
        const index_t xy = reference_edit({"", x, y});
        const index_t yz = reference_edit({"", y, z});
        const index_t xz = reference_edit({"", x, z});
        EXPECT_EQ(xy, reference_edit({"", y, x}));
        EXPECT_EQ(reference_edit({"", x, x}), 0);
        EXPECT_LE(xz, xy + yz);
        EXPECT_GE(xz, 5);              // at least the difference of the sizes
        EXPECT_LE(xz, std::ssize(z));  // substitute all, insert the rest
        const index_t common = reference_lcs({"", x, z});
        EXPECT_EQ(common, reference_lcs({"", z, x}));
        // Deletions and insertions alone cost m + n - 2 lcs; a substitution saves at most one of the two.
        const index_t indel = std::ssize(x) + std::ssize(z) - 2 * common;
        EXPECT_LE(xz, indel);
        EXPECT_LE(indel, 2 * xz);
    }
}

TEST(reference_lengths, know_what_people_quote) {
    EXPECT_EQ(lcs_length(on_reference{}, "AGGTAB", "GXTXAYB").length, 4);
    EXPECT_EQ(edit_distance(on_reference{}, "kitten", "sitting").distance, 3);
    EXPECT_EQ(edit_distance(on_reference{}, "intention", "execution").distance, 5);
}

}  // namespace
}  // namespace wale::agreement
