// targets_test - the host rows once more with every instruction set that this CPU has, down to plain words:
// on the machine of a developer only the best of them would run.
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

INSTANTIATE_TEST_SUITE_P(wavefront, targets, every_instruction_set(), name_of_set);

}  // namespace
}  // namespace wale::agreement
