// reconstruction_contract_test - what reconstruct says to arguments that it cannot take. Every message names
// the argument, the value found and what was expected.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>
#include <wale/wale.hpp>

#include "thrown.hpp"

#include "solvers/reconstruction/check.hpp"

namespace wale {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const execution hosts[] = {on_reference{}, on_cpu{}};

std::string refused(const std::function<void()>& call) {
    return thrown<bad_argument>(call);
}

void expect_says(const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos)
        << "found \"" << message << "\", expected in it \"" << part << '"';
}

/// Packed images of T on the host.
template <class T>
struct image {
    raster where;
    std::vector<T> pixels;
    image(index_t rows, index_t columns, T v = 0, index_t planes = -1, index_t images = 1)
        : pixels(static_cast<std::size_t>(rows * columns * std::max<index_t>(1, planes) * images), v) {
        where.type = pixel_of<T>::value;
        where.rank = planes < 0 ? 2 : 3;
        where.images = images;
        where.planes = std::max<index_t>(1, planes);
        where.rows = rows;
        where.columns = columns;
        where.pack();
    }
    [[nodiscard]] image_view view() { return {pixels.data(), where}; }
};

TEST(ReconstructContract, Shapes) {
    image<std::uint8_t> marker(3, 4), mask(4, 3), out(4, 3), volume(4, 3, 0, 1);
    image<std::uint16_t> wide(4, 3);
    for (const execution& where : hosts) {
        EXPECT_EQ(refused([&] { (void)reconstruct(where, marker.view(), mask.view(), out.view()); }),
                  "marker: is 3 x 4 uint8, expected 4 x 3 uint8 like mask");
        EXPECT_EQ(refused([&] { (void)reconstruct(where, mask.view(), mask.view(), wide.view()); }),
                  "out: is 4 x 3 uint16, expected 4 x 3 uint8 like mask");
        EXPECT_EQ(refused([&] { (void)reconstruct(where, mask.view(), mask.view(), volume.view()); }),
                  "out: is 1 x 4 x 3 uint8, expected 4 x 3 uint8 like mask");
    }
    image<std::uint8_t> two(4, 3, 0, -1, 2);
    expect_says(refused([&] { (void)reconstruct(on_cpu{}, mask.view(), mask.view(), two.view()); }),
                "2 images of 4 x 3 uint8");
    image_view negative = mask.view();
    negative.rows = -4;
    EXPECT_EQ(refused([&] { (void)reconstruct(on_cpu{}, negative, negative, negative); }),
              "marker: has -4 rows, expected 0 or more");
    image_view flat = mask.view();
    flat.rank = 4;
    EXPECT_EQ(refused([&] { (void)reconstruct(on_cpu{}, flat, flat, flat); }),
              "marker: rank is 4, expected 2 or 3");
    image_view planes = mask.view();
    planes.planes = 2;
    EXPECT_EQ(refused([&] { (void)reconstruct(on_cpu{}, planes, planes, planes); }),
              "marker: has 2 planes, expected 1 in rank 2");
    image_view huge = mask.view();
    huge.rows = huge.columns = index_t{1} << 40;
    expect_says(refused([&] { (void)reconstruct(on_cpu{}, huge, huge, huge); }), "2^63");
}

TEST(ReconstructContract, Strides) {
    image<std::uint8_t> mask(4, 3), out(4, 3);
    const auto with = [&](index_t row, index_t plane, index_t image_step) {
        image_view p = out.view();
        p.row_stride = row;
        p.plane_stride = plane;
        p.image_stride = image_step;
        return refused([&] { (void)reconstruct(on_cpu{}, mask.view(), mask.view(), p); });
    };
    EXPECT_EQ(with(2, 12, 12), "out: row_stride is 2, expected at least 3");
    EXPECT_EQ(with(-3, 12, 12), "out: row_stride is -3, expected at least 3");
    image<std::uint8_t> volume(4, 3, 0, 2);
    image_view crossed = volume.view();
    crossed.plane_stride = 11;
    EXPECT_EQ(refused([&] { (void)reconstruct(on_cpu{}, volume.view(), volume.view(), crossed); }),
              "out: plane_stride is 11, expected at least 12");
    image<std::uint8_t> batch(4, 3, 0, -1, 2);
    crossed = batch.view();
    crossed.image_stride = 5;
    EXPECT_EQ(refused([&] { (void)reconstruct(on_cpu{}, batch.view(), batch.view(), crossed); }),
              "out: image_stride is 5, expected at least 12");
    std::vector<std::uint32_t> words(8);
    image_view bits = bits_of(matrix_view<std::uint32_t>(words.data(), extents<2>{{4, 2}}), 33);
    bits.row_stride = 1;
    EXPECT_EQ(refused([&] { (void)reconstruct(on_cpu{}, bits, bits, bits); }),
              "marker: row_stride is 1, expected at least 2");
}

