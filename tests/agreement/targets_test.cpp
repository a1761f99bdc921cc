// targets_test - the host rows once more with every instruction set that this CPU has, down to plain words:
// on the machine of a developer only the best of them would run.
#include "alignment_modes.hpp"
#include "instruction_sets.hpp"
#include "rows.hpp"

namespace wale::agreement {
namespace {

class targets : public instruction_set_test {
protected:
    static std::vector<text_pair> pairs() {
        std::vector<text_pair> all;
        for (auto& list : {edge_pairs(), alphabet_pairs(), similar_pairs()})
            for (const text_pair& p : list)
                if (p.a.size() * p.b.size() < 6'000'000) all.push_back(p);
        return all;
    }
};

TEST_P(targets, agree_on_lcs_length) {
    for (const text_pair& p : pairs()) {
        const auto of = [&](const execution& on, const char* variant) {
            return asked(on, p,
                         [&](auto a, auto b) { return lcs_length(on, a, b, {.variant = variant}).length; });
        };
        ASSERT_EQ(of(on_cpu{2}, "cpu/skewed_strips"), of(on_reference{}, "reference/plain")) << p.what;
    }
}

TEST_P(targets, agree_on_edit_distance) {
    for (const text_pair& p : pairs()) {
        const auto of = [&](const execution& on, const char* variant) {
            return asked(on, p, [&](auto a, auto b) {
                return edit_distance(on, a, b, {.variant = variant}).distance;
            });
        };
        const index_t expected = of(on_reference{}, "reference/plain");
        ASSERT_EQ(of(on_cpu{2}, "cpu/skewed_strips"), expected) << p.what;
        ASSERT_EQ(of(on_cpu{2}, "cpu/band"), expected) << p.what;
    }
}

TEST_P(targets, agree_on_batches) {
    std::vector<std::uint8_t> data;
    std::vector<index_t> offsets{0};
    for (unsigned k = 0; k < 150; ++k) {
        const auto s = narrowed<std::uint8_t>(random_text(7 * k % 401, k % 2 == 0 ? 4 : 100, k));
        data.insert(data.end(), s.begin(), s.end());
        offsets.push_back(std::ssize(data));
    }
    const index_t count = std::ssize(offsets) - 2;  // each sequence against the next
    const sequence_batch a{data.data(), offsets.data(), count, 1};
    const sequence_batch b{data.data(), offsets.data() + 1, count, 1};
    std::vector<std::int32_t> expected(static_cast<std::size_t>(count)), got(expected);
    lcs_length(on_reference{}, a, b, expected);
    lcs_length(on_cpu{2}, a, b, got, {.variant = "cpu/lanes"});
    EXPECT_EQ(got, expected);
    edit_distance(on_reference{}, a, b, expected);
    edit_distance(on_cpu{2}, a, b, got, {.variant = "cpu/lanes"});
    EXPECT_EQ(got, expected);
}

std::string random_letters(std::size_t size, const std::string& of, unsigned seed) {
    std::string out;
    for (const std::uint32_t x :
         random_text(static_cast<index_t>(size), static_cast<std::uint32_t>(of.size()), seed))
        out += of[x % of.size()];
    return out;
}

/// Every vector's lanes and one more, depths of one vector and of many, cells of 8 and of 16 bits.
TEST_P(targets, agree_on_striped_alignments) {
    const std::string protein = "ARNDCQEGHILKMFPSTWYV";
    unsigned seed = 0;
    for (const std::size_t m : {1, 3, 15, 16, 17, 32, 33, 64, 65, 129, 300})
        for (const std::size_t n : {1, 2, 16, 33, 64, 65, 200, 700})
            for (const bool related : {false, true}) {
                const std::string query = random_letters(m, protein, ++seed);
                const std::string target =
                    (related ? query : std::string()) + random_letters(n, protein, ++seed);
                for (alignment_options o : all_modes()) {
                    if (o.mode == alignment_mode::semi_global && seed % 5 != 0) continue;
                    o.task = alignment_task::path;
                    o.matrix = substitution_matrix::named("blosum62");
                    o.open = 11;
                    const alignment_result wanted = align(on_reference{}, query, target, o);
                    o.variant = "cpu/striped";
                    alignment_result got;
                    try {
                        got = align(on_cpu{1}, query, target, o);
                    } catch (const unsupported_variant& e) {
                        ASSERT_STREQ(e.what(), "cpu/striped: needs vectors");
                        return;
                    }
                    ASSERT_EQ(got.score, wanted.score) << m << " x " << n;
                    ASSERT_EQ(got.cigar(), wanted.cigar()) << m << " x " << n;
                    ASSERT_EQ(got.query_end, wanted.query_end) << m << " x " << n;
                    ASSERT_EQ(got.target_end, wanted.target_end) << m << " x " << n;
                    o.task = alignment_task::score;
                    ASSERT_EQ(align(on_cpu{1}, query, target, o).score, wanted.score) << m << " x " << n;
                }
            }
}

TEST_P(targets, agree_on_long_places) {
    unsigned seed = 0;
    for (const std::size_t m : {257, 504, 505, 1009, 2521})
        for (const double change : {0.0, 0.02, 0.3}) {
            const text query = random_text(static_cast<index_t>(m), 4, ++seed);
            text subject = random_text(333, 4, ++seed);
            const text similar = mutated(query, change, ++seed);
            subject.insert(subject.end(), similar.begin(), similar.end());
            const auto q = narrowed<std::uint8_t>(query), t = narrowed<std::uint8_t>(subject);
            const sequence_view rows(q.data(), std::ssize(q), 1), columns(t.data(), std::ssize(t), 1);
            for (const infix_mode mode : {infix_mode::infix, infix_mode::prefix})
                for (const index_t bound : {index_t{-1}, index_t{70}}) {
                    infix_options o{.mode = mode, .bound = bound};
                    const infix_match wanted = infix_align(on_reference{}, rows, columns, o);
                    o.variant = "cpu/strips";
                    const infix_match got = infix_align(on_cpu{1}, rows, columns, o);
                    ASSERT_EQ(got.distance, wanted.distance) << m << ", bound " << bound;
                    ASSERT_EQ(got.cigar, wanted.cigar) << m << ", bound " << bound;
                    ASSERT_EQ(got.locations.size(), wanted.locations.size()) << m << ", bound " << bound;
                }
        }
}

INSTANTIATE_TEST_SUITE_P(wavefront, targets, every_instruction_set(), name_of_set);

}  // namespace
}  // namespace wale::agreement
