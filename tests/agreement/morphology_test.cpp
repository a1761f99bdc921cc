// morphology_test - every derived operation on every backend that is there, against its definition written
// out in morphology.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "agreement/morphology.hpp"
#include "thinned.hpp"

namespace wale::agreement {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const std::vector<pixel> grey_types{pixel::u8, pixel::u16, pixel::i32, pixel::f32, pixel::f64};

std::vector<int> connectivities(const raster& shape) {
    return shape.rank == 3 ? std::vector<int>{6, 18, 26} : std::vector<int>{4, 8};
}

reconstruction_options options_of(const operation_call& how) {
    reconstruction_options options;
    options.connectivity = how.connectivity;
    options.asynchronous = how.at.asynchronous;
    return options;
}

using expectation = std::function<values(const raster&, const values&, int connectivity)>;

enum class answers { as_image, flags, bits };  // the type of an operation's answer

pixel type_of(answers a, pixel image) {
    return a == answers::as_image ? image : a == answers::flags ? pixel::boolean : pixel::bit;
}

class Morphology : public Everywhere {
protected:
    /// Runs an operation for all shapes, connectivities and kinds of values.
    static void expect(const std::vector<pixel>& types, answers out, const operation& run,
                       const expectation& expected) {
        const place_to_run& at = GetParam();
        for (const pixel type : types) {
            unsigned seed = 0;
            for (const raster& shape : small_shapes(type))
                for (const int connectivity : connectivities(shape)) {
                    const values v = random_values(shape, ++seed), e = expected(shape, v, connectivity);
                    const values found =
                        answer({at, connectivity, seed % 3}, shape, v, type_of(out, type), run);
                    ASSERT_EQ(difference_text(shape, found, e), "")
                        << name_of(type) << " " << shape.images << " x " << shape.planes << " x "
                        << shape.rows << " x " << shape.columns << ", connectivity " << connectivity
                        << ", seed " << seed;
                }
        }
    }
};
INSTANTIATE_TEST_SUITE_P(Everywhere, Morphology, testing::ValuesIn(places_to_run()), place_name);

const std::vector<pixel> all_types{pixel::bit, pixel::boolean, pixel::u8, pixel::u16,
                                   pixel::i32, pixel::f32,     pixel::f64};
const std::vector<pixel> byte_types(all_types.begin() + 1, all_types.end());

values border_marker(const raster& shape, const values& v, double elsewhere) {
    values marker = v;
    const std::vector<char> border = border_of(shape);
    for (std::size_t i = 0; i < v.size(); ++i)
        if (!border[i]) marker[i] = elsewhere;
    return marker;
}

TEST_P(Morphology, HolesAreFilledUpToTheirLowestWayOut) {
    expect(
        all_types, answers::as_image,
        [](const operation_call& how, const const_image_view& image, const image_view& out) {
            fill_holes(how.at.where, image, out, options_of(how));
        },
        [](const raster& shape, const values& v, int connectivity) {
            return rebuilt(shape, border_marker(shape, v, highest_of(shape.type)), v, connectivity, true);
        });
}

TEST_P(Morphology, WhatTouchesTheBorderIsCleared) {
    expect(
        all_types, answers::as_image,
        [](const operation_call& how, const const_image_view& image, const image_view& out) {
            clear_border(how.at.where, image, out, options_of(how));
        },
        [](const raster& shape, const values& v, int connectivity) {
            const values j = rebuilt(shape, border_marker(shape, v, lowest_of(shape.type)), v, connectivity);
            values e(v.size());
            for (std::size_t i = 0; i < v.size(); ++i)
                e[i] = v[i] == j[i] ? 0 : std::min(v[i] - j[i], highest_of(shape.type));
            return e;
        });
}

/// The h-maxima transform, or the h-minima.
values transformed(const raster& shape, const values& v, double h, int connectivity, bool minima) {
    values marker = v;
    for (double& x : marker) x = shifted(shape.type, x, minima ? h : -h);
    return rebuilt(shape, marker, v, connectivity, minima);
}

constexpr double heights[] = {1, 2, 50};

TEST_P(Morphology, DomesAndBasinsAreCutByTheirHeight) {
    for (const double h : heights)
        for (const bool minima : {false, true}) {
            expect(
                grey_types, answers::as_image,
                [&](const operation_call& how, const const_image_view& image, const image_view& out) {
                    (minima ? h_minima_transform : h_maxima_transform)(how.at.where, image, h, out,
                                                                       options_of(how));
                },
                [&](const raster& shape, const values& v, int connectivity) {
                    return transformed(shape, v, h, connectivity, minima);
                });
            expect(
                grey_types, answers::as_image,
                [&](const operation_call& how, const const_image_view& image, const image_view& out) {
                    (minima ? h_basins : h_domes)(how.at.where, image, h, out, options_of(how));
                },
                [&](const raster& shape, const values& v, int connectivity) {
                    const values j = transformed(shape, v, h, connectivity, minima);
                    values e(v.size());
                    for (std::size_t i = 0; i < v.size(); ++i)
                        e[i] = std::min(std::abs(v[i] - j[i]), highest_of(shape.type));
                    return e;
                });
        }
}

TEST_P(Morphology, RegionalExtremaArePlateausAboveTheirNeighbours) {
    for (const bool minima : {false, true})
        expect(
            byte_types, answers::flags,
            [&](const operation_call& how, const const_image_view& image, const image_view& out) {
                (minima ? regional_minima : regional_maxima)(how.at.where, image, out, options_of(how));
            },
            [&](const raster& shape, const values& v, int connectivity) {
                return extrema(shape, v, connectivity, minima);
            });
}

TEST_P(Morphology, ExtendedExtremaAreThoseOfTheTransform) {
    for (const double h : heights)
        for (const bool minima : {false, true})
            expect(
                grey_types, answers::flags,
                [&](const operation_call& how, const const_image_view& image, const image_view& out) {
                    (minima ? extended_minima : extended_maxima)(how.at.where, image, h, out,
                                                                 options_of(how));
                },
                [&](const raster& shape, const values& v, int connectivity) {
                    return extrema(shape, transformed(shape, v, h, connectivity, minima), connectivity,
                                   minima);
                });
}

/// The least value of a box, or the largest, by looking at all of it.
values box_extreme(const raster& shape, const values& v, index_t size, bool largest) {
    const index_t radius = size / 2, depth = shape.rank == 3 ? radius : 0;
    values e(v.size());
    for (index_t i = 0; i < shape.pixels(); ++i) {
        const index_t column = i % shape.columns, row = i / shape.columns % shape.rows,
                      deep = i / shape.columns / shape.rows, plane = deep % shape.planes,
                      first = deep - plane;
        double best = v[static_cast<std::size_t>(i)];
        for (index_t p = std::max<index_t>(0, plane - depth); p <= std::min(shape.planes - 1, plane + depth);
             ++p)
            for (index_t r = std::max<index_t>(0, row - radius); r <= std::min(shape.rows - 1, row + radius);
                 ++r)
                for (index_t c = std::max<index_t>(0, column - radius);
                     c <= std::min(shape.columns - 1, column + radius); ++c) {
                    const double x =
                        v[static_cast<std::size_t>(((first + p) * shape.rows + r) * shape.columns + c)];
                    best = largest ? std::max(best, x) : std::min(best, x);
                }
        e[static_cast<std::size_t>(i)] = best;
    }
    return e;
}

index_t least_extent(const raster& shape) {
    const index_t flat = std::min(shape.rows, shape.columns);
    return shape.rank == 3 ? std::min(flat, shape.planes) : flat;
}

TEST_P(Morphology, OpeningAndClosingRebuildWhatTheBoxLeaves) {
    for (const index_t most : {index_t{1}, index_t{3}, index_t{5}, index_t{11}, index_t{39}})
        for (const bool closing : {false, true}) {
            const auto size_for = [&](const raster& shape) {
                const index_t extent = shape.pixels() == 0 ? most : least_extent(shape);
                return std::min(most, extent - (extent + 1) % 2);
            };
            expect(
                byte_types, answers::as_image,
                [&](const operation_call& how, const const_image_view& image, const image_view& out) {
                    (closing ? closing_by_reconstruction : opening_by_reconstruction)(
                        how.at.where, image, size_for(image), out, options_of(how));
                },
                [&](const raster& shape, const values& v, int connectivity) {
                    return rebuilt(shape, box_extreme(shape, v, size_for(shape), closing), v, connectivity,
                                   closing);
                });
        }
}

values above(pixel type, const values& v, double threshold) {
    const bool rounded = type == pixel::f32 && std::abs(threshold) < 1e38;
    const double t = rounded ? static_cast<double>(static_cast<float>(threshold)) : threshold;
    values flags(v.size());
    std::transform(v.begin(), v.end(), flags.begin(), [&](double x) { return x > t; });
    return flags;
}

TEST_P(Morphology, HysteresisKeepsWeakPixelsThatAreConnectedToStrongOnes) {
    const std::pair<double, double> thresholds[] = {{0, 2},         {1.5, 1.5},    {-1, 150},     {0.1, 0.1},
                                                    {-infinity, 3}, {3, infinity}, {1e300, 1e300}};
    for (const answers out_type : {answers::flags, answers::bits})
        for (const auto& [low, high] : thresholds)
            expect(
                byte_types, out_type,
                [low = low, high = high](const operation_call& how, const const_image_view& image,
                                         const image_view& out) {
                    hysteresis_threshold(how.at.where, image, low, high, out, options_of(how));
                },
                [low = low, high = high](const raster& shape, const values& v, int connectivity) {
                    return flooded(shape, above(shape.type, v, low), above(shape.type, v, high),
                                   connectivity);
                });
}

TEST_P(Morphology, ThresholdsOfFloatsAreRoundedToThem) {
    const place_to_run& at = GetParam();
    const values v{static_cast<double>(0.1F), static_cast<double>(std::nextafter(0.1F, 1.0F))};
    const raster shape = shape_of(pixel::f32, 1, 2);
    const values found =
        answer({at}, shape, v, pixel::boolean,
               [](const operation_call& how, const const_image_view& image, const image_view& out) {
                   hysteresis_threshold(how.at.where, image, 0.1, 0.1, out, options_of(how));
               });
    EXPECT_EQ(found, (values{0, 1})) << at.name;
}

/// Three random pixels, the first twice; of an image without pixels none.
std::vector<pixel_position> some_points(const raster& shape) {
    std::vector<pixel_position> points;
    std::mt19937 random(static_cast<unsigned>(shape.pixels()));
    const auto below = [&](index_t n) { return static_cast<index_t>(random() % static_cast<unsigned>(n)); };
    for (int i = 0; i < 3 && shape.pixels() > 0; ++i)
        points.push_back({below(shape.planes), below(shape.rows), below(shape.columns)});
    if (!points.empty()) points.push_back(points.front());
    return points;
}

TEST_P(Morphology, PointsSelectTheObjectsThatHoldThem) {
    const place_to_run& at = GetParam();
    if (at.asynchronous) GTEST_SKIP() << "select_objects waits for the area";
    for (const pixel type : {pixel::bit, pixel::boolean})
        for (const raster& shape : small_shapes(type)) {
            if (shape.images != 1) continue;
            const std::vector<pixel_position> points = some_points(shape);
            const values v = random_values(shape, 1);
            values seeds(v.size(), 0);
            for (const auto& p : points)
                seeds[static_cast<std::size_t>((p.plane * shape.rows + p.row) * shape.columns + p.column)] =
                    1;
            for (const int connectivity : connectivities(shape)) {
                const values e = flooded(shape, v, seeds, connectivity);

                index_t area = -1;
                const values found = answer(
                    {at, connectivity, 1}, shape, v, type,
                    [&](const operation_call& how, const const_image_view& image, const image_view& out) {
                        area = select_objects(how.at.where, image, points, out, options_of(how)).area;
                    });
                EXPECT_EQ(difference_text(shape, found, e), "") << at.name;
                EXPECT_EQ(area, std::count(e.begin(), e.end(), 1)) << at.name;
            }
        }
}

/// v + 1 of integers, the next float of floats.
double next_of(pixel type, double v) {
    if (type == pixel::f32)
        return std::nextafter(static_cast<float>(v), std::numeric_limits<float>::infinity());
    if (type == pixel::f64) return std::nextafter(v, infinity);
    return std::min(v + 1, highest_of(type));
}

TEST_P(Morphology, ImposedMinimaAreTheOnlyOnes) {
    const place_to_run& at = GetParam();
    for (const pixel type : grey_types)
        for (const raster& shape : small_shapes(type))
            for (const int connectivity : connectivities(shape)) {
                if (shape.pixels() < 2) continue;
                const values v = random_values(shape, static_cast<unsigned>(shape.rows + connectivity));
                values wanted(v.size(), 0), marker(v.size(), highest_of(type)), mask = v;
                for (std::size_t i = 0; i < v.size(); i += 11 + i % 5) wanted[i] = 1;
                for (std::size_t i = 0; i < v.size(); ++i) {
                    mask[i] = wanted[i] != 0 ? lowest_of(type) : next_of(type, v[i]);
                    if (wanted[i] != 0) marker[i] = lowest_of(type);
                }
                const values e = rebuilt(shape, marker, mask, connectivity, true);
                stored flags(shape_of(pixel::boolean, shape.rows, shape.columns,
                                      shape.rank == 3 ? shape.planes : -1, shape.images),
                             1, wanted);
                placed_image minima(at.where, flags);
                const values found = answer(
                    {at, connectivity, 2}, shape, v, type,
                    [&](const operation_call& how, const const_image_view& image, const image_view& out) {
                        impose_minima(how.at.where, image, minima.view(), out, options_of(how));
                    });
                EXPECT_EQ(difference_text(shape, found, e), "") << at.name << " " << name_of(type);
                if (shape.images == 1) {
                    EXPECT_EQ(extrema(shape, found, connectivity, true), wanted) << at.name;
                }
            }
}

/// Every operation with a preparation of its own, on images large enough that several threads, and
/// blocks of a device, share them.
std::vector<std::pair<answers, operation>> prepared_operations(const const_image_view& minima,
                                                               index_t widest) {
    const auto opening = [](index_t size) {
        return [=](const operation_call& how, const const_image_view& image, const image_view& out) {
            opening_by_reconstruction(how.at.where, image, size, out, options_of(how));
        };
    };
    return {{answers::as_image, opening(7)},
            {answers::as_image, opening(widest)},
            {answers::flags,
             [](const operation_call& how, const const_image_view& image, const image_view& out) {
                 hysteresis_threshold(how.at.where, image, 60, 190, out, options_of(how));
             }},
            {answers::as_image,
             [](const operation_call& how, const const_image_view& image, const image_view& out) {
                 depression_options options{options_of(how), true, 77};
                 fill_depressions(how.at.where, image, out, options);
             }},
            {answers::as_image,
             [=](const operation_call& how, const const_image_view& image, const image_view& out) {
                 impose_minima(how.at.where, image, minima, out, options_of(how));
             }}};
}

TEST_P(Morphology, ThreadsAndBlocksShareLargeImages) {
    for (const raster& shape :
         {shape_of(pixel::u8, 740, 720), shape_of(pixel::u16, 140, 128, 30), shape_of(pixel::u8, 66000, 9)}) {
        const values v = random_values(shape, 1);
        values wanted(v.size(), 0);
        for (std::size_t i = 0; i < v.size(); i += 977) wanted[i] = 1;
        stored minima(
            shape_of(pixel::boolean, shape.rows, shape.columns, shape.rank == 3 ? shape.planes : -1), 1,
            wanted);
        placed_image placed(GetParam().where, minima);
        const index_t widest = shape.rank == 3 ? 29 : shape.columns < 129 ? 9 : 129;
        const auto here = prepared_operations(placed.view(), widest),
                   on_host = prepared_operations(minima.view(), widest);
        const place_to_run truth{"reference", on_reference{}};
        for (std::size_t k = 0; k < here.size(); ++k) {
            if (!asked_here(4)) continue;
            const pixel type = type_of(here[k].first, shape.type);
            const values e = answer({truth, 0, 3}, shape, v, type, on_host[k].second);
            EXPECT_EQ(difference_text(shape, answer({GetParam(), 0, 5}, shape, v, type, here[k].second), e),
                      "")
                << k;
        }
        if (GetParam().asynchronous) continue;  // select_objects waits for the area
        index_t area = 0;
        const std::vector<pixel_position> points{{0, 3, 3}, {0, 30, 77 % shape.columns}};
        raster flags = minima.where();
        flags.pack();
        values open(v.size());
        for (std::size_t i = 0; i < v.size(); ++i) open[i] = v[i] > 90;
        const values found =
            answer({GetParam()}, flags, open, pixel::boolean,
                   [&](const operation_call& how, const const_image_view& image, const image_view& to) {
                       area = select_objects(how.at.where, image, points, to, options_of(how)).area;
                   });
        EXPECT_EQ(area, std::count(found.begin(), found.end(), 1));
    }
}

}  // namespace
}  // namespace wale::agreement
