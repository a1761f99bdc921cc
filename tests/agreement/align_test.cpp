// align_test - every row of align against the reference, which is compared with a search of
// all alignments: every mode, free end and gap model on all short pairs, then the edges of lanes, tiles and
// cell widths. Each path is scored again by its columns.
#include "alignment_models.hpp"
#include "rows.hpp"
#include "solvers/wavefront/jobs.hpp"
#include "thinned.hpp"

namespace wale::agreement {
namespace {

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

/// Cells of 16 bits hold strips of 256 rows and blocks of 512 columns, of which 64 overlap the next.
bool refused_on_cuda(const alignment_options& o) {
    const substitution_matrix& m = o.matrix;
    index_t highest = std::max({0, m.match(), m.mismatch()});
    if (!m.by_equality()) highest = *std::max_element(m.scores().begin(), m.scores().end());
    const index_t extend = std::min(o.open, o.extend);
    return 576 * (highest + extend) + 2 * o.open + 576 * extend > 32'000 ||
           (256 + 576) * extend + 6 * o.open + 130 > 32'000;
}

bool refused(const alignment_options& o, const std::string& row) {
    if (row == "cpu/wavefronts")
        return o.mode == alignment_mode::local || !o.matrix.by_equality() || o.open > 250 ||
               o.matrix.match() > 250 || 2 * std::min(o.open, o.extend) + o.matrix.match() == 0;
    if (row == "cpu/bit_vector")
        return o.mode != alignment_mode::global || !o.matrix.by_equality() || o.matrix.match() != 0 ||
               o.matrix.mismatch() != -1 || o.open != 1 || o.extend < 1;
    const bool to_byte = o.matrix.match() <= 127 && (o.matrix.mismatch() >= -128 || 2 * o.open + 1 <= 128);
    if (row == "cpu/striped" && (!to_byte || o.open > 32'767)) return true;
    if (row == "cpu/myers_miller") return o.mode != alignment_mode::global;
    if (row == "cuda/strips") return refused_on_cuda(o);
    return (row == "cpu/diagonals" || row == "cpu/striped") && o.mode == alignment_mode::local &&
           o.matrix.by_equality() && o.matrix.mismatch() > 0;
}

std::string fmt_of(index_t band, index_t drop) {
    return ", band " + std::to_string(band) + ", x_drop " + std::to_string(drop);
}

index_t exact_score(const std::string& q, const std::string& t, alignment_options o) {
    o.band = -1;
    return align(on_cpu{}, q, t, o).score;
}

/// Vectors are not on every machine, nor in every instruction set that WALE_INSTRUCTION_SET allows.
struct alignment_row : row_test {
    /// The row of heuristics is exact where its band has all cells.
    static alignment_options by_row(alignment_options o) {
        o.variant = GetParam().name;
        if (o.variant == "cpu/band") o.band = 1'000'000;
        return o;
    }
    void SetUp() override {
        row_test::SetUp();
        if (IsSkipped()) return;
        try {
            (void)asked_bytes(where(), "A", "A", by_row({}));
        } catch (const unsupported_variant& e) {
            GTEST_SKIP() << e.what();
        }
    }
};

TEST(heuristics, equal_the_reference_and_say_so) {
    for (std::size_t size : {0, 1, 2, 5, 40, 150}) {
        const std::string target = letters_of(size, "ABC", 11), query = changed(target, 7, "ABC", 12);
        for (const model& mode : modes())
            for (const prices& p : gap_models())
                for (const auto& [band, drop] : std::initializer_list<std::pair<index_t, index_t>>{
                         {0, -1}, {3, -1}, {-1, 0}, {-1, 9}, {20, 25}, {1000, -1}, {-1, 100'000}}) {
                    if (drop >= 0 && mode.options.mode == alignment_mode::local) continue;
                    model m = priced(mode, p);
                    m.options.band = band;
                    m.options.x_drop = drop;
                    m.what += fmt_of(band, drop);
                    const alignment_result wanted = align(on_reference{}, query, target, m.options),
                                           got = align(on_cpu{}, query, target, m.options);
                    expect_same(m.what, got, wanted);
                    ASSERT_TRUE(got.heuristic && wanted.heuristic);
                    ASSERT_EQ(got.run.variant, "cpu/band");
                    if (drop < 0) expect_scored(m.what, query, target, m.options, got);
                    if (band == 1000) {
                        ASSERT_EQ(got.score, exact_score(query, target, m.options)) << m.what;
                    }
                    if (testing::Test::HasFatalFailure()) return;
                }
    }
    for (const char* row : {"cpu/wavefronts", "cpu/diagonals", "cpu/tiles", "cpu/myers_miller"})
        EXPECT_THROW((void)align(on_cpu{}, "A", "A", {.variant = row, .band = 1}), unsupported_variant);
    EXPECT_THROW((void)align(on_cpu{}, "A", "A", {.band = -2}), bad_argument);
    EXPECT_THROW((void)align(on_cpu{}, "A", "A", {.mode = alignment_mode::local, .x_drop = 1}), bad_argument);
}

struct alignments : alignment_row {
    static alignment_result ask(const std::string& q, const std::string& t, alignment_options o) {
        return asked_bytes(where(), q, t, by_row(o));
    }
    static void scored(const std::string& q, const std::string& t, const model& m,
                       const alignment_result& r) {
        const std::string what = m.what + ": '" + q + "' '" + t + "'";
        expect_scored(what, q, t, m.options, r);
    }
    static void agrees(const std::string& q, const std::string& t, const model& m) {
        if (refused(m.options, GetParam().name) || !asked_here()) return;
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
    const auto strings = strings_over("AB", on_device() ? 3 : 4);  // a call of the device takes longer
    for (const model& mode : modes())
        for (const prices& p : gap_models()) {
            const model m = priced(mode, p);
            if (refused(m.options, GetParam().name)) continue;
            for (const std::string& q : strings)
                for (const std::string& t : strings) {
                    if (!asked_here()) continue;
                    const std::string what = m.what + ": '" + q + "' '" + t + "'";
                    const alignment_result got = ask(q, t, m.options);
                    scored(q, t, m, got);
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
                if (!asked_here(8) || refused(priced_mode.options, GetParam().name)) continue;
                agrees(query, target, priced_mode);
                scored(query, target, priced_mode, ask(query, target, priced_mode.options));
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
                    // The costs of wavefronts rise with the scores.
                    if (size == 600 && match > 3 && GetParam().name == "cpu/wavefronts") continue;
                    // Cells of 16 bits hold no such scores.
                    if (GetParam().name == "cpu/striped" && (open > 20'000 || match > 64)) continue;
                    if (GetParam().name == "cpu/striped" && (size == 600 || open == 20'000) &&
                        match + open > 64)
                        continue;
                    if (size < 600) agrees(same, same, m);
                    agrees(same, changed(same, 9, "AB", 7), m);
                    if (HasFatalFailure()) return;
                }
    }
}

TEST_P(alignments, symbols_of_all_widths) {
    for (const text_pair& p : alphabet_pairs()) {
        if (p.a.size() * p.b.size() > 1'000'000) continue;
        const bool of_bytes = GetParam().name == "cpu/wavefronts" || GetParam().name == "cpu/striped";
        if (p.bytes != 1 && of_bytes) continue;
        asked(where(), p, [&](sequence_view a, sequence_view b) {
            alignment_options o{.task = alignment_task::path, .matrix = {2, -1}, .open = 3};
            if (GetParam().name == "cpu/bit_vector") o = {.task = alignment_task::path};
            const alignment_result wanted = with_symbols(p, [&](const auto& x, const auto& y) {
                return align(on_reference{}, sequence_view(x.data(), std::ssize(x), p.bytes),
                             sequence_view(y.data(), std::ssize(y), p.bytes), o);
            });
            o = by_row(o);
            expect_same(p.what, align(where(), a, b, o), wanted);
            return 0;
        });
        if (HasFatalFailure()) return;
    }
}

TEST_P(alignments, proteins) {
    for (const std::string name :
         {"nuc44", "blosum30", "blosum62", "blosum80", "blosum100", "pam10", "pam250", "pam500"}) {
        const std::string letters = name == "nuc44" ? "ACGTRYSWKMBVHDNu" : "ARNDCQEGHILKMFPSTWYVBZXu-";
        const std::string target = letters_of(700, letters, 8);
        const std::string query = changed(target, 6, letters.substr(0, 16), 9).substr(30, 600);
        for (const model& mode : modes())
            agrees(query, target, priced(mode, {name, substitution_matrix::named(name), 11, 1}));
        if (HasFatalFailure()) return;
    }
}

named_rows align_rows_and_cuts() {
    const named_rows rows = rows_of(wavefront::align_rows);
    return joined(
        {rows, tuned(rows, {{"align", "cpu/myers_miller", "wavefront/align/cpu_myers_miller", {1}}})});
}
INSTANTIATE_TEST_SUITE_P(rows, alignments, testing::ValuesIn(align_rows_and_cuts()), test_name);

}  // namespace
}  // namespace wale::agreement
