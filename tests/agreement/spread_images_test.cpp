// spread_images_test - images in host memory over several devices: the pixels of the CPU's call, whatever the
// shape, the type and the operation, and however often values cross from part to part.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "agreement/images.hpp"
#include "agreement/several_devices.hpp"
#include "solvers/reconstruction/study/inputs.hpp"
#include "tuning/override.hpp"
#include "unit/thrown.hpp"

namespace wale::agreement {
namespace {

using enum reconstruction_method;
using reconstruction::image_size;

const std::vector<pixel> types{pixel::boolean, pixel::u8, pixel::u16, pixel::i32, pixel::f32, pixel::f64};

class SpreadImages : public SeveralDevices {
protected:
    /// The marker under the mask, in images with gaps; in place where `in_place`.
    void expect_rebuilt(const specimen& s, int connectivity, reconstruction_method method, index_t gap = 0,
                        bool in_place = false, const std::string& variant = "automatic") const {
        const bool turned = method == erosion;
        const auto as = [&](const values& v) { return turned ? complement(s.shape.type, v) : v; };
        stored marker(s.shape, gap, as(s.marker)), mask(s.shape, 2 * gap, as(s.mask)), out(s.shape, 3 * gap);
        stored expected(s.shape, 0);
        reconstruction_options o;
        o.connectivity = connectivity;
        o.method = method;
        (void)reconstruct(cpu, marker.view(), mask.view(), expected.view(), o);
        o.variant = variant;
        stored& answer = in_place ? marker : out;
        const auto r = reconstruct(many, marker.view(), mask.view(), answer.view(), o);
        EXPECT_EQ(difference_text(s.shape, answer.get(), expected.get()), "")
            << s.what << ", " << name_of(s.shape.type) << " " << s.shape.planes << " x " << s.shape.rows
            << " x " << s.shape.columns << ", connectivity " << connectivity << ", " << r.run.variant << " "
            << r.run.policy;
        EXPECT_TRUE(answer.gaps_untouched());
    }

