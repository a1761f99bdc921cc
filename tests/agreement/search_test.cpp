// search_test - every row of infix, lcs_cross and edit_cross against the reference and against all parts of
// short texts; paths by what they cost.
#include <wale/distance_matrix.hpp>
#include <wale/infix.hpp>

#include "rows.hpp"
#include "solvers/wavefront/search_jobs.hpp"
#include "thinned.hpp"
#include "unit/thrown.hpp"

namespace wale::agreement {
namespace {

/// Sequences end to end.
template <class Symbol>
struct tape {
    std::vector<Symbol> data;
    std::vector<index_t> offsets{0};
    void add(const auto& s) {
        for (const auto x : s) data.push_back(static_cast<Symbol>(x));
        offsets.push_back(std::ssize(data));
    }
    [[nodiscard]] index_t count() const { return std::ssize(offsets) - 1; }
    [[nodiscard]] sequence_batch batch() const {
        return {data.data(), offsets.data(), count(), int{sizeof(Symbol)}};
    }
    [[nodiscard]] std::span<const Symbol> at(index_t k) const {
        return std::span(data).subspan(static_cast<std::size_t>(offsets[static_cast<std::size_t>(k)]),
                                       static_cast<std::size_t>(offsets[static_cast<std::size_t>(k) + 1] -
                                                                offsets[static_cast<std::size_t>(k)]));
    }
};

bool same_match(const infix_match& x, const infix_match& y) {
    const auto same = [](const infix_location& a, const infix_location& b) {
        return a.begin == b.begin && a.end == b.end && a.reverse == b.reverse;
    };
    return x.distance == y.distance && x.locations.size() == y.locations.size() &&
           std::equal(x.locations.begin(), x.locations.end(), y.locations.begin(), same);
}

/// The cost of a path; -1 where it does not lead through both sequences, or its operations are wrong.
template <class Symbol>
index_t cost(const std::string& cigar, std::span<const Symbol> query, std::span<const Symbol> part) {
    std::size_t i = 0, j = 0, count = 0;
    index_t sum = 0;
    for (const char c : cigar) {
        if (c >= '0' && c <= '9') {
            count = 10 * count + static_cast<std::size_t>(c - '0');
            continue;
        }
        for (; count > 0; --count) {
            const bool q = c != 'D', t = c != 'I';
            if ((q && i >= query.size()) || (t && j >= part.size())) return -1;
            if (q && t && (query[i] == part[j]) != (c == '=')) return -1;
            i += q, j += t;
            sum += c != '=';
        }
    }
    return i == query.size() && j == part.size() ? sum : -1;
}

struct searches : row_test {
    static infix_options with(infix_mode mode, index_t bound, bool strands = false) {
        return {.variant = GetParam().name, .mode = mode, .both_strands = strands, .bound = bound};
    }

