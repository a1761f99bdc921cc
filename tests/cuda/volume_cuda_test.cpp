// volume_cuda_test - volumes on the device against the plain reference: every type, connectivity and rule,
// tiles that are cut in every direction, batches, strides; and the worklist where waiting could go wrong.
#include <gtest/gtest.h>

#include <limits>

#include "cuda/twins.hpp"
#include "tuning/override.hpp"

namespace wale {
namespace {

template <class T>
void expect_agrees(const raster& r, const std::string& variant, unsigned seed) {
    twin<T> mask(r, hills<T>(r, seed)), marker(r, random_pixels<T>(r, seed + 1, 200));
    for (int c : r.rank == 3 ? std::vector{6, 18, 26} : std::vector{4, 8})
        for (auto method : {reconstruction_method::dilation, reconstruction_method::erosion}) {
            reconstruction_options o;
            o.connectivity = c;
            o.method = method;
            o.beyond = marker_beyond::clamp;
            const auto run = [&](const execution& e, twin<T>& out, const std::string& v) {
                o.variant = v;
                (void)reconstruct(e, marker.on(e), mask.on(e), out.on(e), o);
            };
            EXPECT_EQ(difference<T>(r, run, variant), "")
                << name_of(r.type) << ' ' << r.images << 'x' << r.planes << 'x' << r.rows << 'x'
                << r.columns << " connectivity " << c << " method " << static_cast<int>(method);
        }
}

/// Sizes of one, of tiles and one more or less, in every direction.
void expect_agrees_everywhere(const std::string& variant) {
    unsigned seed = 1;
    for (const index_t planes : {1, 7, 9, 17})
        for (const index_t rows : {1, 31, 33, 70})
            for (const index_t columns : {1, 5, 32, 33, 75}) {
                const index_t images = columns == 5 ? 3 : 1, gap = columns == 33 ? 3 : 0;
                const auto of = [&](pixel type) {
                    return shape(type, 3, images, planes, rows, columns, gap);
                };
                expect_agrees<std::uint8_t>(of(pixel::u8), variant, ++seed);
                if (columns == 32) continue;
                expect_agrees<std::uint16_t>(of(pixel::u16), variant, ++seed);
                if (rows == 31) expect_agrees<std::int32_t>(of(pixel::i32), variant, ++seed);
                if (rows == 33) expect_agrees<float>(of(pixel::f32), variant, ++seed);
                if (rows == 70) expect_agrees<double>(of(pixel::f64), variant, ++seed);
            }
}

class VolumeCuda : public testing::Test {
protected:
    void SetUp() override {
        if (!is_available(backend::cuda)) GTEST_SKIP() << why_unavailable(backend::cuda);
    }
};

TEST_F(VolumeCuda, TilesAgreeAtEverySize) {
    expect_agrees_everywhere("tiles_3d");
}

TEST_F(VolumeCuda, ElementaryAgreesAtEverySize) {
    expect_agrees_everywhere("elementary");
}

TEST_F(VolumeCuda, ElementaryAgreesOnPlanes) {
    for (const index_t rows : {1, 16, 17, 50})
        for (const index_t columns : {1, 127, 129}) {
            expect_agrees<std::uint8_t>(shape(pixel::u8, 2, 2, 1, rows, columns), "elementary", 3);
            expect_agrees<std::uint16_t>(shape(pixel::u16, 2, 1, 1, rows, columns, 1), "elementary", 4);
            expect_agrees<float>(shape(pixel::f32, 2, 1, 1, rows, columns), "elementary", 5);
        }
}

/// Every way to start and to finish.
template <class T>
void expect_rules(pixel type, const std::string& variant) {
    const raster r = shape(type, 3, 2, 19, 41, 77), flags = shape(pixel::boolean, 3, 2, 19, 41, 77);
    twin<T> image(r, hills<T>(r, 9));
    reconstruction_options o;
    for (int c : {6, 18, 26}) {
        o.connectivity = c;
        const auto same = [&](const char* what, const auto& f) {
            EXPECT_EQ(difference<T>(
                          r,
                          [&](const execution& e, twin<T>& out, const std::string& v) {
                              o.variant = v;
                              (void)f(e, image.on(e), out.on(e));
                          },
                          variant),
                      "")
                << what << ' ' << name_of(type) << ' ' << c;
        };
        const auto flag = [&](const char* what, const auto& f) {
            EXPECT_EQ(difference<std::uint8_t>(
                          flags,
                          [&](const execution& e, twin<std::uint8_t>& out, const std::string& v) {
                              o.variant = v;
                              (void)f(e, image.on(e), out.on(e));
                          },
                          variant),
                      "")
                << what << ' ' << name_of(type) << ' ' << c;
        };
        same("h_domes", [&](auto e, auto in, auto out) { return h_domes(e, in, 20, out, o); });
        same("h_minima", [&](auto e, auto in, auto out) { return h_minima_transform(e, in, 20, out, o); });
        same("fill_holes", [&](auto e, auto in, auto out) { return fill_holes(e, in, out, o); });
        same("clear_border", [&](auto e, auto in, auto out) { return clear_border(e, in, out, o); });
        flag("regional_maxima", [&](auto e, auto in, auto out) { return regional_maxima(e, in, out, o); });
        flag("regional_minima", [&](auto e, auto in, auto out) { return regional_minima(e, in, out, o); });
    }
}

TEST_F(VolumeCuda, TilesFollowEveryRule) {
    expect_rules<std::uint8_t>(pixel::u8, "tiles_3d");
    expect_rules<std::uint16_t>(pixel::u16, "tiles_3d");
    expect_rules<std::int32_t>(pixel::i32, "tiles_3d");
    expect_rules<float>(pixel::f32, "tiles_3d");
    expect_rules<double>(pixel::f64, "tiles_3d");
}

TEST_F(VolumeCuda, ElementaryFollowsEveryRule) {
    expect_rules<std::uint8_t>(pixel::u8, "elementary");
    expect_rules<float>(pixel::f32, "elementary");
}

TEST_F(VolumeCuda, OneResidentBlockSuffices) {
    const tuning::scoped_override t("reconstruction/tiles_3d/max_blocks=1");
    expect_agrees<std::uint8_t>(shape(pixel::u8, 3, 1, 40, 130, 140), "tiles_3d", 5);
}

TEST_F(VolumeCuda, OrderOfVisitsDoesNotMatter) {
    const tuning::scoped_override t("reconstruction/tiles_3d/jitter=1");
    expect_agrees<std::uint8_t>(shape(pixel::u8, 3, 1, 40, 130, 140), "tiles_3d", 6);
}

/// A marker in one corner of a flat volume: every tile is woken by another.
TEST_F(VolumeCuda, LostWakeEndsInAnError) {
    const raster r = shape(pixel::u8, 3, 1, 32, 64, 64);
    std::vector<std::uint8_t> dark(static_cast<std::size_t>(r.span_elements()), 0);
    twin<std::uint8_t> mask(r, std::vector<std::uint8_t>(dark.size(), 9)), out(r, dark);
    dark[0] = 9;
    twin<std::uint8_t> marker(r, dark);
    const execution e = on_cuda{};
    reconstruction_options o;
    o.variant = "tiles_3d";
    {
        const tuning::scoped_override t("reconstruction/tiles_3d/withhold=4");
        bool failed = false;
        for (int k = 0; k < 20 && !failed; ++k) {  // the tile may happen to come after its waker
            try {
                (void)reconstruct(e, marker.on(e), mask.on(e), out.on(e), o);
            } catch (const device_error&) {
                failed = true;
            }
        }
        EXPECT_TRUE(failed);
    }
    (void)reconstruct(e, marker.on(e), mask.on(e), out.on(e), o);
    EXPECT_EQ(out.back(), mask.host);
}

/// Steps of a corridor that visits many tiles, one after the other, and many times.
TEST_F(VolumeCuda, CorridorThroughTiles) {
    const raster r = shape(pixel::u8, 3, 1, 21, 67, 69);
    std::vector<std::uint8_t> walls(static_cast<std::size_t>(r.span_elements()), 0), start = walls;
    for (index_t p = 0; p < r.planes; ++p)
        for (index_t y = 0; y < r.rows; ++y)
            for (index_t x = 0; x < r.columns; ++x) {
                const bool hall = p % 2 == 0 && y % 2 == 0,
                           turn = p % 2 == 0 && x == (y % 4 == 1 ? r.columns - 1 : 0);
                const bool stairs = p % 2 == 1 && x == 0 && y == (p % 4 == 1 ? r.rows - 1 : 0);
                if (hall || turn || stairs) walls[static_cast<std::size_t>(r.offset(0, p, y) + x)] = 200;
            }
    start[0] = 200;
    twin<std::uint8_t> mask(r, walls), marker(r, start);
    reconstruction_options o;
    for (int c : {6, 26}) {
        o.connectivity = c;
        for (const char* variant : {"tiles_3d", "elementary"}) {
            const auto run = [&](const execution& e, twin<std::uint8_t>& out, const std::string& v) {
                o.variant = v;
                (void)reconstruct(e, marker.on(e), mask.on(e), out.on(e), o);
            };
            EXPECT_EQ(difference<std::uint8_t>(r, run, variant), "") << variant << ' ' << c;
        }
    }
}

TEST_F(VolumeCuda, QueuesWithoutWaiting) {
    const raster r = shape(pixel::u16, 3, 1, 30, 50, 60);
    twin<std::uint16_t> image(r, hills<std::uint16_t>(r, 3));
    reconstruction_options o;
    const auto run = [&](const execution& e, twin<std::uint16_t>& out, const std::string& v) {
        o.variant = v;
        o.asynchronous = backend_of(e) == backend::cuda;
        const reconstruction_result result = h_domes(e, image.on(e), 30, out.on(e), o);
        if (o.asynchronous) {
            EXPECT_EQ(result.tile_visits, 0);
        }
    };
    EXPECT_EQ(difference<std::uint16_t>(r, run, "tiles_3d"), "");
    o.asynchronous = true;
    o.variant = "elementary";
    twin<std::uint16_t> out(r, image.host);
    EXPECT_THROW((void)h_domes(on_cuda{}, image.on(on_cuda{}), 30, out.on(on_cuda{}), o),
                 unsupported_variant);
}

TEST_F(VolumeCuda, ReportsWhatRan) {
    const raster r = shape(pixel::u8, 3, 1, 30, 50, 60);
    twin<std::uint8_t> image(r, hills<std::uint8_t>(r, 3)), out(r, image.host);
    reconstruction_options o;
    o.variant = "tiles_3d";
    const execution e = on_cuda{};
    const reconstruction_result result = h_domes(e, image.on(e), 30, out.on(e), o);
    EXPECT_EQ(result.run.variant, "cuda/tiles_3d");
    EXPECT_GE(result.tile_visits, 2 * 2 * 4);
    EXPECT_GT(result.run.compute_seconds, 0);
    o.variant = "elementary";
    EXPECT_GT(h_domes(e, image.on(e), 30, out.on(e), o).run.iterations, 0);
}

/// inspect: the first pixel, row by row, and the count; whatever the strides.
TEST_F(VolumeCuda, FindsWhatMustNotBe) {
    const raster r = shape(pixel::f32, 3, 2, 5, 7, 600, 1);
    std::vector<float> zeros(static_cast<std::size_t>(r.span_elements()), 0.0f);
    std::vector<float> high = zeros;
    const auto set = [&](std::vector<float>& v, index_t item, index_t plane, index_t row, index_t column,
                         float x) {
        v[static_cast<std::size_t>(r.offset(item, plane, row) + column)] = x;
    };
    set(high, 1, 2, 3, 599, 1);
    set(high, 1, 2, 4, 0, 1);
    twin<float> mask(r, zeros), marker(r, high), out(r, zeros);
    const execution e = on_cuda{};
    const auto message = [&](twin<float>& a, twin<float>& b) -> std::string {
        try {
            (void)reconstruct(e, a.on(e), b.on(e), out.on(e));
        } catch (const bad_argument& error) {
            return error.what();
        }
        return "";
    };
    const std::string said = message(marker, mask);
    EXPECT_NE(said.find("2 of 42000"), std::string::npos) << said;
    EXPECT_NE(said.find("image 1, plane 2, row 3, column 599"), std::string::npos) << said;
    set(zeros, 0, 4, 0, 77, std::numeric_limits<float>::quiet_NaN());
    twin<float> bad(r, zeros);
    const std::string not_a_number = message(marker, bad);
    EXPECT_NE(not_a_number.find("NaN at image 0, plane 4, row 0, column 77"), std::string::npos)
        << not_a_number;
    EXPECT_EQ(message(mask, mask), "");
}

}  // namespace
}  // namespace wale
