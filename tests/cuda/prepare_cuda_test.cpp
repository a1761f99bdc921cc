// prepare_cuda_test - the steps before and after a reconstruction on the device against the reference,
// through the functions that take them: boxes, thresholds, imposed minima, points, cells without data,
// constant images.
#include <gtest/gtest.h>

#include <limits>

#include "cuda/twins.hpp"

namespace wale {
namespace {

class PrepareCuda : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
};

/// f(execution, image, out, options) on both backends; the answers' type is Out.
template <class Out, class T, class F>
void expect_same(const char* what, twin<T>& image, pixel out_type, const F& f) {
    raster r = image.where;
    r.type = out_type;
    const auto run = [&](const execution& e, twin<Out>& out, const std::string& variant) {
        reconstruction_options o;
        o.variant = variant;
        (void)f(e, image.on(e), out.on(e), o);
    };
    EXPECT_EQ(difference<Out>(r, run, "automatic"), "")
        << what << ' ' << name_of(image.where.type) << " rank " << r.rank << ' ' << r.planes << 'x' << r.rows
        << 'x' << r.columns;
}

std::vector<raster> shapes(pixel type) {
    return {shape(type, 2, 1, 1, 1, 1), shape(type, 2, 3, 1, 40, 33, 1), shape(type, 2, 1, 1, 130, 1030),
            shape(type, 3, 1, 9, 12, 70), shape(type, 3, 2, 10, 33, 40, 2)};
}

template <class T>
void expect_boxes(pixel type) {
    for (const raster& r : shapes(type)) {
        twin<T> image(r, random_pixels<T>(r, 5, 200));
        const index_t least =
            r.rank == 3 ? std::min({r.planes, r.rows, r.columns}) : std::min(r.rows, r.columns);
        for (index_t size : {1, 3, 9, 11, 33, 129}) {
            if (size > least) break;
            expect_same<T>("opening", image, type, [&](auto e, auto in, auto out, auto o) {
                return opening_by_reconstruction(e, in, size, out, o);
            });
            expect_same<T>("closing", image, type, [&](auto e, auto in, auto out, auto o) {
                return closing_by_reconstruction(e, in, size, out, o);
            });
        }
    }
}

TEST_F(PrepareCuda, Boxes) {
    expect_boxes<std::uint8_t>(pixel::u8);
    expect_boxes<std::uint16_t>(pixel::u16);
    expect_boxes<std::int32_t>(pixel::i32);
    expect_boxes<float>(pixel::f32);
    expect_boxes<double>(pixel::f64);
}

template <class T>
void expect_pointwise(pixel type) {
    for (const raster& r : shapes(type)) {
        twin<T> image(r, hills<T>(r, 6));
        raster flags = r;
        flags.type = pixel::boolean;
        std::vector<std::uint8_t> some = random_pixels<std::uint8_t>(flags, 7, 40);
        for (auto& x : some) x = x == 0 ? 1 : 0;
        twin<std::uint8_t> minima(flags, some);
        expect_same<T>("impose_minima", image, type, [&](auto e, auto in, auto out, auto o) {
            return impose_minima(e, in, minima.on(e), out, o);
        });
        expect_same<std::uint8_t>(
            "hysteresis", image, pixel::boolean,
            [&](auto e, auto in, auto out, auto o) { return hysteresis_threshold(e, in, 20, 60, out, o); });
        expect_same<std::uint8_t>("maxima", image, pixel::boolean, [&](auto e, auto in, auto out, auto o) {
            return regional_maxima(e, in, out, o);
        });
        twin<T> flat(r, std::vector<T>(image.host.size(), T{3}));
        expect_same<std::uint8_t>(
            "maxima of a constant", flat, pixel::boolean,
            [&](auto e, auto in, auto out, auto o) { return regional_maxima(e, in, out, o); });
    }
}

TEST_F(PrepareCuda, Pointwise) {
    expect_pointwise<std::uint8_t>(pixel::u8);
    expect_pointwise<std::uint16_t>(pixel::u16);
    expect_pointwise<std::int32_t>(pixel::i32);
    expect_pointwise<float>(pixel::f32);
    expect_pointwise<double>(pixel::f64);
}

TEST_F(PrepareCuda, CellsWithoutData) {
    const raster r = shape(pixel::f32, 2, 2, 1, 70, 90, 1);
    std::vector<float> heights = hills<float>(r, 8);
    for (std::size_t i = 7; i < heights.size(); i += 97) heights[i] = -9999;
    twin<float> image(r, heights);
    const auto fill = [](auto e, auto in, auto out, const reconstruction_options& o) {
        depression_options d;
        static_cast<reconstruction_options&>(d) = o;
        d.has_no_data = true;
        d.no_data = -9999;
        return fill_depressions(e, in, out, d);
    };
    expect_same<float>("fill_depressions", image, pixel::f32, fill);
}

TEST_F(PrepareCuda, PointsSelectObjects) {
    const raster r = shape(pixel::boolean, 3, 1, 7, 30, 70);
    std::vector<std::uint8_t> objects = random_pixels<std::uint8_t>(r, 9, 3);
    for (auto& x : objects) x = x == 0 ? 1 : 0;
    twin<std::uint8_t> image(r, objects);
    const std::vector<pixel_position> points{{0, 0, 0}, {3, 20, 64}, {3, 20, 64}, {6, 29, 69}, {2, 11, 31}};
    index_t areas[2] = {-1, -2};
    expect_same<std::uint8_t>("select_objects", image, pixel::boolean,
                              [&](const execution& e, auto in, auto out, auto o) {
                                  o.connectivity = 6;
                                  const selection_result s = select_objects(e, in, points, out, o);
                                  areas[backend_of(e) == backend::cuda ? 1 : 0] = s.area;
                                  return s;
                              });
    EXPECT_EQ(areas[0], areas[1]);
}

}  // namespace
}  // namespace wale
