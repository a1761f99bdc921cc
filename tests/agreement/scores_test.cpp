// scores_test - scores of many pairs against the reference: all short pairs at once with prices that need
// cells of 8, 16 and 32 bits, scores at the edges of these cells, lanes whose pairs differ in size.
#include "rows.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::agreement {
namespace {

struct packed {
    std::string letters;
    std::vector<index_t> offsets{0};
    void add(const std::string& text) {
        letters += text;
        offsets.push_back(std::ssize(letters));
    }
    [[nodiscard]] sequence_batch batch() const {
        return {letters.data(), offsets.data(), std::ssize(offsets) - 1, 1};
    }
};

std::string letters_of(std::size_t size, const std::string& alphabet, unsigned seed) {
    std::mt19937 random(seed);
    std::string out(size, ' ');
    for (char& c : out) c = alphabet[random() % alphabet.size()];
    return out;
}

std::vector<alignment_options> modes() {
    std::vector<alignment_options> all(2);
    all[1].mode = alignment_mode::local;
    for (unsigned k = 0; k < 16; ++k) {
        all.emplace_back();
        all.back().mode = alignment_mode::semi_global;
        all.back().ends = {(k & 1) != 0, (k & 2) != 0, (k & 4) != 0, (k & 8) != 0};
    }
    return all;
}

struct prices {
    substitution_matrix matrix;
    index_t open, extend;
};

/// The first need cells of 8 bits, those after them 16 and 32 by their scores or by the cost of a gap.
std::vector<prices> gap_models() {
    const substitution_matrix odd{"ABC*", {3, -2, 1, -4, -1, 2, -3, -4, 0, -5, -1, -4, -4, -4, -4, 1}};
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
        const index_t none = 0;
        const sequence_batch empty{"", &none, 0, 1};
        try {
            (void)align(where(), empty, empty, {}, {.variant = GetParam().name});
        } catch (const unsupported_variant& e) {
            GTEST_SKIP() << e.what();
        }
    }
    /// Whether the row does what the options ask for; a refusal is an answer, too.
    static bool agree(const packed& a, const packed& b, alignment_options o, int threads = 0) {
        const auto count = a.offsets.size() - 1;
        std::vector<std::int64_t> wanted(count, -99), got(count, -98);
        (void)align(on_reference{}, a.batch(), b.batch(), wanted, o);
        o.variant = GetParam().name;
        try {
            (void)align(where(threads), a.batch(), b.batch(), got, o);
        } catch (const unsupported_variant&) {
            return false;
        }
        for (std::size_t k = 0; k < count; ++k) {
            const auto text = [k](const packed& p) {
                const auto first = static_cast<std::size_t>(p.offsets[k]);
                return p.letters.substr(first, static_cast<std::size_t>(p.offsets[k + 1]) - first);
            };
            EXPECT_EQ(got[k], wanted[k])
                << "pair " << k << " '" << text(a) << "' '" << text(b) << "' mode "
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
    for (alignment_options o : modes())
        for (const prices& p : gap_models()) {
            o.matrix = p.matrix;
            o.open = p.open;
            o.extend = p.extend;
            EXPECT_TRUE(agree(a, b, o));
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
    for (alignment_options o : modes())
        for (const prices& p : gap_models()) {
            o.matrix = p.matrix;
            o.open = p.open;
            o.extend = p.extend;
            EXPECT_TRUE(agree(a, b, o, 1));
            EXPECT_TRUE(agree(b, a, o, 3));
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
        for (alignment_options o : modes()) {
            if (o.mode == alignment_mode::semi_global && !(o.ends.target_begin && o.ends.target_end))
                continue;
            o.matrix = {match, -match};
            o.open = 2;
            EXPECT_TRUE(agree(a, b, o));
            if (HasFailure()) return;
        }
    }
    packed a, b;
    for (std::size_t size = 20; size < 30; ++size) {
        a.add(std::string(size, 'W'));
        b.add(std::string(size, 'W'));
    }
    for (alignment_options o : modes()) {
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
    for (alignment_options o : modes()) {
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

TEST_P(scores, refuses_what_it_cannot) {
    packed a, b;
    for (int k = 0; k < 3; ++k) {
        a.add("AABA");
        b.add("BABA");
    }
    const bool lanes = GetParam().name == "cpu/lanes";
    EXPECT_EQ(agree(a, b, {.mode = alignment_mode::local, .matrix = {1, 1}}),
              !lanes && GetParam().name != "cpu/diagonals");
    std::string letters;
    for (char c = 'A'; c < 'A' + 40; ++c) letters += c;
    EXPECT_EQ(agree(a, b, {.matrix = {letters, std::vector<std::int32_t>(1600, 1)}}), !lanes);
    EXPECT_EQ(agree(a, b, {.matrix = {"AB", {1000, 0, 0, 5}}}), !lanes);
    alignment_options o{.matrix = {"AC", {1, 0, 0, 1}}};
    o.variant = GetParam().name;
    std::vector<std::int64_t> out(3);
    EXPECT_THROW((void)align(where(), a.batch(), b.batch(), out, o), bad_argument);
}

named_rows on_host() {
    named_rows rows = rows_of(wavefront::align_batch_rows);
    std::erase_if(rows, [](const named_row& r) { return r.where != backend::cpu; });
    return rows;
}
INSTANTIATE_TEST_SUITE_P(rows, scores, testing::ValuesIn(on_host()), test_name);

}  // namespace
}  // namespace wale::agreement