/// Columns of adjacent pixels are computed as rows, columns of pixels that lie apart are not.
TEST(ReconstructContract, ColumnsOfAdjacentPixels) {
    std::mt19937 draw(7);
    for (const index_t planes : {-1, 1, 5}) {
        image<std::uint8_t> mask(70, 1, 0, planes, 3), marker = mask, out = mask;
        const auto size = std::ssize(mask.pixels);
        std::vector<std::uint8_t> apart_mask(2 * mask.pixels.size()), apart_marker = apart_mask,
                                                                      apart_out = apart_mask;
        for (index_t i = 0; i < size; ++i) {
            mask.pixels[i] = apart_mask[2 * i] = static_cast<std::uint8_t>(draw() % 200);
            marker.pixels[i] = apart_marker[2 * i] =
                draw() % 6 == 0 ? mask.pixels[i] : static_cast<std::uint8_t>(mask.pixels[i] / 3);
        }
        raster apart = mask.where;
        apart.row_stride *= 2;
        apart.plane_stride *= 2;
        apart.image_stride *= 2;
        const auto expect_equal = [&](const char* what) {
            for (index_t i = 0; i < size; ++i)
                ASSERT_EQ(out.pixels[i], apart_out[2 * i]) << what << ", pixel " << i;
        };
        for (const int connectivity : planes < 0 ? std::vector{4, 8} : std::vector{6, 18, 26}) {
            (void)reconstruct(on_cpu{1}, marker.view(), mask.view(), out.view(),
                              {.connectivity = connectivity});
            (void)reconstruct(on_cpu{1}, const_image_view(apart_marker.data(), apart),
                              const_image_view(apart_mask.data(), apart), image_view(apart_out.data(), apart),
                              {.connectivity = connectivity});
            expect_equal("reconstruct");
            (void)h_domes(on_cpu{1}, mask.view(), 20, out.view(), {.connectivity = connectivity});
            (void)h_domes(on_cpu{1}, const_image_view(apart_mask.data(), apart), 20,
                          image_view(apart_out.data(), apart), {.connectivity = connectivity});
            expect_equal("h_domes");
            (void)fill_holes(on_cpu{1}, mask.view(), out.view(), {.connectivity = connectivity});
            EXPECT_EQ(out.pixels, mask.pixels);  // every pixel lies where the image ends
        }
    }
}

TEST(ReconstructContract, Memory) {
    image<std::uint8_t> mask(4, 3, 7), marker(4, 3), out(4, 3);
    image_view nothing = mask.view();
    nothing.data = nullptr;
    for (const execution& where : hosts) {
        EXPECT_EQ(refused([&] { (void)reconstruct(where, nothing, mask.view(), out.view()); }),
                  "marker: data is null");
        EXPECT_EQ(refused([&] { (void)reconstruct(where, marker.view(), nothing, out.view()); }),
                  "mask: data is null");
        EXPECT_EQ(refused([&] { (void)reconstruct(where, marker.view(), mask.view(), nothing); }),
                  "out: data is null");
        EXPECT_EQ(refused([&] { (void)reconstruct(where, marker.view(), mask.view(), mask.view()); }),
                  "out: overlaps mask");
        image_view next(marker.pixels.data() + 3, marker.where);
        next.rows = 3;
        image_view first = marker.view(), under = mask.view();
        first.rows = under.rows = 3;
        EXPECT_EQ(refused([&] { (void)reconstruct(where, first, under, next); }), "out: overlaps marker");
        EXPECT_NO_THROW((void)reconstruct(where, marker.view(), mask.view(), marker.view()));
        image_view same = marker.view();
        same.plane_stride = same.image_stride = 0;  // never taken: the same memory all the same
        EXPECT_NO_THROW((void)reconstruct(where, marker.view(), mask.view(), same));
        // Nothing is read of an empty image.
        nothing.rows = 0;
        EXPECT_NO_THROW((void)reconstruct(where, nothing, nothing, nothing));
        nothing.rows = 4;
    }
}

