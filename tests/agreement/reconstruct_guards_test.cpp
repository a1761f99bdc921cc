// reconstruct_guards_test - what only some rows have: guards that finish an image, waits that end in an
// error, images that are too large, and the saddles of cuda/basins.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "agreement/images.hpp"
#include "solvers/reconstruction/reconstruct/cuda/basins/links.cuh"
#include "solvers/reconstruction/study/inputs.hpp"
#include "tuning/override.hpp"

namespace wale::agreement {
namespace {

using reconstruction::image_size;

/// A row's answer and its report, for a packed specimen.
struct reconstructed {
    values answer;
    reconstruction_result result;
};

reconstructed asked(const execution& where, const char* variant, const specimen& s, int connectivity) {
    stored marker(s.shape, 0, s.marker), mask(s.shape, 0, s.mask), out(s.shape, 0);
    placed_image out_at(where, out);
    const reconstruction_options options{.variant = variant, .connectivity = connectivity};
    const reconstruction_result result = reconstruct(
        where, placed_image(where, marker).view(), placed_image(where, mask).view(), out_at.view(), options);
    out_at.fetch();
    return {out.get(), result};
}

TEST(ReconstructGuards, CpuBitsFinishesABusyImageByItsRuns) {
    constexpr index_t side = 400;
    const auto rows = reconstruction::serpentine({1, side, side});
    std::vector<std::uint8_t> columns(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) columns[i % side * side + i / side] = rows[i];
    const specimen s = corner_specimen("corridors", shape_of(pixel::bit, side, side), columns);
    const reconstructed found = asked(on_cpu{1}, "cpu/bits", s, 4);
    EXPECT_EQ(found.answer, widest_paths(s, 4));
    EXPECT_TRUE(found.result.guarded);
    EXPECT_LT(found.result.run.iterations, 200);  // a sweep for each corridor
}

TEST(ReconstructGuards, RowsOfBitsRefuseWhatABitCannotHold) {
    const specimen s = random_specimen(shape_of(pixel::bit, 2, 2), spread::few, 1);
    const question q{.s = &s, .method = reconstruction_method::erosion, .connectivity = 8};
    std::string refusal;
    const rules below{reconstruction::start_rule::lowered, reconstruction::finish_rule::value, 1};
    EXPECT_FALSE(ask(on_cpu{1}, "cpu/bits", q, below, &refusal).has_value());
    EXPECT_NE(refusal.find("no value beyond 1"), std::string::npos) << refusal;
}

class ReconstructGuardsCuda : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
};

TEST_F(ReconstructGuardsCuda, TilesLeaveACorridorToBasins) {
    const image_size size{.planes = 1, .rows = 517, .columns = 643};
    const specimen s = corner_specimen("corridor", shape_of(pixel::u8, size.rows, size.columns),
                                       reconstruction::serpentine(size));
    const tuning::scoped_override tight("reconstruction/tiles/budget=200");
    const reconstructed found = asked(on_cuda{}, "cuda/tiles", s, 4);
    EXPECT_EQ(found.answer, widest_paths(s, 4));
    EXPECT_TRUE(found.result.guarded);
}

/// A marker in one corner of a constant mask: every tile is woken by another.
void expect_lost_wake_ends_in_an_error(const char* variant, const raster& shape, const std::string& lost) {
    const auto pixels = static_cast<std::size_t>(shape.pixels());
    const specimen s = corner_specimen("constant", shape, std::vector<std::uint8_t>(pixels, 255));
    {
        const tuning::scoped_override withheld(lost);
        bool failed = false;
        for (int k = 0; k < 20 && !failed; ++k) {  // the first visit may happen to come after the wake
            try {
                (void)asked(on_cuda{}, variant, s, 0);
            } catch (const device_error&) {
                failed = true;
            }
        }
        EXPECT_TRUE(failed);
    }
    EXPECT_EQ(asked(on_cuda{}, variant, s, 0).answer, s.mask);
}

TEST_F(ReconstructGuardsCuda, ALostWakeOfTilesEndsInAnError) {
    expect_lost_wake_ends_in_an_error("cuda/tiles", shape_of(pixel::u8, 517, 643),
                                      "reconstruction/tiles/withhold=20,reconstruction/tiles/jitter=1");
}

TEST_F(ReconstructGuardsCuda, ALostWakeOfVolumesEndsInAnError) {
    expect_lost_wake_ends_in_an_error("cuda/tiles_3d", shape_of(pixel::u8, 64, 64, 32),
                                      "reconstruction/tiles_3d/withhold=4");
}

TEST_F(ReconstructGuardsCuda, BasinsRefuseImagesBeyondTheirAddresses) {
    reconstruction::reconstruct_job job;
    job.mask = {nullptr, shape_of(pixel::u8, index_t{1} << 20, (index_t{1} << 12) + 1)};
    const auto& rows = reconstruction::reconstruct_rows().rows;
    const auto basins = std::find_if(rows.begin(), rows.end(),
                                     [](const auto& r) { return r.name == std::string("cuda/basins"); });
    ASSERT_NE(basins, rows.end());
    EXPECT_NE(basins->refusal(job).find("2^32"), std::string::npos);
    job.mask.columns -= 1;
    EXPECT_EQ(basins->refusal(job), "");
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
TEST(ReconstructGuards, BasinsFindTheSaddlesOfAllRings) {
    expect_saddles_of_all_rings<1>();
    expect_saddles_of_all_rings<2>();
}

}  // namespace
}  // namespace wale::agreement
