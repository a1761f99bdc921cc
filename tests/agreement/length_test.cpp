// length_test - every row of lcs_length, edit_distance and lcs_string against the reference and the plain
// table.
#include "rows.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::agreement {
namespace {

index_t reference_lcs(const text_pair& p) {
    return *asked(on_reference{}, p, [](auto a, auto b) { return lcs_length(on_reference{}, a, b).length; });
}

index_t reference_edit(const text_pair& p) {
    return *asked(on_reference{}, p,
                  [](auto a, auto b) { return edit_distance(on_reference{}, a, b).distance; });
}

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

/// Calls check(a, b) for all pairs of short strings; for a device row for one in 997, as each call costs a
/// launch.
template <class F>
void for_all_short_pairs(bool sample, F&& check) {
    const auto& strings = all_short_strings();
    const std::size_t step = sample ? 997 : 1;
    const std::size_t count = strings.size();
    for (std::size_t k = 0; k < count * count && !testing::Test::HasFailure(); k += step)
        check(strings[k / count], strings[k % count]);
}

text_pair short_pair(const std::string& a, const std::string& b) {
    return {"'" + a + "' x '" + b + "'", text(a.begin(), a.end()), text(b.begin(), b.end())};
}

// One check of one pair for each operation; false where the row refuses the pair.

struct lcs_length_rows : row_test {
    static bool agrees(const text_pair& p, index_t expected, int threads) {
        const execution on = where(threads);
        const auto got = asked(
            on, p, [&](auto a, auto b) { return lcs_length(on, a, b, {.variant = GetParam().name}).length; });
        if (!got) return false;
        EXPECT_EQ(*got, expected) << p.what << ", threads " << threads;
        return true;
    }
    static index_t expected(const text_pair& p) { return reference_lcs(p); }
    static index_t of_equal(index_t m, index_t n) { return std::min(m, n); }
    static constexpr index_t of_ends = 0;  // two symbols more on either side, nothing in common
};

struct edit_distance_rows : row_test {
    static bool agrees(const text_pair& p, index_t expected, int threads) {
        const execution on = where(threads);
        const auto got = asked(on, p, [&](auto a, auto b) {
            return edit_distance(on, a, b, {.variant = GetParam().name}).distance;
        });
        if (!got) return false;
        EXPECT_EQ(*got, expected) << p.what << ", threads " << threads;
        return true;
    }
    static index_t expected(const text_pair& p) { return reference_edit(p); }
    static index_t of_equal(index_t m, index_t n) { return std::max(m, n) - std::min(m, n); }
    static constexpr index_t of_ends = 2;  // two symbols more on either side, nothing in common
};

struct lcs_string_rows : row_test {
    static bool agrees(const text_pair& p, index_t expected, int threads) {
        const execution on = where(threads);
        const auto got =
            asked(on, p, [&](auto a, auto b) { return lcs_string(on, a, b, {.variant = GetParam().name}); });
        if (!got) return false;
        EXPECT_EQ(std::ssize(got->in_a), expected) << p.what << ", threads " << threads;
        expect_common(p, *got);
        return true;
    }
    static index_t expected(const text_pair& p) { return reference_lcs(p); }
    static index_t of_equal(index_t m, index_t n) { return std::min(m, n); }
    static constexpr index_t of_ends = 0;  // two symbols more on either side, nothing in common
};

/// Runs `pairs` through the row; skips if the row refuses them all.
template <class Rows>
void run_pairs(const std::vector<text_pair>& pairs, const std::vector<int>& thread_counts) {
    bool any = false;
    for (const text_pair& p : pairs) {
        const index_t expected = Rows::expected(p);
        for (const int threads : thread_counts) any = Rows::agrees(p, expected, threads) || any;
        if (testing::Test::HasFailure()) return;
    }
    if (!any) GTEST_SKIP() << "refuses all of these pairs";
}

/// Carries run through every word, lane, strip and block when all letters are equal. Ends that differ keep a
/// row from settling the pair by its common prefix.
template <class Rows>
void run_all_equal(const std::vector<int>& thread_counts) {
    bool any = false;
    for (const index_t m : edge_sizes())
        for (const index_t n : edge_sizes()) {
            text_pair p{"all equal " + std::to_string(m) + " x " + std::to_string(n),
                        text(static_cast<std::size_t>(m), 7), text(static_cast<std::size_t>(n), 7)};
            any = Rows::agrees(p, Rows::of_equal(m, n), thread_counts.back()) || any;
            if (m < 2 || n < 2) continue;
            p.what += " but for the ends";
            p.a.front() = 1;
            p.a.back() = 2;
            p.b.front() = 3;
            p.b.back() = 4;
            any = Rows::agrees(p, Rows::of_equal(m - 2, n - 2) + Rows::of_ends, thread_counts.back()) || any;
            if (testing::Test::HasFailure()) return;
        }
    if (!any) GTEST_SKIP() << "refuses all of these pairs";
}

/// The reference keeps the whole table for a string; larger pairs would not fit in the tests' memory.
std::vector<text_pair> fit_for_strings(std::vector<text_pair> pairs) {
    if (lcs_string_rows::GetParam().where == backend::reference)
        std::erase_if(pairs, [](const text_pair& p) { return p.a.size() * p.b.size() > 40'000'000; });
    return pairs;
}

TEST_P(lcs_length_rows, all_short_pairs) {
    for_all_short_pairs(on_device(), [&](const std::string& a, const std::string& b) {
        agrees(short_pair(a, b), plain_lcs(a, b), 1);
    });
}
TEST_P(lcs_length_rows, edges) {
    run_pairs<lcs_length_rows>(edge_pairs(), thread_counts());
}
TEST_P(lcs_length_rows, all_equal) {
    run_all_equal<lcs_length_rows>(thread_counts());
}
TEST_P(lcs_length_rows, alphabets) {
    run_pairs<lcs_length_rows>(alphabet_pairs(), thread_counts());
}
TEST_P(lcs_length_rows, similar) {
    run_pairs<lcs_length_rows>(similar_pairs(), thread_counts());
}
TEST_P(lcs_length_rows, large) {
    run_pairs<lcs_length_rows>(large_pairs(), thread_counts());
}

TEST_P(edit_distance_rows, all_short_pairs) {
    for_all_short_pairs(on_device(), [&](const std::string& a, const std::string& b) {
        agrees(short_pair(a, b), plain_edit(a, b), 1);
    });
}
TEST_P(edit_distance_rows, edges) {
    run_pairs<edit_distance_rows>(edge_pairs(), thread_counts());
}
TEST_P(edit_distance_rows, all_equal) {
    run_all_equal<edit_distance_rows>(thread_counts());
}
TEST_P(edit_distance_rows, alphabets) {
    run_pairs<edit_distance_rows>(alphabet_pairs(), thread_counts());
}
TEST_P(edit_distance_rows, similar) {
    run_pairs<edit_distance_rows>(similar_pairs(), thread_counts());
}
TEST_P(edit_distance_rows, large) {
    run_pairs<edit_distance_rows>(large_pairs(), thread_counts());
}

TEST_P(edit_distance_rows, bounds) {
    std::vector<text_pair> pairs = similar_pairs();
    for (const index_t size : {0, 1, 63, 64, 65, 300, 1025})
        pairs.push_back(
            {"random " + std::to_string(size), random_text(size, 4, 1), random_text(size + 9, 4, 2)});
    pairs.push_back({"symbols of 4 bytes", random_text(500, 60, 1, 4), random_text(470, 60, 2, 4), 4});
    bool any = false;
    for (const text_pair& p : pairs) {
        const index_t d = reference_edit(p);
        for (const index_t bound : {index_t{0}, index_t{1}, d - 1, d, d + 1, 2 * d, index_t{1} << 40}) {
            if (bound < 0) continue;
            const execution on = where();
            const auto got = asked(on, p, [&](auto a, auto b) {
                return edit_distance(on, a, b, {.variant = GetParam().name, .bound = bound});
            });
            if (!got) continue;
            any = true;
            ASSERT_EQ(got->within_bound, d <= bound) << p.what << ", bound " << bound << ", distance " << d;
            ASSERT_EQ(got->distance, std::min(d, bound + 1)) << p.what << ", bound " << bound;
        }
    }
    if (!any) GTEST_SKIP() << "refuses all of these pairs";
}

TEST_P(lcs_string_rows, all_short_pairs) {
    for_all_short_pairs(on_device(), [&](const std::string& a, const std::string& b) {
        agrees(short_pair(a, b), plain_lcs(a, b), 1);
    });
}
TEST_P(lcs_string_rows, edges) {
    run_pairs<lcs_string_rows>(edge_pairs(), thread_counts());
}
TEST_P(lcs_string_rows, all_equal) {
    run_all_equal<lcs_string_rows>(thread_counts());
}
TEST_P(lcs_string_rows, alphabets) {
    run_pairs<lcs_string_rows>(alphabet_pairs(), thread_counts());
}
TEST_P(lcs_string_rows, similar) {
    run_pairs<lcs_string_rows>(fit_for_strings(similar_pairs()), thread_counts());
}
TEST_P(lcs_string_rows, large) {
    run_pairs<lcs_string_rows>(fit_for_strings(large_pairs()), thread_counts());
}

INSTANTIATE_TEST_SUITE_P(wavefront, lcs_length_rows, testing::ValuesIn(rows_of(wavefront::lcs_length_rows)),
                         test_name);
INSTANTIATE_TEST_SUITE_P(wavefront, edit_distance_rows,
                         testing::ValuesIn(rows_of(wavefront::edit_distance_rows)), test_name);
INSTANTIATE_TEST_SUITE_P(wavefront, lcs_string_rows, testing::ValuesIn(rows_of(wavefront::lcs_string_rows)),
                         test_name);

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