TEST(ReconstructContract, Connectivity) {
    image<std::uint8_t> flat(4, 3), out(4, 3), volume(4, 3, 0, 2), out_volume(4, 3, 0, 2);
    for (const int connectivity : {-1, 1, 6, 18, 26})
        EXPECT_EQ(refused([&] {
                      (void)reconstruct(on_cpu{}, flat.view(), flat.view(), out.view(),
                                        {.connectivity = connectivity});
                  }),
                  "options.connectivity: is " + std::to_string(connectivity) +
                      ", expected 4 or 8 for images of rank 2");
    for (const int connectivity : {4, 8, 27})
        EXPECT_EQ(refused([&] {
                      (void)reconstruct(on_cpu{}, volume.view(), volume.view(), out_volume.view(),
                                        {.connectivity = connectivity});
                  }),
                  "options.connectivity: is " + std::to_string(connectivity) +
                      ", expected 6, 18 or 26 for images of rank 3");
}

/// NaN is refused where it is, by every variant; on many rows, so that threads share the work.
template <class T>
void expect_nan_found() {
    constexpr T nan = std::numeric_limits<T>::quiet_NaN();
    image<T> marker(900, 1000), mask(900, 1000, 1), out(900, 1000);
    mask.pixels[800 * 1000 + 999] = nan;
    for (const execution& where : hosts) {
        const auto call = [&] { (void)reconstruct(where, marker.view(), mask.view(), out.view()); };
        EXPECT_EQ(refused(call), "mask: NaN at row 800, column 999, expected numbers");
        marker.pixels[3] = nan;  // the mask's comes first
        EXPECT_EQ(refused(call), "mask: NaN at row 800, column 999, expected numbers");
        mask.pixels[800 * 1000 + 999] = 1;
        EXPECT_EQ(refused(call), "marker: NaN at row 0, column 3, expected numbers");
        // Clamping does not make a number of it.
        EXPECT_EQ(refused([&] {
                      (void)reconstruct(where, marker.view(), mask.view(), out.view(),
                                        {.beyond = marker_beyond::clamp});
                  }),
                  "marker: NaN at row 0, column 3, expected numbers");
        marker.pixels[3] = 0;
        mask.pixels[800 * 1000 + 999] = nan;
    }
}

TEST(ReconstructContract, NotANumber) {
    expect_nan_found<float>();
    expect_nan_found<double>();
    // In a batch of volumes.
    image<float> marker(4, 5, 0, 3, 2), mask(4, 5, 1, 3, 2), out(4, 5, 0, 3, 2);
    mask.pixels[60 + 20 + 5 + 4] = std::nanf("");
    EXPECT_EQ(refused([&] { (void)reconstruct(on_cpu{}, marker.view(), mask.view(), out.view()); }),
              "mask: NaN at image 1, plane 1, row 1, column 4, expected numbers");
    // Infinities are numbers.
    image<float> low(4, 5, -HUGE_VALF), high(4, 5, HUGE_VALF), answer(4, 5);
    EXPECT_NO_THROW((void)reconstruct(on_cpu{}, low.view(), high.view(), answer.view()));
    EXPECT_EQ(answer.pixels, low.pixels);
}

TEST(ReconstructContract, MarkersBeyondTheMask) {
    image<std::uint16_t> marker(700, 1000, 5), mask(700, 1000, 5), out(700, 1000);
    marker.pixels[2 * 1000 + 7] = 6;
    marker.pixels[699 * 1000 + 1] = 9;
    for (const execution& where : hosts) {
        EXPECT_EQ(refused([&] { (void)reconstruct(where, marker.view(), mask.view(), out.view()); }),
                  "marker: is above the mask in 2 of 700000 pixels, first at row 2, column 7");
        EXPECT_EQ(refused([&] {
                      (void)reconstruct(where, mask.view(), marker.view(), out.view(),
                                        {.method = reconstruction_method::erosion});
                  }),
                  "marker: is below the mask in 2 of 700000 pixels, first at row 2, column 7");
        EXPECT_NO_THROW((void)reconstruct(where, mask.view(), marker.view(), out.view()));
        EXPECT_NO_THROW((void)reconstruct(where, marker.view(), mask.view(), out.view(),
                                          {.beyond = marker_beyond::clamp}));
        EXPECT_EQ(out.pixels, mask.pixels);
    }
}

TEST(ReconstructContract, BitsBeyondTheLastColumnMeanNothing) {
    std::vector<std::uint32_t> marker{0, 0x80000000u, 0, 0xFFFFFFFEu}, mask{0, 0, 0, 0}, out(4);
    const auto view = [](std::vector<std::uint32_t>& words) {
        return bits_of(matrix_view<std::uint32_t>(words.data(), extents<2>{{2, 2}}), 33);
    };
    for (const execution& where : hosts) {
        EXPECT_NO_THROW((void)reconstruct(where, view(marker), view(mask), view(out)));
        marker[1] = 1;
        marker[2] = 0x90;
        EXPECT_EQ(refused([&] { (void)reconstruct(where, view(marker), view(mask), view(out)); }),
                  "marker: is above the mask in 3 of 66 pixels, first at row 0, column 32");
        marker[1] = 0x80000000u;
        marker[2] = 0;
    }
}

