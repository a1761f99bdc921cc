// fill_cuda_test - the table kernels whose blocks wait for each other, where waiting could go wrong: one
// resident block, many more tiles than blocks, tiles of every proportion, a signal that never comes,
// unaligned memory, and a thousand runs with one answer.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <wale/wale.hpp>

#include "tuning/override.hpp"
#include "unit/thrown.hpp"

namespace wale {
namespace {

std::vector<std::uint8_t> random_letters(index_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::uint8_t> s(static_cast<std::size_t>(size));
    for (auto& x : s) x = static_cast<std::uint8_t>(random() % 4);
    return s;
}

/// Where the table lies: cells before its first, and after each row.
struct placing {
    index_t offset = 0, padding = 0;
};

/// An LCS table of m x n by a CUDA row, and the plain one.
class fixture {
public:
    fixture(index_t m, index_t n, placing at = {})
        : m_(m),
          n_(n),
          at_(at),
          a_(random_letters(m, 1)),
          b_(random_letters(n, 2)),
          expected_(static_cast<std::size_t>(m * n)),
          device_a_(to_device(where_, std::span<const std::uint8_t>(a_))),
          device_b_(to_device(where_, std::span<const std::uint8_t>(b_))),
          memory_(at.offset + m * (n + at.padding), memory_space::device) {
        (void)wavefront_fill(on_reference{}, std::span<const std::uint8_t>(a_),
                             std::span<const std::uint8_t>(b_),
                             matrix_view<std::int32_t>(expected_.data(), extents<2>{{m, n}}));
    }

    report run(const std::string& variant, tile_shape tile = {}) const {
        const matrix_view<std::int32_t> view(memory_.data() + at_.offset,
                                             {extents<2>{{m_, n_}}, n_ + at_.padding});
        return wavefront_fill(where_, std::span<const std::uint8_t>(device_a_.span()),
                              std::span<const std::uint8_t>(device_b_.span()), view,
                              {.variant = variant, .tile = tile})
            .run;
    }

    std::vector<std::int32_t> table() const {
        std::vector<std::int32_t> all(static_cast<std::size_t>(memory_.size())), cells;
        copy_bytes(where_, all.data(), memory_.data(), std::ssize(all) * index_t{sizeof(std::int32_t)});
        for (index_t i = 0; i < m_; ++i) {
            const auto row = all.begin() + at_.offset + i * (n_ + at_.padding);
            cells.insert(cells.end(), row, row + n_);
        }
        return cells;
    }
    bool is_right() const { return table() == expected_; }

    void poison() const {
        const std::vector<std::int32_t> bad(static_cast<std::size_t>(memory_.size()), -77);
        copy_bytes(where_, memory_.data(), bad.data(), std::ssize(bad) * index_t{sizeof(std::int32_t)});
    }

private:
    on_cuda where_;
    index_t m_, n_;
    placing at_;
    std::vector<std::uint8_t> a_, b_;
    std::vector<std::int32_t> expected_;
    buffer<std::uint8_t> device_a_, device_b_;
    buffer<std::int32_t> memory_;
};

class FillCuda : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        const std::string reason = why_unavailable(backend::cuda);
        if (!reason.empty()) GTEST_SKIP() << reason;
    }
    static bool in_tiles() { return std::string(GetParam()).find("strips") == std::string::npos; }
};

TEST_P(FillCuda, OneResidentBlockFinishes) {
    const tuning::scoped_override one("wavefront/fill/max_blocks=1");
    const fixture f(1500, 2900);
    f.poison();
    (void)f.run(GetParam());
    EXPECT_TRUE(f.is_right());
}

TEST_P(FillCuda, ManyMoreTilesThanBlocks) {
    const tuning::scoped_override two("wavefront/fill/max_blocks=2");
    const fixture f(1000, 5000);
    f.poison();
    (void)f.run(GetParam(), {8, 16});
    EXPECT_TRUE(f.is_right());
}

TEST_P(FillCuda, TilesOfEveryProportion) {
    if (!in_tiles()) GTEST_SKIP() << "works in strips, not in tiles";
    const fixture f(333, 517);
    for (const tile_shape tile :
         {tile_shape{1, 1}, {1, 64}, {64, 1}, {2, 1}, {16, 48}, {48, 16}, {32, 32}, {1000, 3}, {3, 1000}}) {
        f.poison();
        EXPECT_EQ(f.run(GetParam(), tile).policy.substr(0, 5), "tile=");
        EXPECT_TRUE(f.is_right()) << tile.rows << " x " << tile.columns;
    }
}

TEST_P(FillCuda, ThousandRunsOneAnswer) {
    const fixture f(700, 1300);
    for (int k = 0; k < 1000; ++k) {
        if (k % 100 == 0) f.poison();
        (void)f.run(GetParam());
        if (k % 100 == 99) {
            ASSERT_TRUE(f.is_right()) << "run " << k;
        }
    }
}

TEST_P(FillCuda, AWaitThatCannotEndIsAnError) {
    const fixture f(900, 2000);
    {
        const tuning::scoped_override silent("wavefront/fill/withhold=1");
        EXPECT_THROW((void)f.run(GetParam()), device_error);
    }
    f.poison();
    (void)f.run(GetParam());  // and the next call is none the worse
    EXPECT_TRUE(f.is_right());
}

TEST_P(FillCuda, UnalignedBaseAndOddPitch) {
    for (const placing at : {placing{1, 0}, {0, 3}, {3, 1}, {4, 4}, {2, 2}}) {
        const fixture f(211, 1027, at);
        f.poison();
        (void)f.run(GetParam());
        EXPECT_TRUE(f.is_right()) << "offset " << at.offset << ", padding " << at.padding;
    }
}

TEST(SeriesCuda, NotFiniteHasAPosition) {
    const std::string reason = why_unavailable(backend::cuda);
    if (!reason.empty()) GTEST_SKIP() << reason;
    std::vector<float> a(300, 1), b(200, 2);
    std::vector<float> table(a.size() * b.size());
    const auto said = [&] {
        const buffer<float> there = to_device(on_cuda{}, std::span<const float>(a)),
                            other = to_device(on_cuda{}, std::span<const float>(b));
        const buffer<float> cells = to_device(on_cuda{}, std::span<const float>(table));
        return thrown<bad_argument>([&] {
            (void)wavefront_fill(on_cuda{}, std::span<const float>(there.data(), a.size()),
                                 std::span<const float>(other.data(), b.size()),
                                 matrix_view<float>(cells.span().data(), extents<2>{{300, 200}}),
                                 {.kind = recurrence::dtw});
        });
    };
    b[199] = HUGE_VALF;
    EXPECT_EQ(said(), "b: Inf at 199, expected finite numbers");
    a[257] = std::nanf("");
    EXPECT_EQ(said(), "a: NaN at 257, expected finite numbers");
}

INSTANTIATE_TEST_SUITE_P(Rows, FillCuda,
                         testing::Values("cuda/strips_bits", "cuda/strips", "cuda/hyperlane",
                                         "cuda/hyperlane_flags", "cuda/hyperlane_streams"),
                         [](const auto& row) { return std::string(row.param).substr(5); });

}  // namespace
}  // namespace wale
