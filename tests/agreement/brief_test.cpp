// brief_test - the short calls without a report against the reference, at sizes around a word, four words and
// none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>
#include <string>
#include <vector>
#include <wale/alignment.hpp>
#include <wale/brief.hpp>
#include <wale/error.hpp>
#include <wale/wavefront.hpp>

namespace {

using namespace wale;

std::mt19937 source(7);

index_t below(index_t n) {
    return static_cast<index_t>(source() % static_cast<unsigned long>(n));
}

index_t some_size() {
    constexpr index_t sizes[] = {0,   1,   2,   7,   8,   9,   31,  63,  64,  65,
                                 100, 128, 129, 191, 193, 256, 257, 300, 384, 385};
    return below(2) == 0 ? sizes[below(std::ssize(sizes))] : below(90);
}

template <class Symbol>
struct texts {
    std::vector<Symbol> a, b;
    explicit texts(index_t letters) {
        const auto drawn = [&] {
            return static_cast<Symbol>(below(letters) * (sizeof(Symbol) == 1 ? 7 : 1031));
        };
        a.resize(static_cast<std::size_t>(some_size()));
        for (Symbol& x : a) x = drawn();
        if (below(2) == 0) {
            b.resize(static_cast<std::size_t>(some_size()));
            for (Symbol& x : b) x = drawn();
        } else {
            for (const Symbol x : a) {
                const index_t lot = below(20);
                if (lot > 0) b.push_back(lot == 1 ? drawn() : x);
                if (lot == 2) b.push_back(drawn());
            }
        }
    }
    [[nodiscard]] sequence_view x() const { return {a.data(), std::ssize(a), sizeof(Symbol)}; }
    [[nodiscard]] sequence_view y() const { return {b.data(), std::ssize(b), sizeof(Symbol)}; }
};

/// Many pairs at a time, of which those that are not short make the whole call say no.
template <class Symbol>
void lists_agree() {
    for (int k = 0; k < 200; ++k) {
        std::vector<texts<Symbol>> all;
        // Many pairs go side by side; one query with many texts keeps its words.
        for (index_t pairs = below(k % 4 == 0 ? 30 : 6); pairs >= 0; --pairs) all.emplace_back(1 + below(30));
        const bool one_query = k % 3 == 0;
        std::vector<sequence_view> a, b;
        bool bytes = sizeof(Symbol) == 1, short_ones = true;
        for (const texts<Symbol>& t : all) {
            const texts<Symbol>& left = one_query ? all.front() : t;
            a.push_back(left.x());
            b.push_back(t.y());
            short_ones = short_ones && std::min(left.a.size(), t.b.size()) <= std::size_t{bytes ? 256u : 64u};
        }
        std::vector<std::int32_t> lengths(all.size(), -7), distances(all.size(), -7);
        const index_t bound = below(2) == 0 ? -1 : below(70);
        const bool some = brief_lcs_lengths(a, b, lengths),
                   others = brief_edit_distances(a, b, distances, bound);
        ASSERT_TRUE((some && others) || !short_ones) << k;
        for (std::size_t p = 0; p < all.size(); ++p) {
            if (some) {
                ASSERT_EQ(lengths[p], lcs_length(on_reference(), a[p], b[p]).length) << k << ", " << p;
            }
            if (!others) continue;
            const index_t distance = edit_distance(on_reference(), a[p], b[p]).distance;
            ASSERT_EQ(distances[p], bound < 0 ? distance : std::min(distance, bound + 1)) << k << ", " << p;
        }
    }
}

template <class Symbol>
void lengths_agree() {
    int answered = 0;
    for (int k = 0; k < 600; ++k) {
        const texts<Symbol> t(std::vector<index_t>{1, 2, 4, 30}[static_cast<std::size_t>(k % 4)]);
        const std::string what =
            std::to_string(t.a.size()) + " x " + std::to_string(t.b.size()) + ", " + std::to_string(k);
        const index_t length = lcs_length(on_reference(), t.x(), t.y()).length;
        const index_t distance = edit_distance(on_reference(), t.x(), t.y()).distance;
        if (const auto found = brief_lcs_length(t.x(), t.y())) {
            ASSERT_EQ(found->value, length) << what;
            ++answered;
        } else {
            ASSERT_GT(std::min(t.a.size(), t.b.size()), std::size_t{sizeof(Symbol) == 1 ? 384 : 64}) << what;
        }
        for (const index_t bound : {index_t{-1}, index_t{0}, index_t{1}, index_t{4}, index_t{20}, index_t{63},
                                    index_t{64}, distance, distance - 1, index_t{1} << 62}) {
            const auto found = brief_edit_distance(t.x(), t.y(), bound);
            if (found) {
                ASSERT_EQ(found->value, bound < 0 ? distance : std::min(distance, bound + 1))
                    << what << ", bound " << bound;
            } else {
                ASSERT_GT(std::min(t.a.size(), t.b.size()), std::size_t{sizeof(Symbol) == 1 ? 256 : 64})
                    << what;
            }
        }
    }
    EXPECT_GT(answered, 300);
}

TEST(BriefAnswers, OfListsAreTheReferences) {
    lists_agree<std::uint8_t>();
    lists_agree<std::uint16_t>();
    lists_agree<std::uint32_t>();
}

/// `text` with so many edits, of which none is in the first `kept` symbols.
template <class Symbol>
std::vector<Symbol> edited(std::vector<Symbol> text, index_t edits, index_t kept, index_t letters) {
    for (; edits > 0; --edits) {
        const index_t at = kept + below(std::max<index_t>(1, std::ssize(text) - kept));
        const auto drawn = static_cast<Symbol>(below(letters));
        const index_t lot = below(3);
        if (lot == 0) text.insert(text.begin() + std::min(at, std::ssize(text)), drawn);
        if (lot == 1 && at < std::ssize(text)) text.erase(text.begin() + at);
        if (lot == 2 && at < std::ssize(text)) text[static_cast<std::size_t>(at)] = drawn;
    }
    return text;
}

/// One query of more than a word, whose words serve all texts; many different wide symbols fill the band's
/// slots.
template <class Symbol>
void long_queries_agree(index_t longest, index_t most_letters) {
    for (int k = 0; k < 60; ++k) {
        const index_t letters = std::vector<index_t>{2, 4, 30, most_letters}[static_cast<std::size_t>(k % 4)];
        std::vector<Symbol> query(static_cast<std::size_t>(65 + below(longest)));
        for (Symbol& x : query) x = static_cast<Symbol>(below(letters));
        std::vector<std::vector<Symbol>> texts;
        for (int t = 0; t < 8; ++t) texts.push_back(edited(query, below(90), below(2) * 40, letters));
        std::vector<sequence_view> a(texts.size(), {query.data(), std::ssize(query), sizeof(Symbol)}), b;
        for (const auto& text : texts) b.emplace_back(text.data(), std::ssize(text), sizeof(Symbol));
        std::vector<std::int32_t> distances(texts.size());
        std::vector<index_t> wanted;
        for (const sequence_view& text : b)
            wanted.push_back(edit_distance(on_reference(), a[0], text).distance);
        for (const index_t bound : {1, 2, 5, 20, 25, 40, 63}) {
            const bool all = brief_edit_distances(a, b, distances, bound);
            for (std::size_t t = 0; t < texts.size(); ++t) {
                const index_t expected = std::min(wanted[t], bound + 1);
                if (all) {
                    ASSERT_EQ(distances[t], expected) << k << ", " << t << ", bound " << bound;
                }
                ASSERT_EQ(
                    edit_distance(on_cpu{}, a[t], b[t], {.variant = "cpu/band", .bound = bound}).distance,
                    expected)
                    << k << ", " << t << ", bound " << bound;
            }
        }
    }
}

TEST(BriefAnswers, OfOneLongQueryWithinABoundAreTheReferences) {
    long_queries_agree<std::uint8_t>(1100, 256);
    long_queries_agree<std::uint16_t>(1100, 60000);
    long_queries_agree<std::uint32_t>(300, 1000);
}

TEST(BriefAnswers, OfListsOfSeveralSizesAreRefused) {
    const std::vector<sequence_view> two(2, "ab");
    std::vector<std::int32_t> one(1);
    EXPECT_THROW((void)brief_lcs_lengths(two, two, one), bad_argument);
    EXPECT_THROW((void)brief_edit_distances(two, std::span(two).first(1), one), bad_argument);
}

TEST(brief, lengths_and_distances_of_bytes) {
    lengths_agree<std::uint8_t>();
}
TEST(brief, lengths_and_distances_of_wide_symbols) {
    lengths_agree<std::uint16_t>();
    lengths_agree<std::uint32_t>();
}

/// The edits of a path that leads from all of `query` to all of the part; -1 where it does not.
index_t edits(const std::string& cigar, const std::vector<std::uint8_t>& query, const std::uint8_t* part,
              index_t size) {
    index_t i = 0, j = 0, cost = 0;
    for (std::size_t at = 0; at < cigar.size();) {
        index_t run = 0;
        while (at < cigar.size() && std::isdigit(static_cast<unsigned char>(cigar[at])) != 0)
            run = 10 * run + (cigar[at++] - '0');
        const char operation = at < cigar.size() ? cigar[at++] : '?';
        for (index_t k = 0; k < run; ++k) {
            if (operation == '=' || operation == 'X') {
                if (i >= std::ssize(query) || j >= size) return -1;
                if ((query[static_cast<std::size_t>(i)] == part[j]) != (operation == '=')) return -1;
            }
            cost += operation != '=';
            i += operation != 'D';
            j += operation != 'I';
        }
    }
    return i == std::ssize(query) && j == size ? cost : -1;
}

TEST(brief, places_in_a_text) {
    int answered = 0;
    for (int k = 0; k < 400; ++k) {
        texts<std::uint8_t> t(std::vector<index_t>{1, 2, 4, 30}[static_cast<std::size_t>(k % 4)]);
        if (k % 3 == 0) t.b.insert(t.b.begin(), 40, std::uint8_t{7});
        for (const bool prefix : {false, true})
            for (const index_t bound : {index_t{-1}, index_t{0}, index_t{3}, std::ssize(t.a)}) {
                const auto found = brief_align(t.x(), t.y(), prefix ? brief_mode::prefix : brief_mode::infix,
                                               infix_task::path, bound);
                if (!found) continue;
                ++answered;
                const infix_match wanted =
                    infix_align(on_reference(), t.x(), t.y(),
                                {.mode = prefix ? infix_mode::prefix : infix_mode::infix, .bound = bound});
                ASSERT_EQ(found->distance, wanted.distance) << k << ", bound " << bound;
                ASSERT_EQ(found->locations.size(), wanted.locations.size()) << k;
                for (std::size_t l = 0; l < wanted.locations.size(); ++l) {
                    ASSERT_EQ(found->locations[l].begin, wanted.locations[l].begin) << k;
                    ASSERT_EQ(found->locations[l].end, wanted.locations[l].end) << k;
                }
                if (found->distance < 0) continue;
                const infix_location first = found->locations.front();
                ASSERT_EQ(edits(found->cigar, t.a, t.b.data() + first.begin, first.end - first.begin),
                          found->distance)
                    << found->cigar;
            }
    }
    EXPECT_GT(answered, 1000);
}

TEST(brief, paths_of_whole_texts_are_those_of_align) {
    int answered = 0;
    for (int k = 0; k < 300; ++k) {
        const texts<std::uint8_t> t(std::vector<index_t>{1, 2, 4, 30}[static_cast<std::size_t>(k % 4)]);
        const auto found = brief_align(t.x(), t.y(), brief_mode::global, infix_task::path);
        if (!found) continue;
        ++answered;
        const alignment_result wanted = align(on_reference(), t.x(), t.y(), {.task = alignment_task::path});
        ASSERT_EQ(found->distance, -wanted.score) << k;
        ASSERT_EQ(found->cigar, wanted.cigar()) << k;
        const auto bounded =
            brief_align(t.x(), t.y(), brief_mode::global, infix_task::path, found->distance - 1);
        if (found->distance > 0 && bounded) {
            ASSERT_EQ(bounded->distance, -1) << k;
        }
    }
    EXPECT_GT(answered, 150);
}

TEST(brief, arguments_are_refused) {
    const std::uint32_t wide[] = {1, 2};
    EXPECT_THROW((void)brief_lcs_length("ab", sequence_view(wide, 2, 4)), bad_argument);
    EXPECT_THROW((void)brief_edit_distance(sequence_view(nullptr, 2, 1), "ab"), bad_argument);
    EXPECT_THROW((void)brief_lcs_length(sequence_view(wide, 2, 3), sequence_view(wide, 2, 3)), bad_argument);
}

}  // namespace
