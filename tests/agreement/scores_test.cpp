// scores_test - scores of many pairs against the reference: all short pairs at once with prices that need
// cells of 8, 16 and 32 bits, scores at the edges of these cells, lanes whose pairs differ in size.
#include <array>
#include <map>
#include <tuple>

#include "alignment_modes.hpp"
#include "packed.hpp"
#include "rows.hpp"
#include "solvers/wavefront/jobs.hpp"
#include "thinned.hpp"

namespace wale::agreement {
namespace {

/// Scores of a row in the memory of its backend.
std::vector<std::int64_t> scores_of(const execution& where, const packed& a, const packed& b,
                                    const alignment_options& o) {
    const auto bytes = [](const packed& p) {
        return std::span(reinterpret_cast<const std::uint8_t*>(p.letters.data()), p.letters.size());
    };
    const placed<std::uint8_t> x(where, bytes(a)), y(where, bytes(b));
    const placed<index_t> x_offsets(where, a.offsets), y_offsets(where, b.offsets);
    const index_t count = std::ssize(a.offsets) - 1;
    std::vector<std::int64_t> scores(static_cast<std::size_t>(count), -98);
    const buffer<std::int64_t> out(to_device(where, std::span<const std::int64_t>(scores)));
    const report run =
        align(where, {x.data(), x_offsets.data(), count}, {y.data(), y_offsets.data(), count}, out.span(), o)
            .run;
    EXPECT_TRUE(o.variant == "automatic" || run.variant == o.variant);
    copy_bytes(where, scores.data(), out.data(), count * index_t{sizeof(std::int64_t)});
    return scores;
}

struct prices {
    substitution_matrix matrix;
    index_t open, extend;
};

/// The first need cells of 8 bits, those after them 16 and 32 by their scores or by the cost of a gap.
std::vector<prices> gap_models() {
    const substitution_matrix odd = odd_matrix();
    std::vector<prices> all;
    for (const int scale : {1, 1000, 100'000}) {
        all.push_back({{0, -scale}, scale, scale});
        all.push_back({{3 * scale, -2 * scale}, 4 * scale, scale});
        all.push_back({{2 * scale, -3 * scale}, 3 * scale, 0});
        all.push_back({{scale, -2 * scale}, scale, 5 * scale});
    }
    for (const index_t open : {3, 120, 500, 90'000}) all.push_back({odd, open, std::min<index_t>(open, 2)});
    all.push_back({odd, 0, 0});
    return all;
}

struct scores : row_test {
    void SetUp() override {
        row_test::SetUp();
        if (IsSkipped()) return;
        try {
            (void)scores_of(where(), {}, {}, {.variant = GetParam().name});
        } catch (const unsupported_variant& e) {
            GTEST_SKIP() << e.what();
        }
    }
    /// Of prices beyond 16 bits.
    static bool may_refuse(const alignment_options& o) {
        return GetParam().name == "cpu/striped" && (o.open >= 1000 || o.matrix.match() > 127);
    }
    /// Whether the row does what the options ask for; a refusal is an answer, too.
    static bool agree(const packed& a, const packed& b, alignment_options o, int threads = 0) {
        if (!asked_here(6)) return true;
        return equal(expected(a, b, o), a, b, o, threads);
    }
    /// The scores of the reference, computed once for all rows of this process.
    static const std::vector<std::int64_t>& expected(const packed& a, const packed& b,
                                                     const alignment_options& o) {
        using texts = std::tuple<std::string, std::vector<index_t>, std::string, std::vector<index_t>>;
        using model = std::tuple<alignment_mode, std::array<bool, 4>, std::string, std::vector<std::int32_t>,
                                 std::array<index_t, 4>>;
        static std::map<texts, std::map<model, std::vector<std::int64_t>>> known;
        const free_ends& e = o.ends;
        const substitution_matrix& m = o.matrix;
        const auto [at, is_new] = known[{a.letters, a.offsets, b.letters, b.offsets}].try_emplace(
            {o.mode,
             {e.query_begin, e.query_end, e.target_begin, e.target_end},
             m.letters(),
             m.scores(),
             {m.match(), m.mismatch(), o.open, o.extend}});
        if (is_new) at->second = scores_of(on_reference{}, a, b, o);
        return at->second;
    }
    static bool equal(const std::vector<std::int64_t>& wanted, const packed& a, const packed& b,
                      alignment_options o, int threads = 0) {
        o.variant = GetParam().name;
        std::vector<std::int64_t> got;
        try {
            got = scores_of(where(threads), a, b, o);
        } catch (const unsupported_variant&) {
            return false;
        }
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            EXPECT_EQ(got[k], wanted[k])
                << "pair " << k << " '" << a.text(k) << "' '" << b.text(k) << "' mode "
                << static_cast<int>(o.mode) << " ends " << o.ends.query_begin << o.ends.query_end
                << o.ends.target_begin << o.ends.target_end << " match " << o.matrix.match() << " open "
                << o.open << " extend " << o.extend;
            if (HasFailure()) return true;
        }
        return true;
    }
};

TEST_P(scores, all_short_pairs) {
    std::vector<std::string> strings{""};
    for (std::size_t k = 0; k < strings.size(); ++k)
        if (strings[k].size() < 4)
            for (const char c : {'A', 'B'}) strings.push_back(strings[k] + c);
    packed a, b;
    for (const std::string& x : strings)
        for (const std::string& y : strings) {
            a.add(x);
            b.add(y);
        }
    for (alignment_options o : all_modes())
        for (const prices& p : gap_models()) {
            o.matrix = p.matrix;
            o.open = p.open;
            o.extend = p.extend;
            EXPECT_TRUE(agree(a, b, o) || may_refuse(o));
            if (HasFailure()) return;
        }
}

/// Pairs that end anywhere in their strips of rows, beside pairs of other sizes; either side the longer one.
TEST_P(scores, lanes_of_different_sizes) {
    packed a, b;
    for (unsigned k = 0; k < 150; ++k) {
        a.add(letters_of(k * 7 % 70, "ABC", 2 * k));
        b.add(letters_of(k * 29 % 145, "ABC", 2 * k + 1));
    }
    for (alignment_options o : all_modes())
        for (const prices& p : gap_models()) {
            o.matrix = p.matrix;
            o.open = p.open;
            o.extend = p.extend;
            EXPECT_TRUE(agree(a, b, o, 1) || may_refuse(o));
            EXPECT_TRUE(agree(b, a, o, 3) || may_refuse(o));
            if (HasFailure()) return;
        }
}

/// Equal sequences, whose best cells are at, below and above the largest of 8 and 16 bits.
TEST_P(scores, edges_of_cells) {
    for (const int match : {1, 3, 51, 255}) {
        packed a, b;
        for (const std::size_t score : {126, 127, 128, 254, 255, 256, 32'766, 32'768, 65'534, 65'536})
            for (const int more : {-1, 0, 1}) {
                const auto size = static_cast<std::size_t>(static_cast<int>(score) / match + more);
                if (size > 1300) continue;
                const std::string same = letters_of(size, "ACGT", 1);
                a.add(same);
                b.add(same);
                a.add(same);
                b.add(same.substr(0, size / 2) + "TT" + same.substr(size / 2));
            }
        for (alignment_options o : all_modes()) {
            if (o.mode == alignment_mode::semi_global && !(o.ends.target_begin && o.ends.target_end))
                continue;
            o.matrix = {match, -match};
            o.open = 2;
            const bool narrow = GetParam().name == "cpu/striped";  // 16 bits at most
            EXPECT_TRUE(agree(a, b, o) || (narrow && match > 3));
            if (HasFailure()) return;
        }
    }
    packed a, b;
    for (std::size_t size = 20; size < 30; ++size) {
        a.add(std::string(size, 'W'));
        b.add(std::string(size, 'W'));
    }
    for (alignment_options o : all_modes()) {
        o.matrix = substitution_matrix::named("blosum62");
        o.open = 11;
        EXPECT_TRUE(agree(a, b, o));
    }
}

TEST_P(scores, proteins_and_bytes) {
    packed a, b, bytes[2];
    for (unsigned k = 0; k < 90; ++k) {
        const std::string target = letters_of(40 + k * 13 % 300, "ARNDCQEGHILKMFPSTWYVBZXu-", k);
        a.add(k % 3 == 0 ? target.substr(k % 20)
                         : letters_of(30 + k * 31 % 200, "ARNDCQEGHILKMFPSTWYV", k + 500));
        b.add(target);
        for (packed& side : bytes) {
            std::string text = letters_of(10 + k * 17 % 90, "xyz", k);
            for (std::size_t i = 0; i < text.size(); i += 3)
                text[i] = static_cast<char>((i * 37 + k) % (k % 2 == 0 ? 256 : 200));
            side.add(text);
        }
    }
    for (alignment_options o : all_modes()) {
        for (const char* name : {"blosum62", "blosum80", "pam30", "pam250"}) {
            o.matrix = substitution_matrix::named(name);
            o.open = 11;
            EXPECT_TRUE(agree(a, b, o));
            if (HasFailure()) return;
        }
        o.matrix = {1, -1};
        o.open = 2;
        EXPECT_TRUE(agree(bytes[0], bytes[1], o));
        if (HasFailure()) return;
    }
}

TEST_P(scores, equal_those_of_pairs) {
    packed a, b;
    for (unsigned k = 0; k < 70; ++k) {
        a.add(letters_of(k * 13 % 300, "ARNDCQEGHILKMFPSTWYV", 2 * k));
        b.add(letters_of(k * 21 % 300, "ARNDCQEGHILKMFPSTWYV", 2 * k + 1));
    }
    for (alignment_options o : all_modes()) {
        o.matrix = substitution_matrix::named("blosum62");
        o.open = 11;
        std::vector<std::int64_t> wanted;
        for (std::size_t k = 0; k < 70; ++k)
            wanted.push_back(align(on_reference{}, a.text(k), b.text(k), o).score);
        EXPECT_TRUE(equal(wanted, a, b, o));
        if (HasFailure()) return;
    }
}

/// Queries of every number of lanes and of rows of a lane, and of several strips of rows.
TEST_P(scores, lengths_at_the_edges_of_bins) {
    packed a, b;
    for (std::size_t m = 1; m <= 2048; m *= 2)
        for (const std::size_t size : {m - 1, m, m + 1, m + m / 2, m + m / 2 + 1}) {
            const std::string query = letters_of(size, "ABC", static_cast<unsigned>(m));
            a.add(query);
            b.add(query.substr(size / 3, 60) + "CAB");
            a.add(query);
            b.add(letters_of(size % 67, "ABC", 12));
        }
    for (alignment_options o : all_modes())
        for (const auto& [match, mismatch, open] : {std::array{3, -2, 4}, {1000, -1000, 2000}}) {
            o.matrix = {match, mismatch};
            o.open = open;
            EXPECT_TRUE(agree(a, b, o) || may_refuse(o));
            if (HasFailure()) return;
        }
}

/// A bound decides which cells a pair gets, from prices and lengths: pairs at both sides of it.
TEST_P(scores, edges_of_bounds) {
    for (const auto& [match, mismatch, open, extend] : {std::array{105, -100, 11, 11},
                                                        {74, -100, 7999, 13},
                                                        {120, -100, 3, 0},
                                                        {1'000'000, -1'000'000, 1'000'000, 500'000}}) {
        packed a, b;
        for (const std::size_t size : {100, 255, 257, 259, 321, 327, 328, 440, 546, 600}) {
            const std::string same = letters_of(size, "AB", 6);
            for (const std::string& target : {same, std::string(size / 2, 'C'), same.substr(size / 3)}) {
                a.add(same);
                b.add(target);
            }
        }
        for (alignment_options o : all_modes()) {
            if (o.mode == alignment_mode::semi_global && o.ends.query_begin == o.ends.target_end) continue;
            o.matrix = {match, mismatch};
            o.open = open;
            o.extend = extend;
            (void)agree(a, b, o);
            if (HasFailure()) return;
        }
    }
}

/// All bytes, and long sequences beside short and empty ones.
TEST_P(scores, many_letters_and_long_pairs) {
    std::string all;
    for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
    packed a, b, long_a, long_b;
    for (unsigned k = 0; k < 20; ++k) {
        a.add(letters_of(40 * k, all, k));
        b.add(letters_of(600 - 30 * k, all, k));
    }
    const std::string text = letters_of(2500, "ACGT", 13);
    for (const auto& [query, target] :
         {std::pair<std::string, std::string>{text.substr(0, 1200) + text.substr(1300), text},
          {"A", text},
          {text, ""},
          {"", text},
          {text, "GATTACA"}}) {
        long_a.add(query);
        long_b.add(target);
    }
    for (const std::size_t mode : {0, 1, 14, 17}) {
        alignment_options o = all_modes()[mode];
        o.matrix = {2, -3};
        o.open = 5;
        (void)agree(a, b, o);
        EXPECT_TRUE(agree(long_a, long_b, o));
        if (HasFailure()) return;
    }
}

TEST_P(scores, refuses_what_it_cannot) {
    packed a, b;
    for (int k = 0; k < 3; ++k) {
        a.add("AABA");
        b.add("BABA");
    }
    const bool lanes = GetParam().name == "cpu/lanes" || GetParam().name == "cpu/striped";
    EXPECT_EQ(agree(a, b, {.mode = alignment_mode::local, .matrix = {1, 1}}),
              !lanes && GetParam().name != "cpu/diagonals");
    std::string letters;
    for (char c = 'A'; c < 'A' + 40; ++c) letters += c;
    EXPECT_EQ(agree(a, b, {.matrix = {letters, std::vector<std::int32_t>(1600, 1)}}), !lanes);
    EXPECT_EQ(agree(a, b, {.matrix = {"AB", {1000, 0, 0, 5}}}), !lanes);
    alignment_options o{.matrix = {"AB", {1, 0, 0, 1}}};
    o.variant = GetParam().name;
    a.add("B");
    b.add("AB?");
    try {
        (void)scores_of(where(), a, b, o);
        ADD_FAILURE() << "a letter outside of the matrix is not refused";
    } catch (const bad_argument& e) {
        EXPECT_STREQ(e.what(), "target: byte 63 at 2, expected a letter that has scores, as '*' has none");
    }
}

INSTANTIATE_TEST_SUITE_P(rows, scores, testing::ValuesIn(rows_of(wavefront::align_batch_rows)), test_name);

}  // namespace
}  // namespace wale::agreement
