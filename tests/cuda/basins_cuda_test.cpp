// basins_cuda_test - cuda/basins on images made to break it: as many basins as pixels allow, plateaus, long
// chains of rising saddles, every arrangement of a ring, a caller's stream, and the same bits again and
// again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>

#include "agreement/images.hpp"
#include "solvers/reconstruction/reconstruct/cuda/basins/links.cuh"
#include "solvers/reconstruction/reconstruct/cuda/basins/tuning.hpp"
#include "solvers/reconstruction/study/inputs.hpp"

namespace {

using namespace wale;
using namespace wale::agreement;
using reconstruction::image_size;

const execution device = on_cuda{};

void expect_agrees(const specimen& s, int connectivity, bool asynchronous = false) {
    SCOPED_TRACE(s.what + ", connectivity " + std::to_string(connectivity));
    std::string refusal;
    const auto found = ask(device, "cuda/basins",
                           {.s = &s, .connectivity = connectivity, .asynchronous = asynchronous}, &refusal);
    ASSERT_TRUE(found.has_value()) << refusal;
    EXPECT_EQ(difference_text(s.shape, *found, widest_paths(s, connectivity)), "");
}

class Basins : public ::testing::Test {
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
};

/// Half of all pixels are maxima by 4-connectivity; a quarter, 2 x 2 apart, by 8.
TEST_F(Basins, AsManyBasinsAsPixelsAllow) {
    const image_size size{.planes = 1, .rows = 140, .columns = 200};
    const raster shape = shape_of(pixel::u8, size.rows, size.columns);
    expect_agrees(corner_specimen("checkerboard", shape, reconstruction::checkerboard(size)), 4);
    std::vector<std::uint8_t> dots(static_cast<std::size_t>(size.pixels()));
    for (std::size_t i = 0; i < dots.size(); ++i)
        dots[i] = static_cast<std::uint8_t>(i / 200 % 2 == 0 && i % 2 == 0 ? 200 + i % 7 : i % 5);
    expect_agrees(dome_specimen("dots", shape, dots, 30), 8);
    expect_agrees(border_specimen("dots", shape, dots), 8);
    std::vector<std::uint8_t> cubes(20 * 20 * 70);
    for (std::size_t i = 0; i < cubes.size(); ++i)
        cubes[i] = static_cast<std::uint8_t>((i / 1400 + i / 70 % 20 + i) % 2 == 0 ? 90 + i % 11 : i % 13);
    const raster volume = shape_of(pixel::u8, 20, 70, 20);
    for (const int connectivity : {6, 18, 26})
        expect_agrees(dome_specimen("cubes", volume, cubes, 50), connectivity);
}

/// Saddles that rise along one corridor: each basin hooks to the next, one chain through all tiles.
TEST_F(Basins, ChainsOfRisingSaddles) {
    for (const pixel type : {pixel::u16, pixel::i32, pixel::f32, pixel::f64}) {
        specimen s{"rising saddles", shape_of(type, 3, 6001), values(3 * 6001, 0), values(3 * 6001, 0)};
        for (std::size_t i = 0; i < 6001; ++i)
            s.mask[6001 + i] = i % 2 == 0 ? 30000 + static_cast<double>(i) : 1 + static_cast<double>(i);
        s.marker[6001 + 6000] = s.mask[6001 + 6000];
        expect_agrees(s, 4);
        std::reverse(s.mask.begin(), s.mask.end());
        std::reverse(s.marker.begin(), s.marker.end());
        expect_agrees(s, 8);
    }
}

TEST_F(Basins, PlateausAndTies) {
    std::mt19937 random(5);
    for (const int levels : {1, 2, 3}) {
        std::vector<std::uint8_t> mask(150 * 133);
        for (std::uint8_t& v : mask) v = static_cast<std::uint8_t>(random() % static_cast<unsigned>(levels));
        for (const pixel type : {pixel::u8, pixel::i32, pixel::f64})
            for (const int connectivity : {4, 8}) {
                expect_agrees(border_specimen("ties", shape_of(type, 150, 133), mask), connectivity);
                expect_agrees(dome_specimen("ties", shape_of(type, 150, 133), mask, 1), connectivity);
            }
    }
}

TEST_F(Basins, Corridors) {
    const image_size size{.planes = 1, .rows = 255, .columns = 255};
    const raster shape = shape_of(pixel::u8, 255, 255);
    for (const int connectivity : {4, 8}) {
        expect_agrees(corner_specimen("spiral", shape, reconstruction::spiral(size)), connectivity);
        expect_agrees(corner_specimen("Hilbert", shape, reconstruction::hilbert_corridor(size)),
                      connectivity);
        expect_agrees(corner_specimen("comb", shape, reconstruction::comb(size)), connectivity, true);
    }
}

/// The join by one resident block, whose walks stop after one step: all chains are shortened by passes.
TEST_F(Basins, OneBlockThatWalksOneStep) {
    if (!tuning::compiled(reconstruction::basins::join_policies, 1, 4))
        GTEST_SKIP() << "only a build with -DWALE_TUNING_ROWS=ON has this row";
    ASSERT_EQ(setenv("WALE_TUNING", "reconstruction/reconstruct/basins_join=1", 1), 0);
    const image_size size{.planes = 1, .rows = 255, .columns = 255};
    expect_agrees(corner_specimen("spiral", shape_of(pixel::u8, 255, 255), reconstruction::spiral(size)), 4);
    specimen s{"rising saddles", shape_of(pixel::f64, 3, 6001), values(3 * 6001, 0), values(3 * 6001, 0)};
    for (std::size_t i = 0; i < 6001; ++i)
        s.mask[6001 + i] = i % 2 == 0 ? 30000 + static_cast<double>(i) : 1 + static_cast<double>(i);
    s.marker[6001 + 6000] = s.mask[6001 + 6000];
    expect_agrees(s, 4);
    expect_agrees(random_specimen(shape_of(pixel::f32, 300, 411), spread::many, 4), 8);
    unsetenv("WALE_TUNING");
}

/// Any order of blocks and atomics gives the same bits.
TEST_F(Basins, TheSameBitsAgain) {
    const raster shape = shape_of(pixel::f32, 300, 411);
    const specimen s = random_specimen(shape, spread::many, 3);
    std::string refusal;
    const question q{.s = &s, .connectivity = 8};
    const auto first = ask(device, "cuda/basins", q, &refusal);
    ASSERT_TRUE(first.has_value()) << refusal;
    for (int again = 0; again < 30; ++again) ASSERT_EQ(*first, *ask(device, "cuda/basins", q, &refusal));
}

TEST_F(Basins, RefusesImagesBeyondItsAddresses) {
    reconstruction::reconstruct_job job;
    job.mask = {nullptr, shape_of(pixel::u8, index_t{1} << 20, (index_t{1} << 12) + 1)};
    for (const auto& row : reconstruction::reconstruct_rows().rows)
        if (std::string(row.name) == "cuda/basins") {
            EXPECT_NE(row.refusal(job).find("2^32"), std::string::npos);
            job.mask.columns -= 1;
            EXPECT_EQ(row.refusal(job), "");
        }
}

/// The saddles of every ring, against a flood of its parts: one edge to each part but the parent's, inside
/// the tile where the part is there too.
template <int Reach>
void expect_saddles_of_all_rings() {
    using link = reconstruction::basins::flat_link<Reach>;
    constexpr std::uint32_t tiles[] = {0xff, 0x3e, 0xe3, 0xf8, 0x8f, 0x38, 0xe0, 0x83, 0x0e};
    for (const std::uint32_t inside : tiles)
        for (std::uint32_t up = 0; up < 256; ++up) {
            int part[8];
            std::iota(part, part + 8, 0);
            const auto joined = [&](int a, int b) {
                if ((up >> a & up >> b & 1u) != 0) std::replace(part, part + 8, int{part[a]}, int{part[b]});
            };
            for (int k = 0; k < 8; ++k) {
                joined(k, (k + 1) % 8);
                if (Reach == 2 && k % 2 == 1) joined(k, (k + 2) % 8);
            }
            for (int parent = -1; parent < 8; ++parent) {
                const std::uint32_t choices = up & link::near & inside;
                if (parent < 0 ? choices != 0 : (choices >> parent & 1u) == 0) continue;
                const std::uint32_t bit = parent < 0 ? 0 : 1u << parent;
                const std::uint32_t found = link::saddles(up, bit, inside);
                ASSERT_EQ(found & ~(up & link::near), 0u);
                for (int p = 0; p < 8; ++p) {
                    std::uint32_t members = 0;
                    for (int k = 0; k < 8; ++k)
                        if ((up >> k & 1u) != 0 && part[k] == p) members |= 1u << k;
                    if ((members & link::near) == 0 || (members & bit) != 0) continue;
                    ASSERT_NE(found & members, 0u) << up << " parent " << parent << " inside " << inside;
                    ASSERT_TRUE(link::may_join(up, bit));
                    if ((members & link::near & inside) != 0) {
                        ASSERT_EQ(found & members & ~inside, 0u);
                    }
                }
            }
        }
}
TEST(BasinsLinks, SaddlesOfAllRings) {
    expect_saddles_of_all_rings<1>();
    expect_saddles_of_all_rings<2>();
}

}  // namespace
