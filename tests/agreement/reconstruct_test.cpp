// reconstruct_test - every row of reconstruct, host and CUDA, against an oracle that shares nothing with the
// library, through the public API.
#include <gtest/gtest.h>

#include "agreement/reconstruct_rows.hpp"
#include "solvers/reconstruction/study/inputs.hpp"

namespace wale::agreement {
namespace {

using reconstruction::image_size;
using enum reconstruction_method;

constexpr pixel all_types[] = {pixel::bit, pixel::boolean, pixel::u8, pixel::u16,
                               pixel::i32, pixel::f32,     pixel::f64};
constexpr pixel grey_types[] = {pixel::u8, pixel::u16, pixel::i32, pixel::f32, pixel::f64};

/// A row that refuses whatever it is asked would pass everything else.
TEST_P(Reconstruct, TakesSomething) {
    int ran = 0;
    for (const raster& shape :
         {shape_of(pixel::u8, 40, 70), shape_of(pixel::u8, 40, 70, 3), shape_of(pixel::bit, 40, 70)}) {
        const specimen s = random_specimen(shape, spread::few, 1);
        std::string refusal;
        ran += ask(where(), GetParam().name, {.s = &s}, &refusal).has_value();
    }
    EXPECT_GT(ran, 0);
}

TEST_P(Reconstruct, AllThreeByThree) {
    for (const pixel type : {pixel::bit, pixel::boolean, pixel::f32}) {
        const specimen s = all_three_by_three(type);
        for (const int connectivity : {4, 8})
            expect_agrees(s, {.connectivity = connectivity, .gap = connectivity == 4});
    }
}

/// Every pair of sizes at the edges of words, vectors, warps and tiles; what else varies takes turns.
TEST_P(Reconstruct, EdgeSizes) {
    constexpr index_t sizes[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129};
    unsigned turn = 0;
    for (const pixel type : all_types)
        for (const index_t rows : sizes)
            for (const index_t columns : sizes) {
                ++turn;
                if (rows + columns > 160 && turn % 5 != 0) continue;
                const auto how = static_cast<spread>(turn % 3);
                const specimen s = random_specimen(shape_of(type, rows, columns), how, turn);
                expect_agrees(s, {.method = turn / 2 % 2 == 0 ? dilation : erosion,
                                  .connectivity = turn % 2 == 0 ? 4 : 8,
                                  .gap = turn % 4 == 3 ? 1 + turn % 7 : 0,
                                  .in_place = turn % 7 == 0});
            }
}

TEST_P(Reconstruct, ExtremeValues) {
    unsigned seed = 7;
    for (const pixel type : grey_types)
        for (const int connectivity : {4, 8})
            for (const auto method : {dilation, erosion}) {
                const specimen s = random_specimen(shape_of(type, 45, 77), spread::extreme, ++seed);
                expect_agrees(s, {.method = method, .connectivity = connectivity});
            }
}

TEST_P(Reconstruct, Corridors) {
    const image_size size{.planes = 1, .rows = 97, .columns = 127};
    const std::pair<const char*, std::vector<std::uint8_t>> masks[] = {
        {"serpentine", reconstruction::serpentine(size)},
        {"serpentine, columns", reconstruction::serpentine({.planes = 1, .rows = 127, .columns = 97})},
        {"spiral", reconstruction::spiral(size)},
        {"comb", reconstruction::comb(size)},
        {"Hilbert", reconstruction::hilbert_corridor({.planes = 1, .rows = 63, .columns = 63})},
        {"checkerboard", reconstruction::checkerboard(size)},
        {"percolation", reconstruction::percolation(size, 59, 3)},
        {"flat", std::vector<std::uint8_t>(97 * 127, 255)}};
    for (const auto& [what, mask] : masks)
        for (const pixel type : {pixel::bit, pixel::u8, pixel::u16, pixel::f32}) {
            const bool hilbert = mask.size() == 63 * 63, tall = std::string_view(what).ends_with("columns");
            const raster shape =
                hilbert ? shape_of(type, 63, 63) : shape_of(type, tall ? 127 : 97, tall ? 97 : 127);
            const specimen s = corner_specimen(what, shape, mask);
            for (const int connectivity : {4, 8})
                expect_agrees(
                    s, {.method = connectivity == 4 ? dilation : erosion, .connectivity = connectivity});
        }
}

/// Several tiles and bands of every row: domes and holes of tissue, and the field that is hard.
TEST_P(Reconstruct, GreyImages) {
    const image_size size{.planes = 1, .rows = 333, .columns = 517};
    const auto tissue = reconstruction::blots(size, 5);
    const auto field = reconstruction::high_bytes(reconstruction::smooth_field(size, 9, 6));
    for (const pixel type : {pixel::u8, pixel::u16, pixel::f32}) {
        const raster shape = shape_of(type, size.rows, size.columns);
        const specimen all[] = {dome_specimen("domes of blots", shape, tissue, 40),
                                dome_specimen("domes of a field", shape, field, 40),
                                border_specimen("holes of blots", shape, tissue),
                                border_specimen("holes of a field", shape, field)};
        for (const specimen& s : all)
            expect_agrees(s, {.method = type == pixel::u16 ? erosion : dilation,
                              .connectivity = type == pixel::u16 ? 4 : 8,
                              .in_place = type == pixel::f32});
        expect_agrees(all[2], {.connectivity = 4});
    }
}

/// Few grey levels: wide plateaus that meet.
TEST_P(Reconstruct, Plateaus) {
    const image_size size{.planes = 1, .rows = 130, .columns = 190};
    auto field = reconstruction::high_bytes(reconstruction::smooth_field(size, 3, 11));
    for (std::uint8_t& v : field) v = static_cast<std::uint8_t>(v / 40);
    for (const pixel type : {pixel::u8, pixel::u16, pixel::f32})
        for (const int connectivity : {4, 8})
            for (const int drop : {1, 2, 7})
                expect_agrees(dome_specimen("plateaus", shape_of(type, size.rows, size.columns), field, drop),
                              {.connectivity = connectivity});
}

TEST_P(Reconstruct, Volumes) {
    constexpr index_t shapes[][3] = {{0, 3, 3}, {1, 1, 1},   {1, 9, 40},   {2, 2, 2},   {3, 1, 35},
                                     {5, 7, 0}, {17, 9, 33}, {33, 31, 17}, {2, 65, 64}, {40, 2, 3}};
    unsigned turn = 0;
    for (const pixel type : all_types)
        for (const auto& [planes, rows, columns] : shapes)
            for (const int connectivity : {6, 18, 26}) {
                ++turn;
                const auto how = static_cast<spread>(turn % 3);
                const specimen s = random_specimen(shape_of(type, rows, columns, planes), how, turn);
                expect_agrees(s, {.method = turn / 2 % 2 == 0 ? dilation : erosion,
                                  .connectivity = connectivity,
                                  .gap = turn % 4 == 3 ? 2 : 0,
                                  .in_place = turn % 5 == 0});
            }
}

TEST_P(Reconstruct, SmoothVolume) {
    const image_size size{.planes = 34, .rows = 40, .columns = 65};
    const auto field = reconstruction::high_bytes(reconstruction::smooth_field(size, 2, 8));
    for (const pixel type : {pixel::u8, pixel::f32}) {
        const raster shape = shape_of(type, size.rows, size.columns, size.planes);
        for (const int connectivity : {6, 18, 26}) {
            expect_agrees(dome_specimen("domes", shape, field, 40), {.connectivity = connectivity});
            expect_agrees(border_specimen("holes", shape, field), {.connectivity = connectivity});
        }
    }
}

TEST_P(Reconstruct, Batches) {
    unsigned seed = 100;
    for (const pixel type : all_types)
        for (const index_t images : {0, 1, 5}) {
            const specimen flat = random_specimen(shape_of(type, 37, 70, -1, images), spread::few, ++seed);
            expect_agrees(flat, {.connectivity = 8, .gap = 3});
            expect_agrees(flat, {.connectivity = 4, .in_place = true});
            const specimen volumes =
                random_specimen(shape_of(type, 12, 33, 4, images), spread::many, ++seed);
            expect_agrees(volumes, {.connectivity = 26, .gap = 1});
            expect_agrees(volumes, {.method = erosion, .connectivity = 6});
        }
}

/// The answer is complete once something else on the stream is.
TEST_P(Reconstruct, Asynchronous) {
    if (!on_device()) GTEST_SKIP() << "host rows return when they are done";
    for (const pixel type : {pixel::bit, pixel::u8, pixel::f32}) {
        const specimen s = random_specimen(shape_of(type, 129, 300), spread::many, 9);
        expect_agrees(s, {.connectivity = 8, .asynchronous = true});
    }
}

TEST_P(Reconstruct, ClampsMarkersBeyondTheMask) {
    for (const pixel type : {pixel::bit, pixel::u8, pixel::i32, pixel::f32}) {
        const specimen s = random_specimen(shape_of(type, 50, 61), spread::many, 21);
        const specimen other = random_specimen(s.shape, spread::many, 22);
        specimen wild = s, cut = s;
        for (std::size_t i = 0; i < wild.marker.size(); i += 3) {
            wild.marker[i] = std::max(s.mask[i], other.mask[i]);
            cut.marker[i] = s.mask[i];
        }
        for (const auto method : {dilation, erosion}) {
            const question q{.s = &wild, .method = method, .connectivity = 8, .clamp = true};
            expect_equal(q, cut);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, Reconstruct,
                         testing::ValuesIn(rows_of(reconstruction::reconstruct_rows)), test_name);

}  // namespace
}  // namespace wale::agreement
