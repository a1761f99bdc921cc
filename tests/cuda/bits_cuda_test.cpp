// bits_cuda - cuda/bits against the reference: every tile shape, every width about a word and a tile. Skipped
// without a device.
#include <gtest/gtest.h>

#include "agreement/binary_cases.hpp"
#include "solvers/reconstruction/reconstruct/cuda/bits/tuning.hpp"
#include "tuning_rows.hpp"

namespace wale::reconstruction {
namespace {

class BitsCuda : public testing::TestWithParam<std::size_t> {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
        const std::string row = "reconstruction/reconstruct/bits=" + std::to_string(GetParam());
        ASSERT_EQ(setenv("WALE_TUNING", row.c_str(), 1), 0);
    }
    void TearDown() override { unsetenv("WALE_TUNING"); }

    static void expect_agreement(const binary_case& c) {
        for (const pixel type : {pixel::bit, pixel::boolean})
            EXPECT_EQ(computed(c, type, on_cuda{}, "cuda/bits"),
                      computed(c, type, on_reference{}, "reference/plain"))
                << name_of(type) << " " << c.images << " x " << c.size.rows << " x " << c.size.columns
                << " reach " << c.reach;
    }
};
INSTANTIATE_TEST_SUITE_P(Rows, BitsCuda, testing::ValuesIn(tuning::compiled_rows(bits_tile_policies)));

TEST_P(BitsCuda, EveryImageOfThreeByThree) {
    for (int reach = 1; reach <= 2; ++reach) expect_agreement(every_three_by_three(reach));
}

TEST_P(BitsCuda, EveryWidth) {
    std::mt19937 random(1);
    for (const index_t columns : {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 512, 513})
        for (const index_t rows : {0, 1, 2, 33}) {
            binary_case c;
            c.size = {1, rows, columns};
            c.mask = random_bits(rows * columns, 0.62, random);
            c.marker = random_bits(rows * columns, 0.01, random);
            for_each_rule(c, expect_agreement);
        }
}

TEST_P(BitsCuda, ManyTilesManyImages) {
    std::mt19937 random(2);
    for (const double share : {0.4, 0.6, 0.9}) {
        binary_case c;
        c.size = {1, 140, 300};
        c.images = 2;
        c.gap = 8;  // rows of bytes on 16 bytes
        c.mask = random_bits(c.images * c.size.pixels(), share, random);
        c.marker = random_bits(c.images * c.size.pixels(), 0.001, random);
        for_each_rule(c, expect_agreement);
    }
}

TEST_P(BitsCuda, Corridors) {
    for (const index_t side : {66, 97}) for_each_corridor(side, expect_agreement);
}

TEST_P(BitsCuda, TheAnswerMayReplaceTheMarker) {
    std::mt19937 random(4);
    binary_case c;
    c.size = {1, 150, 377};
    c.mask = random_bits(c.size.pixels(), 0.6, random);
    c.marker = random_bits(c.size.pixels(), 0.01, random);
    for (const pixel type : {pixel::bit, pixel::boolean})
        EXPECT_EQ(computed(c, type, on_cuda{}, "cuda/bits", true),
                  computed(c, type, on_reference{}, "reference/plain", true));
}

}  // namespace
}  // namespace wale::reconstruction
