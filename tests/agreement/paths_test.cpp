// paths_test - ends, starts and paths of many pairs, column by column against the reference: every mode, free
// end and gap model, cells of 8 to 64 bits, one strip of rows and several, letters of either case, symbols of
// every width.
#include <array>

#include "alignment_models.hpp"
#include "solvers/wavefront/jobs.hpp"
#include "thinned.hpp"

namespace wale::agreement {
namespace {

std::vector<model> models() {
    std::vector<model> all;
    for (const model& m : modes()) {
        for (const prices& p : gap_models()) all.push_back(priced(m, p));
        all.push_back(priced(m, {"32 bits", {3000, -2000}, 4000, 1000}));
        all.push_back(priced(m, {"dear opening", odd_matrix(), 15'000, 3}));
    }
    return all;
}

template <class Symbol>
struct symbol_batch {
    std::vector<Symbol> symbols;
    std::vector<index_t> offsets;
};

symbol_batch<std::uint8_t> bytes_of(const packed& p) {
    return {{p.letters.begin(), p.letters.end()}, p.offsets};
}

/// On the device, or on the host.
template <class Symbol>
pair_alignments asked(const execution& where, const symbol_batch<Symbol>& a, const symbol_batch<Symbol>& b,
                      const alignment_options& o) {
    const placed<Symbol> x(where, a.symbols), y(where, b.symbols);
    const placed<index_t> x_offsets(where, a.offsets), y_offsets(where, b.offsets);
    constexpr int width = sizeof(Symbol);
    return align_pairs(where, {x.data(), x_offsets.data(), std::ssize(a.offsets) - 1, width},
                       {y.data(), y_offsets.data(), std::ssize(b.offsets) - 1, width}, o);
}

struct paths : row_test {
    void SetUp() override {
        row_test::SetUp();
        if (IsSkipped()) return;
        try {
            (void)asked<std::uint8_t>(where(), {{}, {0}}, {{}, {0}}, {.variant = GetParam().name});
        } catch (const unsupported_variant& e) {
            GTEST_SKIP() << e.what();
        }
    }

    /// Every column; a row may refuse. Returns whether it answered.
    template <class Symbol>
    static bool agree(const std::string& what, const symbol_batch<Symbol>& a, const symbol_batch<Symbol>& b,
                      alignment_options o, int threads = 0) {
        if (!asked_here(4)) return true;
        o.variant = "automatic";
        const pair_alignments wanted = asked(on_reference{}, a, b, o);
        o.variant = GetParam().name;
        pair_alignments got;
        try {
            got = asked(where(threads), a, b, o);
        } catch (const unsupported_variant&) {
            return false;
        }
        EXPECT_EQ(got.run.variant, o.variant);
        EXPECT_EQ(got.run.work, wanted.run.work);
        EXPECT_EQ(got.query_end.empty(), o.task < alignment_task::ends);
        EXPECT_EQ(got.query_begin.empty(), o.task < alignment_task::starts);
        EXPECT_EQ(got.first_run.empty(), o.task < alignment_task::path);
        for (std::size_t k = 0; k < wanted.score.size(); ++k) {
            const alignment_result x = got.pair(static_cast<index_t>(k)),
                                   y = wanted.pair(static_cast<index_t>(k));
            EXPECT_EQ(x.score, y.score) << what << ", pair " << k;
            EXPECT_EQ((std::array{x.query_begin, x.query_end, x.target_begin, x.target_end}),
                      (std::array{y.query_begin, y.query_end, y.target_begin, y.target_end}))
                << what << ", pair " << k << ' ' << x.cigar() << ' ' << y.cigar();
            EXPECT_EQ(x.cigar(), y.cigar()) << what << ", pair " << k;
            if (HasFailure()) return true;
        }
        EXPECT_TRUE(got.first_run == wanted.first_run && got.runs == wanted.runs) << what;
        return true;
    }
    static bool agree(const packed& a, const packed& b, const model& m, int threads = 0) {
        return agree(m.what, bytes_of(a), bytes_of(b), m.options, threads);
    }
};

std::vector<std::string> strings_over(const std::string& letters, std::size_t most) {
    std::vector<std::string> all{""};
    for (std::size_t k = 0; k < all.size(); ++k)
        if (all[k].size() < most)
            for (const char c : letters) all.push_back(all[k] + c);
    return all;
}

/// A copy with about one change in `every` symbols, and gaps of up to 20.
std::string changed(const std::string& text, unsigned every, const std::string& alphabet, unsigned seed) {
    std::mt19937 random(seed);
    std::string out;
    for (const char c : text) {
        const auto kind = static_cast<unsigned>(random() % every);
        if (kind == 0) continue;
        out += kind == 1 ? alphabet[random() % alphabet.size()] : c;
        if (kind == 2) out.append(1 + random() % 20, c);
    }
    return out;
}

TEST_P(paths, all_short_pairs) {
    packed a, b;
    const auto strings = strings_over("AB", 4);
    for (const std::string& q : strings)
        for (const std::string& t : strings) {
            a.add(q);
            b.add(t);
        }
    for (const model& m : models()) {
        (void)agree(a, b, m);
        if (HasFailure()) return;
    }
}

/// Batches that CUDA does part by part, of which the answers of one are copied while the next is computed.
TEST_P(paths, in_parts) {
    if (!on_device()) GTEST_SKIP() << "batches of the host have no parts";
    packed a, b;
    for (unsigned seed = 0; seed < 60; ++seed) {
        const std::string query = letters_of(seed == 7 ? 900 : seed % 4 * 40, "ABC", seed);
        a.add(query);
        b.add(changed(query, 8, "ABC", seed));
    }
    for (const char* pairs : {"1", "10", "25"})
        for (const model& m : modes()) {
            tune(std::string("wavefront/align/part=") + pairs);
            (void)agree(a, b, priced(m, gap_models().front()));
            if (HasFailure()) return;
        }
}

/// Each number of lanes and of rows of a lane, one row more and less; some pairs similar.
TEST_P(paths, lengths_at_the_edges_of_bins) {
    packed a, b;
    unsigned seed = 0;
    for (const std::size_t m :
         {1,  2,  7,  8,  9,  15, 16,  17,  24,  31,  32,  33,  40,  47,  48,  49,  63,  64,
          65, 79, 80, 81, 95, 97, 127, 129, 160, 161, 191, 193, 255, 257, 320, 321, 383, 385})
        for (const std::size_t n : {std::size_t{1}, std::size_t{33}, m, m + m / 3}) {
            const std::string query = letters_of(m, "ABC", ++seed);
            a.add(query);
            b.add(seed % 3 == 0 ? letters_of(n, "ABC", seed + 1000)
                                : (changed(query, 9, "ABC", seed) + letters_of(n, "ABC", seed)).substr(0, n));
        }
    for (const model& m : models()) {
        (void)agree(a, b, m);
        if (HasFailure()) return;
    }
}

TEST_P(paths, several_strips_and_long_targets) {
    packed a, b;
    for (const auto& [m, n] : std::initializer_list<std::pair<std::size_t, std::size_t>>{{1023, 1100},
                                                                                         {1025, 900},
                                                                                         {1537, 1700},
                                                                                         {2100, 300},
                                                                                         {30, 5000},
                                                                                         {500, 4200},
                                                                                         {1, 9000},
                                                                                         {2600, 2500},
                                                                                         {3, 3}}) {
        const std::string target = letters_of(n, "ABC", static_cast<unsigned>(n));
        a.add((changed(target, 30, "ABC", static_cast<unsigned>(m)) + letters_of(m, "ABC", 5)).substr(0, m));
        b.add(target);
    }
    const std::vector<model> all = models();
    for (std::size_t k = 0; k < all.size(); k += 7) {  // of 9 gap models: every one, and every mode
        (void)agree(a, b, all[k]);
        if (HasFailure()) return;
    }
}

/// The highest cells of a local table are many: the leftmost counts, then the uppermost.
TEST_P(paths, equally_good_ends) {
    packed a, b;
    std::string long_query;
    for (int k = 0; k < 9; ++k) long_query += "ABBBBBCCCCACAB" + letters_of(8, "C", 1);
    for (const std::string& query : {std::string("ABCA"), std::string("AAAAAAAAAA"), long_query}) {
        a.add(query);
        b.add("CCABCACCABCACC");
        a.add(query);
        b.add(letters_of(300, "ABC", 3) + "ABBBBBC" + letters_of(100, "A", 3) + "ABBBBBC");
        a.add(query + query);
        b.add(query + letters_of(50, "ABC", 4) + query);
    }
    for (const model& m : models()) {
        (void)agree(a, b, m);
        if (HasFailure()) return;
    }
}

TEST_P(paths, proteins_of_either_case) {
    packed a, b;
    for (unsigned k = 0; k < 60; ++k) {
        const std::string target = letters_of(40 + k * 13 % 300, "ARNDCQEGHILKMFPSTWYVBZXu-arnd", k);
        a.add(k % 3 == 0 ? changed(target, 8, "acdE", k)
                         : letters_of(30 + k * 31 % 200, "ARNDCQEGHILKm", k + 500));
        b.add(target);
    }
    for (const model& mode : modes())
        for (const char* name : {"blosum62", "pam250"}) {
            (void)agree(a, b, priced(mode, {name, substitution_matrix::named(name), 11, 1}));
            if (HasFailure()) return;
        }
}

template <class Symbol>
symbol_batch<Symbol> wide_symbols(unsigned seed, Symbol scale) {
    std::mt19937 random(seed);
    symbol_batch<Symbol> out{{}, {0}};
    for (std::size_t k = 0; k < 12; ++k) {
        const std::size_t size = k * 43 % 310;
        for (std::size_t i = 0; i < size; ++i)
            out.symbols.push_back(static_cast<Symbol>((i / 3 + random() % 2) % 90 * scale));
        out.offsets.push_back(std::ssize(out.symbols));
    }
    return out;
}

TEST_P(paths, symbols_of_every_width) {
    for (const model& mode : modes()) {
        const model m = priced(mode, {"affine", {2, -3}, 5, 2});
        (void)agree<std::uint8_t>(m.what, wide_symbols<std::uint8_t>(1, 2), wide_symbols<std::uint8_t>(2, 2),
                                  m.options);
        (void)agree<std::uint16_t>(m.what, wide_symbols<std::uint16_t>(1, 700),
                                   wide_symbols<std::uint16_t>(2, 700), m.options);
        (void)agree<std::uint32_t>(m.what, wide_symbols<std::uint32_t>(1, 40'000'000),
                                   wide_symbols<std::uint32_t>(2, 40'000'000), m.options);
        if (HasFailure()) return;
    }
}

/// A bound decides which cells a pair gets, from prices and lengths: pairs at both sides of it.
TEST_P(paths, edges_of_bounds) {
    for (const auto& [match, mismatch, open, extend] : {std::array{105, -100, 11, 11},
                                                        {74, -100, 7999, 13},
                                                        {120, -100, 3, 0},
                                                        {127, -128, 8000, 0},
                                                        {1'000'000, -1'000'000, 1'000'000, 500'000}}) {
        packed a, b;
        for (const std::size_t size : {100, 255, 259, 328, 440, 501, 519, 546, 600}) {
            const std::string same = letters_of(size, "AB", 6);
            for (const std::string& target : {same, std::string(size / 2, 'C'), same.substr(size / 3)}) {
                a.add(same);
                b.add(target);
            }
        }
        for (const model& mode : modes()) {
            (void)agree(a, b, priced(mode, {"bounds", {match, mismatch}, open, extend}));
            if (HasFailure()) return;
        }
    }
}

TEST_P(paths, tasks_and_threads) {
    packed a, b;
    for (unsigned k = 0; k < 200; ++k) {
        a.add(letters_of(k * 7 % 90, "AB", k));
        b.add(letters_of(k * 11 % 90, "AB", k + 1));
    }
    for (model m :
         {priced(modes()[0], {"affine", {3, -2}, 4, 1}), priced(modes()[1], {"affine", {3, -2}, 4, 1}),
          priced(modes()[14], {"affine", {3, -2}, 4, 1})})
        for (const alignment_task task :
             {alignment_task::score, alignment_task::ends, alignment_task::starts, alignment_task::path}) {
            m.options.task = task;
            for (const int threads : {1, 3}) (void)agree(a, b, m, threads);
            if (HasFailure()) return;
        }
}

TEST_P(paths, refuses_what_it_cannot) {
    const std::string letters = "AABABB";
    const symbol_batch<std::uint8_t> side{{letters.begin(), letters.end()}, {0, 2, 6}},
        other{{'A', '?', 'B'}, {0, 1, 3}}, fewer{{'A'}, {0, 1}};
    const alignment_options named{.variant = GetParam().name, .matrix = {"AB", {1, 0, 0, 1}}};
    const auto message = [&](const auto& a, const auto& b, alignment_options o) -> std::string {
        o.variant = GetParam().name;
        try {
            (void)asked<std::uint8_t>(where(), a, b, o);
        } catch (const bad_argument& e) {
            return e.what();
        }
        return "";
    };
    if (GetParam().name != "cpu/wavefronts") {
        EXPECT_EQ(message(side, other, named),
                  "target: byte 63 at 0, expected a letter that has scores, as '*' has none");
    }
    EXPECT_NE(message(side, fewer, {}), "");
    EXPECT_NE(message(side, side, {.open = -1}), "");
    EXPECT_NE(message(side, side, {.band = 3}), "");
    const symbol_batch<std::uint8_t> falling{{letters.begin(), letters.end()}, {0, 4, 2}};
    EXPECT_NE(message(falling, side, {}), "");
}

INSTANTIATE_TEST_SUITE_P(rows, paths, testing::ValuesIn(rows_of(wavefront::align_pairs_rows)), test_name);

}  // namespace
}  // namespace wale::agreement
