// bits - cpu/bits against the reference, for words and for bytes, alone and by threads.
#include <gtest/gtest.h>

#include "agreement/binary_cases.hpp"

namespace wale::reconstruction {
namespace {

void expect_agreement(const binary_case& c) {
    for (const pixel type : {pixel::bit, pixel::boolean}) {
        const bytes expected = computed(c, type, on_reference{}, "reference/plain");
        for (const int threads : {1, 3})
            EXPECT_EQ(computed(c, type, on_cpu{threads}, "cpu/bits"), expected)
                << name_of(type) << " " << c.size.planes << " x " << c.size.rows << " x " << c.size.columns
                << " reach " << c.reach << " threads " << threads;
    }
}

/// Row 0: runs only, row 1: sweeps only; both with bands of one line, which no person's image has.
class BitsMethods : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        const std::string row = std::string("reconstruction/reconstruct/cpu_bits=") + GetParam();
        ASSERT_EQ(setenv("WALE_TUNING", row.c_str(), 1), 0);
    }
    void TearDown() override { unsetenv("WALE_TUNING"); }
};
INSTANTIATE_TEST_SUITE_P(Rows, BitsMethods, testing::Values("0", "1"));

TEST(Bits, EveryImageOfThreeByThree) {
    for (int reach = 1; reach <= 2; ++reach) {
        const binary_case c = every_three_by_three(reach);
        EXPECT_EQ(c.images, 19683);  // 3^9
        expect_agreement(c);
    }
}

TEST(Bits, EveryWidth) {
    std::mt19937 random(1);
    for (const index_t columns : {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 511, 512, 513, 700})
        for (const index_t rows : {0, 1, 2, 7, 40}) {
            binary_case c;
            c.size = {1, rows, columns};
            c.mask = random_bits(rows * columns, 0.62, random);
            c.marker = random_bits(rows * columns, 0.01, random);
            for_each_rule(c, expect_agreement);
        }
}

TEST(Bits, VolumesAndBatches) {
    std::mt19937 random(2);
    for (const image_size size : {image_size{1, 5, 70}, image_size{6, 1, 33}, image_size{7, 9, 65},
                                    image_size{5, 6, 130}, image_size{3, 0, 4}})
        for (const index_t images : {0, 1, 3}) {
            binary_case c;
            c.rank = 3;
            c.size = size;
            c.images = images;
            c.mask = random_bits(images * size.pixels(), 0.35, random);
            c.marker = random_bits(images * size.pixels(), 0.03, random);
            for_each_rule(c, expect_agreement);
        }
}

TEST(Bits, Corridors) {
    for (const index_t side : {31, 66, 97}) for_each_corridor(side, expect_agreement);
}

TEST(Bits, TheAnswerMayReplaceTheMarker) {
    std::mt19937 random(4);
    binary_case c;
    c.size = {1, 50, 77};
    c.mask = random_bits(c.size.pixels(), 0.6, random);
    c.marker = random_bits(c.size.pixels(), 0.05, random);
    for (const pixel type : {pixel::bit, pixel::boolean})
        EXPECT_EQ(computed(c, type, on_cpu{2}, "cpu/bits", true),
                  computed(c, type, on_reference{}, "reference/plain", true));
}

TEST_P(BitsMethods, Agree) {
    std::mt19937 random(5);
    for (int rank = 2; rank <= 3; ++rank) {
        binary_case c;
        c.rank = rank;
        c.size = {rank == 3 ? 8 : 1, 24, 150};
        c.mask = random_bits(c.size.pixels(), rank == 3 ? 0.3 : 0.6, random);
        c.marker = random_bits(c.size.pixels(), 0.01, random);
        for_each_rule(c, expect_agreement);
    }
    for_each_corridor(40, expect_agreement);
}

TEST(Bits, ABusyImageIsFinishedByItsRuns) {
    binary_case c;
    c.size = {1, 400, 400};
    c.reach = 1;
    c.mask = transposed(ones_of(serpentine(c.size)), 400);
    c.marker = ones_of(corner_marker(c.mask));
    reconstruction_result result;
    (void)computed(c, pixel::bit, on_cpu{1}, "cpu/bits", false, &result);
    EXPECT_TRUE(result.guarded);
    EXPECT_LT(result.run.iterations, 200);  // a sweep for each corridor
}

TEST(Bits, RefusesWhatABitCannotHold) {
    binary_case c;
    c.size = {1, 2, 2};
    c.mask = {1, 1, 1, 1};
    c.start = start_rule::lowered;
    c.method = reconstruction_method::erosion;
    EXPECT_THROW((void)computed(c, pixel::bit, on_cpu{1}, "cpu/bits"), unsupported_variant);
}

}  // namespace
}  // namespace wale::reconstruction
