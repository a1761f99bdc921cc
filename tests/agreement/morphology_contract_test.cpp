// What the derived operations refuse, and with which words.
#include <gtest/gtest.h>

#include <limits>
#include <span>

#include "agreement/morphology.hpp"
#include "unit/thrown.hpp"

namespace wale::agreement {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Images of 5 x 6 of all kinds.
struct small_images {
    static raster shape(pixel type, index_t images = 1) { return shape_of(type, 5, 6, -1, images); }
    stored grey{shape(pixel::u8), 0, values(30, 3)}, grey_out{shape(pixel::u8), 0, values(30, 0)};
    stored floats{shape(pixel::f32), 0, values(30, 1)}, float_out{shape(pixel::f32), 0, values(30, 0)};
    stored flags{shape(pixel::boolean), 0, values(30, 1)}, flag_out{shape(pixel::boolean), 0, values(30, 0)};
    stored bits{shape(pixel::bit), 0, values(30, 1)}, bit_out{shape(pixel::bit), 0, values(30, 0)};
    stored batch{shape(pixel::boolean, 2), 0, values(60, 1)}, batch_out = batch;
};

/// Expects bad_argument whose message holds `part`.
void expect_refused(const std::string& part, const std::function<void()>& call) {
    expect_thrown<bad_argument>(part, call);
}

const execution here = on_reference{};

TEST(MorphologyContract, Heights) {
    small_images p;
    const auto cut = [&](double h) { h_domes(here, p.grey.view(), h, p.grey_out.view()); };
    expect_refused("h: is 0", [&] { cut(0); });
    expect_refused("h: is -1", [&] { cut(-1); });
    expect_refused("h: is nan", [&] { cut(nan); });
    expect_refused("whole number up to 255", [&] { cut(1.5); });
    expect_refused("whole number up to 255", [&] { cut(256); });
    EXPECT_NO_THROW(cut(255));
    expect_refused("number that float32 holds",
                   [&] { h_minima_transform(here, p.floats.view(), 1e300, p.float_out.view()); });
    expect_refused("heights need grey values",
                   [&] { h_maxima_transform(here, p.flags.view(), 1, p.flag_out.view()); });
    expect_refused("h: is 0", [&] { extended_maxima(here, p.grey.view(), 0, p.flag_out.view()); });
    expect_refused("bit-packed", [&] { h_basins(here, p.bits.view(), 1, p.bit_out.view()); });
}

TEST(MorphologyContract, Boxes) {
    small_images p;
    const auto open = [&](index_t size) {
        opening_by_reconstruction(here, p.grey.view(), size, p.grey_out.view());
    };
    for (const index_t size : {-1, 0, 2, 4}) expect_refused("expected an odd number", [&] { open(size); });
    expect_refused("at most 5, the image's least extent", [&] { open(7); });
    EXPECT_NO_THROW(open(5));
    expect_refused("bit-packed",
                   [&] { closing_by_reconstruction(here, p.bits.view(), 3, p.bit_out.view()); });
}

TEST(MorphologyContract, Types) {
    small_images p;
    expect_refused("bit-packed", [&] { regional_maxima(here, p.bits.view(), p.flag_out.view()); });
    expect_refused("out: is 5 x 6 uint8, expected 5 x 6 bool",
                   [&] { regional_minima(here, p.grey.view(), p.grey_out.view()); });
    expect_refused("bit-packed", [&] { fill_depressions(here, p.bits.view(), p.bit_out.view()); });
    expect_refused("image: is bool, expected grey values",
                   [&] { impose_minima(here, p.flags.view(), p.batch.view(), p.flag_out.view()); });
    expect_refused("minima: is 5 x 6 uint8, expected 5 x 6 bool",
                   [&] { impose_minima(here, p.grey.view(), p.grey.view(), p.grey_out.view()); });
    expect_refused("out: overlaps image", [&] { fill_holes(here, p.grey.view(), p.grey.view()); });
    expect_refused("image: NaN at row 0, column 0", [&] {
        stored lacking(p.floats.where(), 0, values(30, nan));
        clear_border(here, lacking.view(), p.float_out.view());
    });
}

TEST(MorphologyContract, Thresholds) {
    small_images p;
    const auto split = [&](double low, double high) {
        hysteresis_threshold(here, p.grey.view(), low, high, p.flag_out.view());
    };
    expect_refused("low: is 2", [&] { split(2, 1); });
    expect_refused("low: is nan", [&] { split(nan, 1); });
    expect_refused("low: is 1", [&] { split(1, nan); });
    expect_refused("bit-packed", [&] { hysteresis_threshold(here, p.bits.view(), 0, 1, p.flag_out.view()); });
    expect_refused("expected 5 x 6 bool",
                   [&] { hysteresis_threshold(here, p.grey.view(), 0, 1, p.grey_out.view()); });
}

TEST(MorphologyContract, Points) {
    small_images p;
    const auto select = [&](const pixel_position& point) {
        (void)select_objects(here, p.flags.view(), std::span(&point, 1), p.flag_out.view());
    };
    EXPECT_NO_THROW(select({0, 4, 5}));
    for (const pixel_position& outside : {pixel_position{1, 0, 0}, pixel_position{0, 5, 0},
                                          pixel_position{0, 0, 6}, pixel_position{0, -1, 0}})
        expect_refused("points: [0] is plane", [&] { select(outside); });
    expect_refused("expected bool or bit",
                   [&] { (void)select_objects(here, p.grey.view(), {}, p.grey_out.view()); });
    expect_refused("2 images, expected 1",
                   [&] { (void)select_objects(here, p.batch.view(), {}, p.batch_out.view()); });
    expect_refused("options.asynchronous", [&] {
        reconstruction_options later;
        later.asynchronous = true;
        (void)select_objects(here, p.flags.view(), {}, p.flag_out.view(), later);
    });
}

TEST(MorphologyContract, NothingSelectsNothing) {
    small_images p;
    p.flag_out = p.flags;
    EXPECT_EQ(select_objects(here, p.flags.view(), {}, p.flag_out.view()).area, 0);
    EXPECT_EQ(p.flag_out.get(), values(30, 0));
}

class MorphologyOfConstants : public Everywhere {};
INSTANTIATE_TEST_SUITE_P(Everywhere, MorphologyOfConstants, testing::ValuesIn(places_to_run()), place_name);

TEST_P(MorphologyOfConstants, HaveNoExtremaWhateverTheirValue) {
    const place_to_run& at = GetParam();
    for (const pixel type : {pixel::boolean, pixel::u8, pixel::i32, pixel::f32})
        for (const double value : {lowest_of(type), 1.0, highest_of(type)}) {
            const raster shape = shape_of(type, 3, 4);
            for (const bool minima : {false, true}) {
                const values found = answer(
                    {at}, shape, values(12, value), pixel::boolean,
                    [&](const operation_call& how, const const_image_view& image, const image_view& out) {
                        reconstruction_options options;
                        options.asynchronous = how.at.asynchronous;
                        (minima ? regional_minima : regional_maxima)(how.at.where, image, out, options);
                    });
                EXPECT_EQ(found, values(12, 0)) << at.name << " " << name_of(type) << " " << value;
            }
        }
}

}  // namespace
}  // namespace wale::agreement