    using operation =
        std::function<void(const execution&, const const_image_view& image, const image_view& out)>;
    void expect_same(const raster& shape, const values& v, pixel out_type, const operation& run) const {
        raster out_shape = shape;
        out_shape.type = out_type;
        stored image(shape, 3, v), out(out_shape, 2), expected(out_shape, 0);
        run(cpu, image.view(), expected.view());
        run(many, image.view(), out.view());
        EXPECT_EQ(difference_text(out_shape, out.get(), expected.get()), "")
            << name_of(shape.type) << " " << shape.images << " x " << shape.planes << " x " << shape.rows
            << " x " << shape.columns;
        EXPECT_TRUE(out.gaps_untouched());
    }
};
INSTANTIATE_TEST_SUITE_P(Devices, SpreadImages, device_lists(), devices_name);

TEST_P(SpreadImages, AnyShapeAndType) {
    constexpr index_t sizes[] = {0, 1, 2, 3, 63, 65, 130};
    unsigned turn = 0;
    for (const pixel type : types)
        for (const index_t rows : sizes)
            for (const index_t columns : sizes) {
                ++turn;
                const specimen s =
                    random_specimen(shape_of(type, rows, columns), static_cast<spread>(turn % 3), turn);
                expect_rebuilt(s, turn % 2 == 0 ? 4 : 8, turn / 2 % 2 == 0 ? dilation : erosion,
                               turn % 4 == 3 ? 1 + turn % 7 : 0, turn % 5 == 0);
            }
}

TEST_P(SpreadImages, Volumes) {
    constexpr index_t shapes[][3] = {{0, 3, 3},   {1, 1, 1},  {1, 9, 40},  {2, 2, 2},
                                     {3, 1, 35},  {5, 7, 0},  {17, 9, 33}, {33, 31, 17},
                                     {2, 65, 64}, {40, 2, 3}, {9, 33, 70}};
    unsigned turn = 0;
    for (const pixel type : types)
        for (const auto& [planes, rows, columns] : shapes) {
            ++turn;
            const specimen s =
                random_specimen(shape_of(type, rows, columns, planes), static_cast<spread>(turn % 3), turn);
            for (const int connectivity : {6, 18, 26})
                expect_rebuilt(s, connectivity, turn % 2 == 0 ? dilation : erosion, turn % 3);
        }
}

/// Each turn of a spiral crosses from part to part: many rounds.
TEST_P(SpreadImages, Corridors) {
    const image_size size{.planes = 1, .rows = 197, .columns = 227};
    const std::pair<const char*, std::vector<std::uint8_t>> masks[] = {
        {"serpentine", reconstruction::serpentine(size)},
        {"spiral", reconstruction::spiral(size)},
        {"comb", reconstruction::comb(size)},
        {"checkerboard", reconstruction::checkerboard(size)},
        {"percolation", reconstruction::percolation(size, 59, 3)}};
    for (const auto& [what, mask] : masks)
        for (const pixel type : {pixel::boolean, pixel::u8, pixel::u16, pixel::f32})
            for (const int connectivity : {4, 8})
                expect_rebuilt(corner_specimen(what, shape_of(type, size.rows, size.columns), mask),
                               connectivity, connectivity == 4 ? dilation : erosion);
    // On its side, so that the rows of the serpentine cross all cuts.
    std::vector<std::uint8_t> turned(masks[0].second.size());
    for (index_t r = 0; r < size.rows; ++r)
        for (index_t c = 0; c < size.columns; ++c)
            turned[static_cast<std::size_t>(c * size.rows + r)] =
                masks[0].second[static_cast<std::size_t>(r * size.columns + c)];
    expect_rebuilt(
        corner_specimen("serpentine on its side", shape_of(pixel::u8, size.columns, size.rows), turned), 4,
        dilation);
}

TEST_P(SpreadImages, NaturalImages) {
    const image_size size{.planes = 1, .rows = 333, .columns = 517};
    const auto tissue = reconstruction::blots(size, 5);
    const auto field = reconstruction::high_bytes(reconstruction::smooth_field(size, 9, 6));
    for (const pixel type : {pixel::u8, pixel::u16, pixel::f32}) {
        const raster shape = shape_of(type, size.rows, size.columns);
        for (const specimen& s :
             {dome_specimen("domes", shape, tissue, 40), border_specimen("holes of blots", shape, tissue),
              border_specimen("holes of a field", shape, field)})
            for (const std::string variant : {"automatic", "cuda/tiles", "cuda/basins", "cuda/sweep"})
                expect_rebuilt(s, variant == "automatic" ? 8 : 4, type == pixel::u16 ? erosion : dilation, 0,
                               false, variant);
    }
}

TEST_P(SpreadImages, DerivedOperations) {
    unsigned seed = 0;
    for (const pixel type : {pixel::u8, pixel::u16, pixel::i32, pixel::f32, pixel::f64})
        for (const raster& shape : {shape_of(type, 41, 70), shape_of(type, 5, 6), shape_of(type, 9, 34, 5),
                                    shape_of(type, 17, 130), shape_of(type, 6, 5, -1, 3)}) {
            const values v = random_specimen(shape, spread::many, ++seed).mask;
            using image = const_image_view;
            const auto same = [&](pixel out, const operation& run) { expect_same(shape, v, out, run); };
            same(type, [](auto& at, const image& p, auto& out) { (void)fill_holes(at, p, out); });
            same(type, [](auto& at, const image& p, auto& out) { (void)clear_border(at, p, out); });
            same(type, [](auto& at, const image& p, auto& out) { (void)h_maxima_transform(at, p, 3, out); });
            same(type, [](auto& at, const image& p, auto& out) { (void)h_basins(at, p, 2, out); });
            same(type,
                 [](auto& at, const image& p, auto& out) { (void)closing_by_reconstruction(at, p, 3, out); });
            same(type, [&](auto& at, const image& p, auto& out) {
                depression_options o;
                o.has_no_data = true;
                o.no_data = v[v.size() / 2];
                (void)fill_depressions(at, p, out, o);
            });
            same(pixel::boolean,
                 [](auto& at, const image& p, auto& out) { (void)regional_maxima(at, p, out); });
            same(pixel::boolean,
                 [](auto& at, const image& p, auto& out) { (void)extended_minima(at, p, 2, out); });
            same(pixel::boolean,
                 [](auto& at, const image& p, auto& out) { (void)hysteresis_threshold(at, p, 3, 9, out); });
        }
    const raster shape = shape_of(pixel::boolean, 61, 90);
    const values flags = random_specimen(shape, spread::few, 4).mask;
    expect_same(shape, flags, pixel::boolean, [](auto& at, const const_image_view& p, auto& out) {
        const pixel_position points[] = {{0, 3, 5}, {0, 60, 80}};
        (void)select_objects(at, p, points, out);
    });
}

/// Parts begin with lines of their neighbours where the border is the marker.
TEST_P(SpreadImages, LinesOfNeighbours) {
    unsigned seed = 20;
    for (const int beyond : {0, 1, 3, 100}) {
        const tuning::scoped_override lines("reconstruction/parts/beyond=" + std::to_string(beyond));
        for (const pixel type : {pixel::u8, pixel::u16, pixel::f64})
            for (const raster& shape :
                 {shape_of(type, 203, 71), shape_of(type, 64, 65), shape_of(type, 9, 7, 70)}) {
                const values v = random_specimen(shape, spread::many, ++seed).mask;
                using image = const_image_view;
                expect_same(shape, v, type,
                            [](auto& at, const image& p, auto& o) { (void)fill_holes(at, p, o); });
                expect_same(shape, v, type,
                            [](auto& at, const image& p, auto& o) { (void)clear_border(at, p, o); });
            }
    }
}

TEST_P(SpreadImages, RefusesWhatIsNotSplit) {
    const raster shape = shape_of(pixel::bit, 4, 40);
    stored bits(shape, 0, values(160, 1)), out(shape, 0, values(160, 0));
    EXPECT_NE(thrown<unsupported_variant>([&] {
                  (void)fill_holes(many, bits.view(), out.view());
              }).find("where.devices"),
              std::string::npos);
    stored grey(shape_of(pixel::u8, 4, 4), 0, values(16, 1)), to(shape_of(pixel::u8, 4, 4), 0, values(16, 7));
    reconstruction_options o;
    o.asynchronous = true;
    EXPECT_THROW((void)fill_holes(many, grey.view(), to.view(), o), bad_argument);
    EXPECT_THROW((void)fill_holes(on_cuda{.devices = {0, 4711}}, grey.view(), to.view()), bad_argument);
    EXPECT_EQ(to.get(), values(16, 7)) << "a refused call writes nothing";
}

}  // namespace
}  // namespace wale::agreement