TEST(ReconstructContract, Heights) {
    using reconstruction::check_height;
    const auto says = [](pixel type, double h) { return refused([=] { check_height(type, h); }); };
    for (const pixel type : {pixel::u8, pixel::u16, pixel::i32, pixel::f32, pixel::f64})
        for (const double h : {0.0, -0.0, -1.0, infinity, std::nan("")})
            expect_says(says(type, h), "expected a number above 0");
    EXPECT_NO_THROW(check_height(pixel::u8, 255));
    expect_says(says(pixel::u8, 256), "expected a whole number up to 255 for uint8");
    expect_says(says(pixel::u8, 1.5), "h: is 1.5");
    EXPECT_NO_THROW(check_height(pixel::u16, 65535));
    expect_says(says(pixel::u16, 65536), "up to 65535 for uint16");
    EXPECT_NO_THROW(check_height(pixel::i32, 4294967295.0));
    expect_says(says(pixel::i32, 4294967296.0), "up to 4294967295 for int32");
    EXPECT_NO_THROW(check_height(pixel::f64, 1e300));
    expect_says(says(pixel::f32, 1e300), "expected a number that float32 holds");
    expect_says(says(pixel::f32, 1e-300), "h: is 1e-300, expected a number that float32 holds");
    expect_says(says(pixel::boolean, 1), "heights need grey values");
    expect_says(says(pixel::bit, 1), "heights need grey values");
}

TEST(ReconstructContract, Variants) {
    image<std::uint8_t> mask(4, 3), out(4, 3);
    const std::string unknown = thrown<unsupported_variant>(
        [&] { (void)reconstruct(on_cpu{}, mask.view(), mask.view(), out.view(), {.variant = "weave"}); });
    expect_says(unknown, "no variant 'weave' on cpu");
    expect_says(unknown, "cpu/hybrid");
    EXPECT_EQ(reconstruct(on_cpu{}, mask.view(), mask.view(), out.view(), {.variant = "hybrid"}).run.variant,
              "cpu/hybrid");
    EXPECT_THROW(
        (void)reconstruct(on_reference{}, mask.view(), mask.view(), out.view(), {.variant = "cpu/hybrid"}),
        unsupported_variant);
    std::vector<std::uint32_t> words(4), answer(4);
    const matrix_view<std::uint32_t> rows(words.data(), extents<2>{{4, 1}}), to(answer.data(), rows.shape());
    expect_says(thrown<unsupported_variant>([&] {
                    (void)reconstruct(on_cpu{}, bits_of(rows, 9), bits_of(rows, 9), bits_of(to, 9),
                                      {.variant = "raster"});
                }),
                "cpu/raster: does not take bit-packed images");
}

TEST(ReconstructContract, TheReportSaysWhatRan) {
    image<std::uint16_t> marker(40, 30), mask(40, 30, 9), out(40, 30);
    marker.pixels[600] = 5;
    const reconstruction_result r =
        reconstruct(on_cpu{}, marker.view(), mask.view(), out.view(), {.variant = "raster"});
    EXPECT_EQ(r.run.work, 1200);
    EXPECT_EQ(r.run.bytes, 7200);
    EXPECT_EQ(r.run.threads, 1);
    EXPECT_EQ(r.run.iterations, 4);  // there, back, and both once more to see that nothing rises
    EXPECT_GT(r.run.compute_seconds, 0);
    EXPECT_FALSE(r.guarded);
}

/// Needs a device.
TEST(ReconstructContract, HostMemoryOnCuda) {
    if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    image<float> marker(4, 3), mask(4, 3), out(4, 3);
    EXPECT_EQ(refused([&] { (void)reconstruct(on_cuda{}, marker.view(), mask.view(), out.view()); }),
              "marker: is host memory, expected device memory (to_device copies it)");
}

TEST(ReconstructContract, CudaIsNeverReplaced) {
    if (is_available(backend::cuda)) GTEST_SKIP() << "there is a device";
    image<float> marker(4, 3), mask(4, 3), out(4, 3);
    EXPECT_THROW((void)reconstruct(on_cuda{}, marker.view(), mask.view(), out.view()), backend_unavailable);
}

}  // namespace
}  // namespace wale