    /// The row's answers, for all numbers of threads, are the reference's, and its paths cost what they must.
    template <class Symbol>
    static void expect_reference(const tape<Symbol>& queries, const std::vector<Symbol>& subject,
                                 const infix_options& o, const std::string& what) {
        if (!asked_here(4)) return;
        const sequence_view view(subject.data(), std::ssize(subject), int{sizeof(Symbol)});
        infix_options plain = o;
        plain.variant = "automatic";
        const auto wanted = infix_align(on_reference{}, queries.batch(), view, plain).matches;
        for (const int threads : thread_counts()) {
            const auto got = infix_align(where(threads), queries.batch(), view, o).matches;
            ASSERT_EQ(got.size(), wanted.size());
            for (std::size_t k = 0; k < got.size(); ++k) {
                ASSERT_TRUE(same_match(got[k], wanted[k]))
                    << what << ", query " << k << " of " << queries.at(static_cast<index_t>(k)).size()
                    << ": distance " << got[k].distance << " at " << got[k].locations.size() << ", expected "
                    << wanted[k].distance << " at " << wanted[k].locations.size() << ", threads " << threads;
                if (got[k].distance >= 0 && !o.both_strands) {
                    ASSERT_EQ(path_cost<Symbol>(queries.at(static_cast<index_t>(k)), subject, got[k]),
                              got[k].distance)
                        << what << ", query " << k << ", " << got[k].cigar;
                }
            }
        }
    }
    template <class Symbol>
    static index_t path_cost(std::span<const Symbol> query, std::span<const Symbol> subject,
                             const infix_match& m) {
        const infix_location at = m.locations.front();
        return cost(
            m.cigar, query,
            subject.subspan(static_cast<std::size_t>(at.begin), static_cast<std::size_t>(at.end - at.begin)));
    }
};

/// The answer by definition: the distance of the query to each part.
infix_match by_definition(const std::string& query, const std::string& subject, infix_mode mode,
                          index_t bound) {
    infix_match best;
    const auto size = static_cast<index_t>(subject.size());
    for (index_t end = 0; end <= size; ++end)
        for (index_t begin = 0; begin <= (mode == infix_mode::prefix ? 0 : end); ++begin) {
            if (query.empty() && end > 0) break;  // as edlib: one location
            const index_t d =
                plain_edit(query, std::string_view(subject).substr(static_cast<std::size_t>(begin),
                                                                   static_cast<std::size_t>(end - begin)));
            if ((bound >= 0 && d > bound) || (best.distance >= 0 && d > best.distance)) continue;
            if (d != best.distance) best.locations.clear();
            best.distance = d;
            if (best.locations.empty() || best.locations.back().end != end)
                best.locations.push_back({begin, end, false});
        }
    return best;
}

TEST_P(searches, all_short_pairs_by_definition) {
    tape<char> queries;
    std::vector<std::string> words;
    for (const std::string& s : all_short_strings())
        if (s.size() <= 5) words.push_back(s), queries.add(s);
    for (std::size_t k = 0; k < words.size(); k += words[k].size() == 5 ? 5 : 1)
        for (const infix_mode mode : {infix_mode::infix, infix_mode::prefix}) {
            const index_t bound = static_cast<index_t>(k % 5) - 1;
            const auto got = infix_align(where(), queries.batch(), words[k], with(mode, bound)).matches;
            for (std::size_t q = 0; q < words.size(); ++q) {
                const infix_match wanted = by_definition(words[q], words[k], mode, bound);
                ASSERT_TRUE(same_match(got[q], wanted))
                    << words[q] << " in " << words[k] << ", bound " << bound << ": " << got[q].distance
                    << ", expected " << wanted.distance;
                if (wanted.distance >= 0) {
                    ASSERT_EQ(path_cost<char>(words[q], words[k], got[q]), wanted.distance);
                }
            }
        }
}

/// Queries of many sizes: parts of the text with more and more errors, and unrelated ones.
template <class Symbol>
tape<Symbol> queries_of(const text& subject, std::uint32_t alphabet) {
    tape<Symbol> t;
    unsigned seed = 0;
    for (const index_t size :
         {1, 2, 7, 31, 63, 64, 65, 100, 127, 128, 129, 150, 150, 150, 192, 193, 300, 1000}) {
        const std::size_t at = 37 * ++seed % (subject.size() - static_cast<std::size_t>(size));
        const auto from = subject.begin() + static_cast<std::ptrdiff_t>(at);
        t.add(seed % 5 == 0 ? random_text(size, alphabet, seed, int{sizeof(Symbol)})
                            : mutated(text(from, from + size), 0.02 * (seed % 9), seed));
        if (seed % 6 == 0) t.add(text{});
    }
    return t;
}

template <class Symbol>
void every_mode(std::uint32_t alphabet, index_t size, auto&& expect) {
    const text subject = random_text(size, alphabet, 5, int{sizeof(Symbol)});
    const tape<Symbol> queries = queries_of<Symbol>(subject, alphabet);
    for (const infix_mode mode : {infix_mode::infix, infix_mode::prefix})
        for (const index_t bound : {-1, 0, 40})
            expect(queries, narrowed<Symbol>(subject), mode, bound,
                   "alphabet " + std::to_string(alphabet) + ", bound " + std::to_string(bound));
}

/// cpu/words takes short queries of bytes: those of brief_test, and these no longer ones.
bool takes_long_queries() {
    if (searches::GetParam().name != std::string("cpu/words")) return true;
    const std::string query(257, 'A');
    EXPECT_THROW((void)infix_align(on_cpu{}, query, "A", {.variant = "cpu/words"}), unsupported_variant);
    const std::uint16_t wide[] = {1, 2};
    const sequence_view symbols(wide, 2, 2);
    EXPECT_THROW((void)infix_align(on_cpu{}, symbols, symbols, {.variant = "cpu/words"}),
                 unsupported_variant);
    return false;
}

TEST_P(searches, sizes_bounds_and_alphabets) {
    if (!takes_long_queries()) return;
    const auto expect = [&](const auto& queries, const auto& subject, infix_mode mode, index_t bound,
                            const std::string& what) {
        expect_reference(queries, subject, with(mode, bound), what);
    };
    for (const std::uint32_t alphabet : {1u, 2u, 4u, 256u}) every_mode<std::uint8_t>(alphabet, 2500, expect);
    every_mode<std::uint16_t>(300, 1500, expect);
    every_mode<std::uint32_t>(1500, 1500, expect);
}

/// Few edits are found on the diagonals, more in a band, many in the whole table.
TEST_P(searches, beginnings_with_few_and_with_many_edits) {
    if (!takes_long_queries()) return;
    const auto ask = [&]<class Symbol>(std::uint32_t alphabet, Symbol) {
        const text subject = random_text(1300, alphabet, 8, int{sizeof(Symbol)});
        tape<Symbol> queries;
        unsigned seed = 0;
        for (const index_t size : {1, 65, 300, 1200})
            for (const double rate : {0.0, 0.01, 0.1})
                queries.add(mutated(text(subject.begin(), subject.begin() + size), rate, ++seed));
        queries.add(mutated(subject, 0.01, ++seed));  // near the end of the text
        for (const index_t bound : {-1, 3, 300})
            expect_reference(queries, narrowed<Symbol>(subject), with(infix_mode::prefix, bound),
                             "alphabet " + std::to_string(alphabet) + ", bound " + std::to_string(bound));
    };
    ask(1, std::uint8_t());
    ask(2, std::uint8_t());
    ask(4, std::uint8_t());
    ask(500, std::uint16_t());
}

TEST_P(searches, a_bound_for_each_query) {
    tape<char> queries;
    for (const char* q : {"ACGT", "AAAA", "", "ACGA"}) queries.add(std::string_view(q));
    const index_t bounds[] = {0, 1, 0, 1};
    infix_options o = with(infix_mode::infix, -1);
    o.bounds = bounds;
    const auto got = infix_align(where(), queries.batch(), "TTACGTTT", o).matches;
    EXPECT_EQ(got[0].distance, 0);
    EXPECT_EQ(got[1].distance, -1);
    EXPECT_EQ(got[2].distance, 0);
    EXPECT_EQ(got[3].distance, 1);
    o.bounds = std::span(bounds).first(2);
    EXPECT_THROW((void)infix_align(where(), queries.batch(), "TTACGTTT", o), bad_argument);
}

TEST_P(searches, both_strands) {
    std::mt19937 random(9);
    std::string letters(5000, ' ');
    for (char& letter : letters) letter = "ACGT"[random() % 4];
    tape<char> queries;
    for (std::size_t k = 0; k < 40; ++k) {
        const std::string read = letters.substr(101 * k, 40 + 5 * k);
        queries.add(k % 2 == 0 ? read : reverse_complement(read));
    }
    queries.add(std::string_view("AATT"));  // is its own reverse complement
    const auto got =
        infix_align(where(2), queries.batch(), letters, with(infix_mode::infix, -1, true)).matches;
    for (std::size_t k = 0; k < 40; ++k) {
        ASSERT_EQ(got[k].distance, 0) << k;
        const infix_location at = got[k].locations.front();
        EXPECT_EQ(at.begin, static_cast<index_t>(101 * k));
        EXPECT_EQ(at.reverse, k % 2 == 1);
        EXPECT_EQ(got[k].cigar, std::to_string(40 + 5 * k) + "=");
    }
    EXPECT_EQ(got[40].locations.size() % 2, 0u);
    EXPECT_TRUE(got[40].locations.back().reverse);
    const auto reference =
        infix_align(on_reference{}, queries.batch(), letters, {.both_strands = true}).matches;
    for (std::size_t k = 0; k < got.size(); ++k) EXPECT_TRUE(same_match(got[k], reference[k])) << k;
}

TEST_P(searches, a_text_of_several_pieces) {
    if (GetParam().where == backend::reference) return;  // against itself
    const text subject = random_text(200'000, 4, 3);
    tape<std::uint8_t> queries;
    for (const index_t at : {65'400, 131'000, 199'800})  // across the edges of pieces
        queries.add(mutated(text(subject.begin() + at, subject.begin() + at + 200), 0.1, 7));
    expect_reference(queries, narrowed<std::uint8_t>(subject), with(infix_mode::infix, -1), "pieces");
}

TEST_P(searches, a_path_longer_than_its_memory) {
    if (GetParam().where == backend::reference) return;  // too large; the path has nothing of the row
    if (!takes_long_queries()) return;
    const text query = random_text(12'000, 4, 1);
    text subject = random_text(100, 4, 2);
    const text copy = mutated(query, 0.3, 3);  // a band of some 100 words
    subject.insert(subject.end(), copy.begin(), copy.end());
    const auto q = narrowed<std::uint8_t>(query), s = narrowed<std::uint8_t>(subject);
    const infix_match got = infix_align(where(), std::span(q), std::span(s), with(infix_mode::infix, -1));
    EXPECT_GT(got.distance, 2000);
    EXPECT_EQ(path_cost<std::uint8_t>(q, s, got), got.distance);
}

INSTANTIATE_TEST_SUITE_P(wavefront, searches, testing::ValuesIn(rows_of(wavefront::infix_rows)), test_name);

TEST(search_arguments, are_refused) {
    EXPECT_NE(thrown<unsupported_variant>([] { (void)infix_align(on_cuda{}, "A", "A"); }).find("on cuda"),
              std::string::npos);
    EXPECT_THROW((void)infix_align(on_cpu{}, "A", std::u32string_view(U"A")), bad_argument);
    EXPECT_THROW((void)infix_align(on_cpu{}, std::u32string_view(U"A"), std::u32string_view(U"A"),
                                   {.both_strands = true}),
                 bad_argument);
    const index_t descending[] = {0, 2, 1};
    EXPECT_THROW((void)infix_align(on_cpu{}, {"ACG", descending, 2, 1}, "ACGT"), bad_argument);
    EXPECT_EQ(infix_align(on_cpu{}, "", "").distance, 0);
    EXPECT_EQ(infix_align(on_cpu{}, "AC", "").cigar, "2I");
    EXPECT_EQ(infix_align(on_cpu{}, "AC", "", {.bound = 1}).distance, -1);
}

struct crosses : row_test {
    static bool is_edit() { return GetParam().operation == "edit_cross"; }

    template <class Symbol>
    static std::vector<std::int32_t> ask(const execution& on, const std::string& variant,
                                         const tape<Symbol>& queries, const tape<Symbol>* targets,
                                         index_t cutoff) {
        const tape<Symbol>& t = targets != nullptr ? *targets : queries;
        const index_t pitch = t.count() + 3;
        std::vector<std::int32_t> answers(static_cast<std::size_t>(queries.count() * pitch), -7);
        buffer<std::int32_t> there = to_device(on, std::span<const std::int32_t>(answers));
        const placed<Symbol> data[] = {{on, queries.data}, {on, t.data}};
        const placed<index_t> offsets[] = {{on, queries.offsets}, {on, t.offsets}};
        const sequence_batch a{data[0].data(), offsets[0].data(), queries.count(), int{sizeof(Symbol)}};
        const sequence_batch b{data[1].data(), offsets[1].data(), t.count(), int{sizeof(Symbol)}};
        const matrix_view<std::int32_t> view(
            there.data(), layout_right::mapping<2>(extents<2>{{queries.count(), t.count()}}, pitch));
        const matrix_options o{.variant = variant, .cutoff = cutoff};
        if (targets == nullptr && is_edit()) (void)edit_distances(on, a, view, o);
        if (targets == nullptr && !is_edit()) (void)lcs_lengths(on, a, view, o);
        if (targets != nullptr && is_edit()) (void)edit_distances(on, a, b, view, o);
        if (targets != nullptr && !is_edit()) (void)lcs_lengths(on, a, b, view, o);
        copy_bytes(on, answers.data(), there.data(), std::ssize(answers) * index_t{sizeof(std::int32_t)});
        return answers;
    }
    template <class Symbol>
    static void expect_reference(const tape<Symbol>& a, const tape<Symbol>* b, const std::string& what) {
        for (const index_t cutoff : {-1, 0, 7}) {
            if ((cutoff >= 0 && !is_edit()) || !asked_here(6)) continue;
            const auto wanted = ask(on_reference{}, "automatic", a, b, cutoff);
            for (const int threads : thread_counts())
                ASSERT_EQ(ask(where(threads), GetParam().name, a, b, cutoff), wanted)
                    << what << ", cut-off " << cutoff << ", threads " << threads;
        }
    }
};

/// `count` sequences of 0 to `longest` symbols, some of them alike.
template <class Symbol>
tape<Symbol> strings(index_t count, index_t longest, std::uint32_t alphabet) {
    tape<Symbol> t;
    for (unsigned k = 0; k < static_cast<unsigned>(count); ++k) {
        const text base =
            random_text(static_cast<index_t>(k * 7919) % (longest + 1), alphabet, k % 5, int{sizeof(Symbol)});
        t.add(mutated(base, 0.1 * (k % 4), k));
    }
    return t;
}

TEST_P(crosses, all_short_strings) {
    tape<char> t;
    for (const std::string& s : all_short_strings())
        if (s.size() <= 5) t.add(s);
    expect_reference(t, &t, "all strings");
    expect_reference<char>(t, nullptr, "all strings, one side");
}

TEST_P(crosses, lanes_of_every_width) {
    for (const index_t longest : {0, 8, 9, 16, 33, 64, 65, 128, 200, 300}) {
        const auto a = strings<std::uint8_t>(37, longest, 4), b = strings<std::uint8_t>(83, longest + 3, 20);
        expect_reference(a, &b, "up to " + std::to_string(longest));
        expect_reference<std::uint8_t>(b, nullptr, "one side, up to " + std::to_string(longest));
    }
}

TEST_P(crosses, alphabets_and_nothing) {
    const auto bytes = strings<std::uint8_t>(40, 100, 256);
    expect_reference(bytes, &bytes, "256 bytes");
    const auto shorts = strings<std::uint16_t>(40, 90, 5000);
    expect_reference(shorts, &shorts, "16 bits");
    const auto words = strings<std::uint32_t>(40, 90, 100'000);
    expect_reference<std::uint32_t>(words, nullptr, "32 bits");
    const tape<std::uint8_t> none;
    expect_reference(none, &bytes, "no query");
    expect_reference(bytes, &none, "no target");
    const auto longer = strings<std::uint8_t>(6, 3000, 4);
    expect_reference<std::uint8_t>(longer, nullptr, "long");
}

TEST_P(crosses, parts_of_the_pairs) {
    const auto a = strings<std::uint8_t>(19, 90, 4), b = strings<std::uint8_t>(26, 70, 4);
    tune("wavefront/cross/symbols=500");  // read by the rows of the device
    expect_reference(a, &b, "in parts");
    expect_reference<std::uint8_t>(a, nullptr, "one side, in parts");
    expect_reference<std::uint8_t>(b, nullptr, "one even side, in parts");
}

INSTANTIATE_TEST_SUITE_P(wavefront, crosses,
                         testing::ValuesIn(joined({rows_of(wavefront::lcs_cross_rows),
                                                   rows_of(wavefront::edit_cross_rows)})),
                         test_name);

TEST(cross_arguments, are_refused) {
    const index_t offsets[] = {0, 1, 2};
    std::int32_t answers[4] = {};
    const sequence_batch two{"AB", offsets, 2, 1};
    const matrix_view<std::int32_t> square(answers, extents<2>{{2, 2}}), row(answers, extents<2>{{1, 2}});
    EXPECT_THROW((void)edit_distances(on_cpu{}, two, row), bad_argument);
    EXPECT_THROW((void)lcs_lengths(on_cpu{}, two, square, {.cutoff = 3}), bad_argument);
    EXPECT_THROW((void)lcs_lengths(on_cpu{}, two, {"ABCD", offsets, 2, 2}, square), bad_argument);
}

}  // namespace
}  // namespace wale::agreement
