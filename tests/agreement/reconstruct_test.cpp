// reconstruct_test - every row of reconstruct, host and CUDA, against an oracle that shares nothing with the
// library, through the public API.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "agreement/reconstruct_rows.hpp"
#include "solvers/reconstruction/study/inputs.hpp"
#include "unit/thrown.hpp"

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
         {shape_of(pixel::u8, 40, 70), shape_of(pixel::u8, 40, 70, 3), shape_of(pixel::bit, 40, 70),
          shape_of(pixel::f64, 40, 70), shape_of(pixel::f64, 40, 70, 3)}) {
        const specimen s = random_specimen(shape, spread::few, 1);
        if (!is_compiled(s)) continue;
        std::string refusal;
        ran += ask(where(), row().name, {.s = &s}, &refusal).has_value();
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
    constexpr index_t shapes[][3] = {{0, 3, 3},   {1, 1, 1},   {1, 9, 40},   {2, 2, 2},   {3, 1, 35},
                                     {5, 7, 0},   {17, 9, 33}, {33, 31, 17}, {2, 65, 64}, {40, 2, 3},
                                     {8, 32, 32}, {9, 70, 75}, {17, 33, 140}};
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
            const specimen volumes = random_specimen(shape_of(type, 12, 33, 4, images), spread::many, ++seed);
            expect_agrees(volumes, {.connectivity = 26, .gap = 1});
            expect_agrees(volumes, {.method = erosion, .connectivity = 6});
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

/// Half of all pixels are maxima by 4-connectivity; a quarter, 2 x 2 apart, by 8.
TEST_P(Reconstruct, AsManyMaximaAsPixelsAllow) {
    const image_size size{.planes = 1, .rows = 140, .columns = 200};
    const raster shape = shape_of(pixel::u8, size.rows, size.columns);
    expect_agrees(corner_specimen("checkerboard", shape, reconstruction::checkerboard(size)),
                  {.connectivity = 4});
    std::vector<std::uint8_t> dots(static_cast<std::size_t>(size.pixels()));
    for (std::size_t i = 0; i < dots.size(); ++i)
        dots[i] = static_cast<std::uint8_t>(i / 200 % 2 == 0 && i % 2 == 0 ? 200 + i % 7 : i % 5);
    expect_agrees(dome_specimen("dots", shape, dots, 30), {.connectivity = 8});
    expect_agrees(border_specimen("dots", shape, dots), {.connectivity = 8});
    std::vector<std::uint8_t> cubes(20 * 20 * 70);
    for (std::size_t i = 0; i < cubes.size(); ++i)
        cubes[i] = static_cast<std::uint8_t>((i / 1400 + i / 70 % 20 + i) % 2 == 0 ? 90 + i % 11 : i % 13);
    const raster volume = shape_of(pixel::u8, 20, 70, 20);
    for (const int connectivity : {6, 18, 26})
        expect_agrees(dome_specimen("cubes", volume, cubes, 50), {.connectivity = connectivity});
}

/// Saddles that rise along one corridor: each basin joins the next, in one chain through all tiles.
TEST_P(Reconstruct, ChainsOfRisingSaddles) {
    constexpr index_t length = 6001;
    for (const pixel type : {pixel::u16, pixel::i32, pixel::f32, pixel::f64}) {
        specimen s{"rising saddles", shape_of(type, 3, length), values(3 * length, 0), values(3 * length, 0)};
        for (std::size_t i = 0; i < length; ++i)
            s.mask[length + i] = i % 2 == 0 ? 30000 + static_cast<double>(i) : 1 + static_cast<double>(i);
        s.marker[length + length - 1] = s.mask[length + length - 1];
        expect_agrees(s, {.connectivity = 4});
        std::reverse(s.mask.begin(), s.mask.end());
        std::reverse(s.marker.begin(), s.marker.end());
        expect_agrees(s, {.connectivity = 8});
    }
}

/// One, two and three levels at random: ties everywhere.
TEST_P(Reconstruct, Ties) {
    std::mt19937 random(5);
    for (const unsigned levels : {1, 2, 3}) {
        std::vector<std::uint8_t> mask(150 * 133);
        for (std::uint8_t& v : mask) v = static_cast<std::uint8_t>(random() % levels);
        for (const pixel type : {pixel::u8, pixel::i32, pixel::f64})
            for (const int connectivity : {4, 8}) {
                const raster shape = shape_of(type, 150, 133);
                expect_agrees(border_specimen("ties", shape, mask), {.connectivity = connectivity});
                expect_agrees(dome_specimen("ties", shape, mask, 1), {.connectivity = connectivity});
            }
    }
}

/// Words, tiles of words and one pixel more or less; and several images of several tiles.
TEST_P(Reconstruct, BinaryImagesOfManyWords) {
    std::mt19937 random(1);
    const auto sparse = [&](const raster& shape, double open) {
        std::bernoulli_distribution in_mask(open), in_marker(0.01);
        specimen s{"random bits", shape, {}, {}};
        for (index_t i = 0; i < shape.pixels(); ++i) {
            s.mask.push_back(in_mask(random) ? 1 : 0);
            s.marker.push_back(s.mask.back() != 0 && in_marker(random) ? 1 : 0);
        }
        return s;
    };
    for (const pixel type : {pixel::bit, pixel::boolean}) {
        for (const index_t columns : {255, 256, 257, 511, 512, 513, 700})
            for (const index_t rows : {1, 2, 33})
                for (const int connectivity : {4, 8})
                    expect_agrees(
                        sparse(shape_of(type, rows, columns), 0.62),
                        {.method = rows == 2 ? erosion : dilation, .connectivity = connectivity, .gap = 1});
        for (const double open : {0.4, 0.6, 0.9})
            for (const int connectivity : {4, 8})
                expect_agrees(sparse(shape_of(type, 140, 300, -1, 2), open),
                              {.connectivity = connectivity, .gap = 8, .in_place = open == 0.6});
    }
}

/// Floors there and back, stairs between them: a way that visits many tiles, one after the other, many times.
TEST_P(Reconstruct, CorridorThroughAVolume) {
    const raster shape = shape_of(pixel::u8, 67, 69, 21);
    std::vector<std::uint8_t> walls;
    for (index_t p = 0; p < shape.planes; ++p)
        for (index_t y = 0; y < shape.rows; ++y)
            for (index_t x = 0; x < shape.columns; ++x) {
                const bool hall = p % 2 == 0 && y % 2 == 0,
                           turn = p % 2 == 0 && x == (y % 4 == 1 ? shape.columns - 1 : 0);
                const bool stairs = p % 2 == 1 && x == 0 && y == (p % 4 == 1 ? shape.rows - 1 : 0);
                walls.push_back(hall || turn || stairs ? 200 : 0);
            }
    const specimen s = corner_specimen("corridor", shape, walls);
    for (const int connectivity : {6, 26}) expect_agrees(s, {.connectivity = connectivity});
}

/// Any order of threads, blocks and atomics gives the same bits.
TEST_P(Reconstruct, TheSameBitsAgain) {
    for (const index_t planes : {-1, 8}) {
        const specimen s = random_specimen(shape_of(pixel::f32, 100, 211, planes), spread::many, 3);
        const question q{.s = &s, .connectivity = planes < 0 ? 8 : 26};
        if (!is_compiled(s)) continue;
        std::string refusal;
        const auto first = ask(where(3), row().name, q, &refusal);
        const int times = GetParam().where == backend::cuda ? 20 : 5;
        for (int again = 0; first && again < times; ++again)
            ASSERT_EQ(*first, *ask(where(3), row().name, q, &refusal));
    }
}

/// The first pixel that must not be, row by row, and the number of them.
TEST_P(Reconstruct, FindsWhatMustNotBe) {
    const raster shape = shape_of(pixel::f32, 7, 600, 5, 2);
    specimen s{"", shape, values(42000, 0), values(42000, 0)};
    const auto number = [&](index_t image, index_t plane, index_t line, index_t column) {
        return static_cast<std::size_t>(((image * 5 + plane) * 7 + line) * 600 + column);
    };
    const auto message = [&]() -> std::string {
        std::string refusal;
        return thrown<bad_argument>([&] { (void)ask(where(3), row().name, {.s = &s, .gap = 1}, &refusal); });
    };
    s.marker[number(1, 2, 3, 599)] = s.marker[number(1, 2, 4, 0)] = 1;
    EXPECT_NE(message().find("2 of 42000"), std::string::npos) << message();
    EXPECT_NE(message().find("image 1, plane 2, row 3, column 599"), std::string::npos) << message();
    s.mask[number(0, 4, 0, 77)] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(message().find("NaN at image 0, plane 4, row 0, column 77"), std::string::npos) << message();
}

/// Rows of devices: host rows return when they are done.
class ReconstructAsynchronous : public Reconstruct {};

/// The answer is complete once something else on the stream is.
TEST_P(ReconstructAsynchronous, IsCompleteInOrderOfTheStream) {
    for (const pixel type : {pixel::bit, pixel::u8, pixel::f32}) {
        const specimen flat = random_specimen(shape_of(type, 129, 300), spread::many, 9);
        expect_agrees(flat, {.connectivity = 8, .asynchronous = true});
        const specimen deep = random_specimen(shape_of(type, 50, 60, 30), spread::many, 10);
        expect_agrees(deep, {.connectivity = 26, .asynchronous = true});
    }
}

std::vector<tried_row> device_rows() {
    std::vector<tried_row> all = tried_rows();
    std::erase_if(all, [](const tried_row& r) { return r.where != backend::cuda; });
    return all;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ReconstructAsynchronous);  // without a plugin
INSTANTIATE_TEST_SUITE_P(Rows, ReconstructAsynchronous, testing::ValuesIn(device_rows()), test_name);
INSTANTIATE_TEST_SUITE_P(Rows, Reconstruct, testing::ValuesIn(tried_rows()), test_name);

}  // namespace
}  // namespace wale::agreement
