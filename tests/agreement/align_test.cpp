// align_test - every row of align and align_batch against the reference, which is compared with a search of
// all alignments: every mode, free end and gap model on all short pairs, then the edges of lanes, tiles and
// cell widths. Each path is scored again by its columns.

#include "rows.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::agreement {
namespace {

struct model {
    std::string what;
    alignment_options options{};
};

/// Global, local, and semi-global with every choice of free ends.
std::vector<model> modes() {
    std::vector<model> all{{"global"}, {"local", {.mode = alignment_mode::local}}};
    for (unsigned k = 0; k < 16; ++k) {
        const auto bit = [k](unsigned b) { return (k >> b & 1) != 0; };
        all.push_back({"free ends " + std::to_string(k),
                       {.mode = alignment_mode::semi_global, .ends = {bit(0), bit(1), bit(2), bit(3)}}});
    }
    return all;
}

struct prices {
    std::string what;
    substitution_matrix matrix;
    index_t open, extend;
};

/// Asymmetric, with negative and zero scores of equal letters.
substitution_matrix odd_matrix() {
    return {"ABC*", {3, -2, 1, -4, -1, 2, -3, -4, 0, -5, -1, -4, -4, -4, -4, 1}};
}

std::vector<prices> gap_models() {
    return {{"unit", {}, 1, 1},
            {"linear", {2, -1}, 2, 2},
            {"affine", {3, -2}, 4, 1},
            {"free extension", {2, -3}, 3, 0},
            {"free gaps", {1, -1}, 0, 0},
            {"extend above open", {2, -2}, 1, 5},
            {"costly mismatch", {1, -1000}, 2, 1},
            {"asymmetric", odd_matrix(), 3, 1}};
}

model priced(model m, const prices& p) {
    m.what += ", " + p.what;
    m.options.matrix = p.matrix;
    m.options.open = p.open;
    m.options.extend = p.extend;
    m.options.task = alignment_task::path;
    return m;
}

std::int64_t pair_score(const substitution_matrix& m, char a, char b) {
    if (m.by_equality()) return a == b ? m.match() : m.mismatch();
    const std::size_t n = m.letters().size();
    const auto code = [&](char c) { return std::min(m.letters().find(c), m.letters().find('*')); };
    return m.scores()[code(a) * n + code(b)];
}

/// The columns of a path one by one: they must use the symbols between begin and end, and give the score.
void expect_scored(const std::string& what, const std::string& q, const std::string& t,
                   const alignment_options& o, const alignment_result& r) {
    auto i = static_cast<std::size_t>(r.query_begin), j = static_cast<std::size_t>(r.target_begin);
    std::int64_t score = 0;
    char last = 0;
    for (const alignment_run& run : r.path) {
        ASSERT_NE(run.operation, last) << what;
        last = run.operation;
        ASSERT_GT(run.length, 0) << what;
        for (index_t k = 0; k < run.length; ++k) {
            if (last == 'I' || last == 'D') {
                score -= k == 0 ? o.open : std::min(o.open, o.extend);
                ++(last == 'I' ? i : j);
                continue;
            }
            ASSERT_TRUE(i < q.size() && j < t.size()) << what;
            ASSERT_EQ(last == '=', q[i] == t[j]) << what;
            score += pair_score(o.matrix, q[i++], t[j++]);
        }
    }
    ASSERT_EQ(static_cast<index_t>(i), r.query_end) << what << ' ' << r.cigar();
    ASSERT_EQ(static_cast<index_t>(j), r.target_end) << what << ' ' << r.cigar();
    ASSERT_EQ(score, r.score) << what << ' ' << r.cigar();
    const bool global = o.mode == alignment_mode::global;
    const free_ends ends = global ? free_ends{} : o.ends;
    if (o.mode == alignment_mode::local) return;
    if (!ends.query_begin || r.target_begin > 0) {
        ASSERT_EQ(r.query_begin, 0) << what;
    }
    if (!ends.target_begin || r.query_begin > 0) {
        ASSERT_EQ(r.target_begin, 0) << what;
    }
    if (!ends.query_end || r.target_end < std::ssize(t)) {
        ASSERT_EQ(r.query_end, std::ssize(q)) << what;
    }
    if (!ends.target_end || r.query_end < std::ssize(q)) {
        ASSERT_EQ(r.target_end, std::ssize(t)) << what;
    }
}

/// The best score of all alignments by trying them: state is the kind of the last column.
class search {
public:
    search(const std::string& q, const std::string& t, const alignment_options& o) : q_(q), t_(t), o_(o) {
        const bool local = o.mode == alignment_mode::local;
        const free_ends e = o.mode == alignment_mode::semi_global ? o.ends : free_ends{};
        for (std::size_t i = 0; i <= q.size(); ++i)
            for (std::size_t j = 0; j <= t.size(); ++j)
                if (local || (i == 0 && j == 0) || (i == 0 && e.target_begin) || (j == 0 && e.query_begin)) {
                    local_ = local;
                    ends_ = e;
                    go(i, j, 0, '=');
                }
    }
    std::int64_t best = std::numeric_limits<std::int64_t>::min();

private:
    void go(std::size_t i, std::size_t j, std::int64_t score, char last) {
        const bool below = i == q_.size(), right = j == t_.size();
        if (local_ || (below && right) || (below && ends_.target_end) || (right && ends_.query_end))
            best = std::max(best, score);
        if (!below && !right) go(i + 1, j + 1, score + pair_score(o_.matrix, q_[i], t_[j]), '=');
        const std::int64_t extend = std::min(o_.open, o_.extend);
        if (!below) go(i + 1, j, score - (last == 'I' ? extend : o_.open), 'I');
        if (!right) go(i, j + 1, score - (last == 'D' ? extend : o_.open), 'D');
    }
    const std::string &q_, &t_;
    const alignment_options& o_;
    bool local_ = false;
    free_ends ends_{};
};

std::vector<std::string> strings_over(const std::string& letters, std::size_t most) {
    std::vector<std::string> all{""};
    for (std::size_t k = 0; k < all.size(); ++k)
        if (all[k].size() < most)
            for (const char c : letters) all.push_back(all[k] + c);
    return all;
}

void expect_same(const std::string& what, const alignment_result& got, const alignment_result& wanted) {
    ASSERT_EQ(got.score, wanted.score) << what;
    ASSERT_EQ(got.query_begin, wanted.query_begin) << what;
    ASSERT_EQ(got.query_end, wanted.query_end) << what;
    ASSERT_EQ(got.target_begin, wanted.target_begin) << what;
    ASSERT_EQ(got.target_end, wanted.target_end) << what;
    ASSERT_EQ(got.cigar(), wanted.cigar()) << what;
    ASSERT_EQ(got.best_ends.size(), wanted.best_ends.size()) << what;
    for (std::size_t k = 0; k < got.best_ends.size(); ++k) {
        ASSERT_EQ(got.best_ends[k].query, wanted.best_ends[k].query) << what;
        ASSERT_EQ(got.best_ends[k].target, wanted.best_ends[k].target) << what;
    }
}

bool refused(const alignment_options& o, const std::string& row) {
    return row == "cpu/diagonals" && o.mode == alignment_mode::local && o.matrix.by_equality() &&
           o.matrix.mismatch() > 0;
}

std::string letters_of(std::size_t size, const std::string& alphabet, unsigned seed) {
    std::mt19937 random(seed);
    std::string out(size, ' ');
    for (char& c : out) c = alphabet[random() % alphabet.size()];
    return out;
}

/// A copy with about one change in `every` symbols.
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

/// Vectors are not on every machine, nor in every instruction set that WALE_INSTRUCTION_SET allows.
struct alignment_row : row_test {
    void SetUp() override {
        row_test::SetUp();
        try {
            (void)align(where(), "A", "A", {.variant = GetParam().name});
        } catch (const unsupported_variant& e) {
            GTEST_SKIP() << e.what();
        }
    }
};

struct alignments : alignment_row {
    static alignment_result ask(const std::string& q, const std::string& t, alignment_options o) {
        o.variant = GetParam().name;
        return align(where(), q, t, o);
    }
    static void agrees(const std::string& q, const std::string& t, const model& m) {
        if (refused(m.options, GetParam().name)) return;
        const alignment_result wanted = align(on_reference{}, q, t, m.options);
        const std::string what = m.what + ": " + std::to_string(q.size()) + " x " + std::to_string(t.size());
        expect_same(what, ask(q, t, m.options), wanted);
        for (const alignment_task task : {alignment_task::score, alignment_task::ends}) {
            alignment_options o = m.options;
            o.task = task;
            ASSERT_EQ(ask(q, t, o).score, wanted.score) << what;
            ASSERT_EQ(ask(q, t, o).query_end, task == alignment_task::score ? -1 : wanted.query_end) << what;
        }
    }
    static void agree(const std::string& q, const std::string& t) {
        for (const model& mode : modes())
            for (const prices& p : gap_models()) {
                agrees(q, t, priced(mode, p));
                if (HasFatalFailure()) return;
            }
    }
};

TEST_P(alignments, all_short_pairs) {
    const bool reference = GetParam().where == backend::reference;
    const auto strings = strings_over("AB", 4);
    for (const model& mode : modes())
        for (const prices& p : gap_models()) {
            const model m = priced(mode, p);
            for (const std::string& q : strings)
                for (const std::string& t : strings) {
                    const std::string what = m.what + ": '" + q + "' '" + t + "'";
                    const alignment_result got = ask(q, t, m.options);
                    expect_scored(what, q, t, m.options, got);
                    if (reference) {
                        ASSERT_EQ(got.score, search(q, t, m.options).best) << what;
                    } else {
                        expect_same(what, got, align(on_reference{}, q, t, m.options));
                    }
                    if (HasFatalFailure()) return;
                }
        }
}

TEST_P(alignments, edges_of_lanes) {
    for (const std::size_t m : {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 129})
        for (const std::size_t n : {1, 7, 8, 9, 33, 70}) {
            agree(letters_of(m, "ABC", 1), letters_of(n, "ABC", 2));
            if (HasFatalFailure()) return;
        }
}

TEST_P(alignments, edges_of_tiles) {
    for (const auto& [m, n] : std::initializer_list<std::pair<std::size_t, std::size_t>>{
             {256, 1023}, {257, 1024}, {511, 1025}, {512, 40}, {513, 1040}, {1025, 1030}, {40, 2100}}) {
        const std::string target = letters_of(n, "ABC", 3);
        const std::string query = (changed(target, 20, "ABC", 4) + letters_of(m, "ABC", 5)).substr(0, m);
        for (const model& mode : {modes()[0], modes()[1], modes()[14], modes()[17]})
            for (const prices& p : gap_models()) {
                const model priced_mode = priced(mode, p);
                agrees(query, target, priced_mode);
                expect_scored(priced_mode.what, query, target, priced_mode.options,
                              ask(query, target, priced_mode.options));
                if (HasFatalFailure()) return;
            }
    }
}

/// Scores at the edges of 8, 16 and 32 bits, and prices so large that tiles of 16 bits cannot be.
TEST_P(alignments, edges_of_cells) {
    for (const std::size_t size : {42, 63, 64, 127, 600}) {
        const std::string same = letters_of(size, "AB", 6);
        for (const int match : {1, 3, 64, 1'000'000})
            for (const index_t open : {index_t{1}, index_t{61}, index_t{20'000}, index_t{1'000'000}})
                for (const model& mode : {modes()[0], modes()[1], modes()[14]}) {
                    model m =
                        priced(mode, {"match " + std::to_string(match), {match, -match}, open, open / 2});
                    if (size < 600) agrees(same, same, m);
                    agrees(same, changed(same, 9, "AB", 7), m);
                    if (HasFatalFailure()) return;
                }
    }
}

TEST_P(alignments, symbols_of_all_widths) {
    for (const text_pair& p : alphabet_pairs()) {
        if (p.a.size() * p.b.size() > 1'000'000) continue;
        asked(where(), p, [&](sequence_view a, sequence_view b) {
            alignment_options o{.task = alignment_task::path, .matrix = {2, -1}, .open = 3};
            const alignment_result wanted = align(on_reference{}, a, b, o);
            o.variant = GetParam().name;
            expect_same(p.what, align(where(), a, b, o), wanted);
            return 0;
        });
        if (HasFatalFailure()) return;
    }
}

TEST_P(alignments, proteins) {
    for (const std::string& name : substitution_matrix::names()) {
        const std::string target = letters_of(700, "ARNDCQEGHILKMFPSTWYVBZXu-", 8);
        const std::string query = changed(target, 6, "ARNDCQEGHILKMFPSTWYV", 9).substr(30, 600);
        for (const model& mode : modes())
            agrees(query, target, priced(mode, {name, substitution_matrix::named(name), 11, 1}));
        if (HasFatalFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(rows, alignments, testing::ValuesIn(rows_of(wavefront::align_rows)), test_name);

/// Pairs end to end, in the memory of a row's backend.
class batch_of_pairs {
public:
    void add(const std::string& query, const std::string& target) {
        texts_[0].push_back(query);
        texts_[1].push_back(target);
    }
    [[nodiscard]] std::vector<std::int64_t> scores(const execution& where, const alignment_options& o) const {
        const std::size_t count = texts_[0].size();
        std::vector<std::uint8_t> symbols[2];
        std::vector<index_t> starts[2];
        for (const std::size_t side : {0u, 1u}) {
            starts[side].push_back(0);
            for (const std::string& text : texts_[side]) {
                symbols[side].insert(symbols[side].end(), text.begin(), text.end());
                starts[side].push_back(std::ssize(symbols[side]));
            }
        }
        const placed<std::uint8_t> query(where, symbols[0]), target(where, symbols[1]);
        const placed<index_t> query_starts(where, starts[0]), target_starts(where, starts[1]);
        const auto pairs = static_cast<index_t>(count);
        const buffer<std::int64_t> to(
            to_device(where, std::span<const std::int64_t>(std::vector<std::int64_t>(count, -99))));
        const auto result = align(where, {query.data(), query_starts.data(), pairs},
                                  {target.data(), target_starts.data(), pairs}, to.span(), o);
        EXPECT_EQ(result.run.variant, o.variant);
        std::vector<std::int64_t> scores(count);
        copy_bytes(where, scores.data(), to.data(), pairs * index_t{sizeof(std::int64_t)});
        return scores;
    }
    /// Each score against the reference's of its pair alone; of large pairs against cpu/tiles.
    void expect_reference(const execution& where, const model& m, const std::string& row) const {
        alignment_options o = m.options;
        o.task = alignment_task::score;
        o.variant = row;
        std::vector<std::int64_t> got;
        try {
            got = scores(where, o);
        } catch (const unsupported_variant& e) {  // rows of vectors need a mismatch of at most 0
            ASSERT_NE(backend_of(where), backend::cuda) << e.what();
            return;
        }
        for (std::size_t k = 0; k < got.size(); ++k) {
            const std::string &q = texts_[0][k], &t = texts_[1][k];
            const bool large = q.size() * t.size() > 1'000'000;
            o.variant = large ? "tiles" : "automatic";
            const execution truth = large ? execution(on_cpu{}) : execution(on_reference{});
            ASSERT_EQ(got[k], align(truth, q, t, o).score)
                << m.what << ", pair " << k << ": " << q.size() << " x " << t.size();
        }
    }

private:
    std::vector<std::string> texts_[2];
};

struct alignment_batches : row_test {
    void SetUp() override {
        row_test::SetUp();
        if (IsSkipped()) return;
        try {
            (void)batch_of_pairs().scores(where(), {.variant = GetParam().name});
        } catch (const unsupported_variant& e) {
            GTEST_SKIP() << e.what();
        }
    }
    static void expect_reference(const batch_of_pairs& pairs, const model& m) {
        for (const int threads : thread_counts()) pairs.expect_reference(where(threads), m, GetParam().name);
    }
    static void expect_reference(const batch_of_pairs& pairs) {
        for (const model& mode : modes())
            for (const prices& p : gap_models()) {
                expect_reference(pairs, priced(mode, p));
                if (HasFatalFailure()) return;
            }
    }
};

TEST_P(alignment_batches, agree_with_pairs) {
    batch_of_pairs pairs;
    for (unsigned k = 0; k < 70; ++k)
        pairs.add(letters_of(k * 13 % 300, "ARNDCQEGHILKMFPSTWYV", 2 * k),
                  letters_of(k * 21 % 300, "ARNDCQEGHILKMFPSTWYV", 2 * k + 1));
    for (const model& mode : modes()) {
        expect_reference(pairs, priced(mode, {"BLOSUM62", substitution_matrix::named("BLOSUM62"), 11, 1}));
        if (HasFatalFailure()) return;
    }
}

TEST_P(alignment_batches, all_short_pairs) {
    batch_of_pairs pairs;
    for (const std::string& q : strings_over("AB", 4))
        for (const std::string& t : strings_over("AB", 4)) pairs.add(q, t);
    expect_reference(pairs);
}

/// Queries of every number of lanes and rows of a lane, and of several strips of rows.
TEST_P(alignment_batches, lengths_at_the_edges_of_bins) {
    batch_of_pairs pairs;
    for (std::size_t m = 1; m <= 2048; m *= 2)
        for (const std::size_t size : {m - 1, m, m + 1, m + m / 2, m + m / 2 + 1}) {
            const std::string query = letters_of(size, "ABC", static_cast<unsigned>(m));
            pairs.add(query, changed(query, 9, "ABC", 11).substr(0, 90));
            pairs.add(query, letters_of(size % 67, "ABC", 12));
        }
    for (const model& mode : modes())
        for (const prices& p : {gap_models()[2], gap_models()[7]}) {
            expect_reference(pairs, priced(mode, p));
            if (HasFatalFailure()) return;
        }
}

/// Scores at the edges of 16 and 32 bits, found by length: a bound decides which cells a pair gets.
TEST_P(alignment_batches, edges_of_cells) {
    for (const auto& [match, open, extend] : std::initializer_list<std::array<int, 3>>{
             {127, 11, 1}, {100, 7999, 13}, {120, 3, 0}, {1'000'000, 1'000'000, 500'000}}) {
        batch_of_pairs pairs;
        for (const std::size_t size : {255, 256, 257, 258, 259, 321, 327, 328, 400, 513, 546, 600, 1100}) {
            const std::string same = letters_of(size, "AB", 6);
            pairs.add(same, same);
            pairs.add(same, std::string(size, 'C'));
            pairs.add(same, changed(same, 7, "AB", 7));
        }
        const substitution_matrix matrix(match - (match < 128 ? 2 * extend : 0), match < 128 ? -100 : -match);
        for (const model& mode : {modes()[0], modes()[1], modes()[6], modes()[14], modes()[17]}) {
            expect_reference(pairs, priced(mode, {"match " + std::to_string(match), matrix, open, extend}));
            if (HasFatalFailure()) return;
        }
    }
}

/// More letters than a table of the device's shared memory has, and a long pair beside short ones.
TEST_P(alignment_batches, many_letters_and_long_pairs) {
    std::string all;
    for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
    batch_of_pairs pairs, of_two_letters;
    for (unsigned k = 0; k < 20; ++k) pairs.add(letters_of(40 * k, all, k), letters_of(600 - 30 * k, all, k));
    const std::string target = letters_of(9000, "ACGT", 13);
    of_two_letters.add(changed(target, 12, "ACGT", 14), target);
    of_two_letters.add("A", target);
    of_two_letters.add(target, "");
    of_two_letters.add(target, "GATTACA");
    for (const model& mode : {modes()[0], modes()[1], modes()[14], modes()[17]}) {
        expect_reference(pairs, priced(mode, {"affine", {3, -2}, 4, 1}));
        expect_reference(of_two_letters, priced(mode, {"affine", {2, -3}, 5, 2}));
        if (HasFatalFailure()) return;
    }
}

TEST_P(alignment_batches, letters_outside_the_matrix_are_named) {
    batch_of_pairs pairs;
    pairs.add("AC", "CA");
    pairs.add("A", "CA?");
    try {
        (void)pairs.scores(where(), {.variant = GetParam().name, .matrix = {"AC", {1, 0, 0, 1}}});
        ADD_FAILURE() << "not refused";
    } catch (const bad_argument& e) {
        EXPECT_STREQ(e.what(), "target: byte 63 at 2, expected a letter of the matrix, which has no '*'");
    }
}

INSTANTIATE_TEST_SUITE_P(rows, alignment_batches, testing::ValuesIn(rows_of(wavefront::align_batch_rows)),
                         test_name);

}  // namespace
}  // namespace wale::agreement
