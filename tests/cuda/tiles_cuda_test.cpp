// tiles_cuda_test - what the agreement tests do not ask of cuda/tiles: one resident block, another order of
// visits, a lost wake, the guard, the caller's stream, many runs.
#include <gtest/gtest.h>

#include <wale/buffer.hpp>
#include <wale/error.hpp>
#include <wale/morphology.hpp>

#include "solvers/reconstruction/study/inputs.hpp"
#include "tuning/override.hpp"

namespace wale {
namespace {

using reconstruction::image_size;

class TilesCuda : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
    static constexpr image_size size{.planes = 1, .rows = 517, .columns = 643};

    static raster shape() {
        raster r;
        r.rows = size.rows;
        r.columns = size.columns;
        r.pack();
        return r;
    }
    /// Reconstruction of `mask` from its corner, or its domes where `corner` is false.
    static std::vector<std::uint8_t> run(const std::string& variant, const std::vector<std::uint8_t>& mask,
                                         bool corner, int connectivity,
                                         reconstruction_result* result = nullptr) {
        const execution on = on_cuda{};
        const auto under = to_device(on, std::span<const std::uint8_t>(mask));
        const std::vector<std::uint8_t> seed = reconstruction::corner_marker(mask);
        const auto marker = to_device(on, std::span<const std::uint8_t>(seed));
        const buffer<std::uint8_t> out(size.pixels(), memory_space::device);
        const reconstruction_options options{.variant = variant, .connectivity = connectivity};
        const const_image_view below(under.data(), shape());
        const image_view to(out.data(), shape());
        const reconstruction_result r =
            corner ? reconstruct(on, const_image_view(marker.data(), shape()), below, to, options)
                   : h_domes(on, below, 40, to, options);
        if (result != nullptr) *result = r;
        std::vector<std::uint8_t> answer(static_cast<std::size_t>(size.pixels()));
        copy_bytes(on, answer.data(), out.data(), size.pixels());
        return answer;
    }
};

TEST_F(TilesCuda, OneResidentBlock) {
    const std::vector<std::uint8_t> mask = reconstruction::percolation(size, 62, 5);
    const auto expected = run("cuda/elementary", mask, true, 4);
    const tuning::scoped_override one("reconstruction/tiles/max_blocks=1");
    EXPECT_EQ(run("cuda/tiles", mask, true, 4), expected);
}

TEST_F(TilesCuda, AnotherOrderWithPauses) {
    const std::vector<std::uint8_t> mask = reconstruction::blots(size, 9);
    for (const int connectivity : {4, 8}) {
        const auto expected = run("cuda/elementary", mask, false, connectivity);
        const tuning::scoped_override other("reconstruction/tiles/jitter=1");
        EXPECT_EQ(run("cuda/tiles", mask, false, connectivity), expected);
    }
}

TEST_F(TilesCuda, ManyRunsGiveTheSameBits) {
    const std::vector<std::uint8_t> mask = reconstruction::blots(size, 11);
    const auto expected = run("cuda/elementary", mask, false, 8);
    for (int i = 0; i < 50; ++i) ASSERT_EQ(run("cuda/tiles", mask, false, 8), expected) << "run " << i;
}

TEST_F(TilesCuda, ALostWakeEndsInAnError) {
    const std::vector<std::uint8_t> mask(static_cast<std::size_t>(size.pixels()), 255);
    const tuning::scoped_override lost("reconstruction/tiles/withhold=20,reconstruction/tiles/jitter=1");
    EXPECT_THROW((void)run("cuda/tiles", mask, true, 8), device_error);
}

TEST_F(TilesCuda, TheGuardFinishesACorridor) {
    const std::vector<std::uint8_t> mask = reconstruction::serpentine(size);
    const auto expected = run("cuda/elementary", mask, true, 4);
    const tuning::scoped_override tight("reconstruction/tiles/budget=200");
    reconstruction_result result;
    EXPECT_EQ(run("cuda/tiles", mask, true, 4, &result), expected);
    EXPECT_TRUE(result.guarded);
}

TEST_F(TilesCuda, AsynchronousOnTheDefaultStream) {
    const std::vector<std::uint8_t> mask = reconstruction::blots(size, 13);
    const auto expected = run("cuda/elementary", mask, false, 8);
    const execution on = on_cuda{};
    const auto under = to_device(on, std::span<const std::uint8_t>(mask));
    const buffer<std::uint8_t> out(size.pixels(), memory_space::device);
    reconstruction_options options{.variant = "cuda/tiles", .connectivity = 8};
    options.asynchronous = true;
    for (int i = 0; i < 20; ++i)
        (void)h_domes(on, const_image_view(under.data(), shape()), 40, image_view(out.data(), shape()), options);
    std::vector<std::uint8_t> answer(mask.size());
    copy_bytes(on, answer.data(), out.data(), size.pixels());
    EXPECT_EQ(answer, expected);
}

}  // namespace
}  // namespace wale
