// certificate_test - reconstruction_flaw finds every kind of wrong answer and says where.
#include <gtest/gtest.h>

#include <limits>

#include "agreement/images.hpp"

namespace wale {
namespace {

using agreement::complement;
using agreement::random_specimen;
using agreement::shape_of;
using agreement::specimen;
using agreement::spread;
using agreement::stored;
using agreement::values;
using enum reconstruction_method;

constexpr pixel all_types[] = {pixel::bit, pixel::boolean, pixel::u8, pixel::u16,
                               pixel::i32, pixel::f32,     pixel::f64};

/// The flaw of `result`, given as by dilation.
std::string flaw(const specimen& s, const values& result, int connectivity, reconstruction_method method) {
    const auto turned = [&](const values& v, index_t gap) {
        return stored(s.shape, gap, method == erosion ? complement(s.shape.type, v) : v);
    };
    return reconstruction_flaw(turned(s.marker, 1).view(), turned(s.mask, 0).view(), turned(result, 2).view(),
                               {.method = method, .connectivity = connectivity});
}

TEST(Certificate, SilentOnTheAnswer) {
    unsigned seed = 0;
    for (const pixel type : all_types)
        for (const auto method : {dilation, erosion}) {
            const specimen flat = random_specimen(shape_of(type, 40, 67, -1, 2), spread::few, ++seed);
            for (const int connectivity : {4, 8})
                EXPECT_EQ(flaw(flat, widest_paths(flat, connectivity), connectivity, method), "");
            const specimen volume = random_specimen(shape_of(type, 9, 34, 8), spread::extreme, ++seed);
            for (const int connectivity : {6, 18, 26})
                EXPECT_EQ(flaw(volume, widest_paths(volume, connectivity), connectivity, method), "");
            const specimen nothing = random_specimen(shape_of(type, 0, 5), spread::few, 1);
            EXPECT_EQ(flaw(nothing, nothing.mask, 8, method), "");
        }
}

/// One pixel moved by one value of the image, anywhere: whatever the kind of the error, it is seen.
TEST(Certificate, SeesEveryPixelThatIsMoved) {
    unsigned seed = 50;
    for (const pixel type : all_types)
        for (const auto method : {dilation, erosion})
            for (const int connectivity : {4, 8}) {
                const specimen s = random_specimen(shape_of(type, 5, 34), spread::few, ++seed);
                const values answer = widest_paths(s, connectivity);
                for (std::size_t i = 0; i < answer.size(); ++i)
                    for (const double v : {agreement::lowest_of(type), 0.0, 1.0, 50.0, 150.0}) {
                        if (v == answer[i] || v < agreement::lowest_of(type) ||
                            v > agreement::highest_of(type))
                            continue;
                        values wrong = answer;
                        wrong[i] = v;
                        EXPECT_NE(flaw(s, wrong, connectivity, method), "") << s.what << ", pixel " << i;
                    }
            }
}

/// A fixed point of the dilation that is not the least: a plateau at the mask that no marker reaches.
TEST(Certificate, SeesPlateausThatHover) {
    for (const pixel type : all_types)
        for (const auto method : {dilation, erosion}) {
            specimen s{"two islands", shape_of(type, 70, 90), values(6300), values(6300)};
            for (index_t row = 0; row < 70; ++row)
                for (index_t column = 0; column < 90; ++column)
                    s.mask[static_cast<std::size_t>(90 * row + column)] = column % 30 != 0;
            s.marker[31] = 1;
            const values answer = widest_paths(s, 8);
            EXPECT_EQ(flaw(s, answer, 8, method), "");
            const std::string found = flaw(s, s.mask, 8, method);
            EXPECT_NE(found.find("row 0, column 1: the plateau of"), std::string::npos) << found;
        }
}

/// The corridor bends through every band of threads: only the queue behind the sweeps can follow it.
TEST(Certificate, FollowsCorridors) {
    constexpr index_t rows = 801, columns = 700;
    specimen s{"comb of corridors", shape_of(pixel::u8, rows, columns), values(rows * columns),
               values(rows * columns)};
    for (index_t row = 0; row < rows; ++row)
        for (index_t column = 0; column < columns; ++column) {
            const bool turn = column % 4 == 1 ? row == 0 : column % 4 == 3 && row == rows - 1;
            s.mask[static_cast<std::size_t>(row * columns + column)] = column % 2 == 0 || turn;
        }
    s.marker[0] = 1;
    EXPECT_EQ(flaw(s, s.mask, 8, dilation), "");
    s.marker[0] = 0;
    EXPECT_NE(flaw(s, s.mask, 8, dilation), "");
}

TEST(Certificate, SaysWhatIsWrong) {
    const values marker{0, 4, 0, 0, 0, 0}, mask{9, 5, 3, 2, 6, 3};
    const specimen s{"six pixels", shape_of(pixel::i32, 2, 3), marker, mask};
    const values answer = widest_paths(s, 4);
    EXPECT_EQ(answer, (values{4, 4, 3, 2, 4, 3}));
    const auto with = [&](std::size_t at, double v) {
        values wrong = answer;
        wrong[at] = v;
        return flaw(s, wrong, 4, dilation);
    };
    EXPECT_EQ(with(0, 10), "result: row 0, column 0: is 10, beyond the mask's 9");
    EXPECT_EQ(with(1, 3), "result: row 0, column 1: is 3, short of the marker's 4");
    EXPECT_EQ(with(5, 1), "result: row 1, column 2: is 1, but a neighbour of 4 moves it to 3");
    EXPECT_EQ(
        flaw(s, {5, 5, 3, 2, 5, 3}, 4, dilation),
        "result: row 0, column 0: the plateau of 5 is a regional maximum that touches the marker nowhere");
}

TEST(Certificate, NotANumberIsNoAnswer) {
    const specimen s{"floats", shape_of(pixel::f32, 1, 3), {1, 0, 0}, {1, 1, 1}};
    EXPECT_NE(flaw(s, {1, std::numeric_limits<double>::quiet_NaN(), 1}, 8, dilation), "");
    EXPECT_NE(flaw(s, {1, std::numeric_limits<double>::quiet_NaN(), 1}, 8, erosion), "");
}

/// A marker beyond the mask counts as the mask.
TEST(Certificate, CutsTheMarker) {
    const specimen s{"cut", shape_of(pixel::u8, 1, 3), {200, 0, 0}, {100, 50, 70}};
    EXPECT_EQ(flaw(s, {100, 50, 50}, 8, dilation), "");
    EXPECT_EQ(flaw(s, {100, 50, 50}, 8, erosion), "");
}

TEST(Certificate, ChecksItsArguments) {
    const specimen s = random_specimen(shape_of(pixel::u8, 4, 5), spread::few, 1);
    const stored marker(s.shape, 0, s.marker), mask(s.shape, 0, s.mask), other(shape_of(pixel::u8, 5, 4), 0);
    EXPECT_THROW((void)reconstruction_flaw(marker.view(), mask.view(), other.view()), bad_argument);
    EXPECT_THROW((void)reconstruction_flaw(other.view(), mask.view(), mask.view()), bad_argument);
    EXPECT_THROW((void)reconstruction_flaw(marker.view(), mask.view(), mask.view(), {.connectivity = 6}),
                 bad_argument);
}

}  // namespace
}  // namespace wale
