// Depressions of elevation models against Priority-Flood (Barnes, Lehman, Mulla 2014, algorithm 1), written
// here.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <queue>

#include "agreement/morphology.hpp"

namespace wale::agreement {
namespace {

struct cell {
    double height;
    index_t at;
    bool operator<(const cell& o) const { return o.height < height; }  // the lowest first
};

/// Water rises from the border and from cells without data, which keep their value.
values priority_flood(const raster& shape, const values& height, const std::vector<char>& outlet,
                      int connectivity) {
    const std::size_t n = height.size();
    std::vector<std::vector<index_t>> beside(n);
    for_each_pair(shape, connectivity,
                  [&](index_t a, index_t b) { beside[static_cast<std::size_t>(a)].push_back(b); });
    values filled = height;
    std::vector<char> closed(n, 0);
    std::priority_queue<cell> open;
    const std::vector<char> border = border_of(shape);
    for (std::size_t i = 0; i < n; ++i) {
        if (!border[i] && !outlet[i]) continue;
        open.push(
            {outlet[i] ? -std::numeric_limits<double>::infinity() : height[i], static_cast<index_t>(i)});
        closed[i] = 1;
    }
    while (!open.empty()) {
        const cell lowest = open.top();
        open.pop();
        for (const index_t next : beside[static_cast<std::size_t>(lowest.at)]) {
            const auto i = static_cast<std::size_t>(next);
            if (closed[i]) continue;
            closed[i] = 1;
            filled[i] = std::max(height[i], lowest.height);
            open.push({filled[i], next});
        }
    }
    return filled;
}

bool same(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

class Depressions : public Everywhere {
protected:
    /// The answers against Priority-Flood; `no_data` NaN: not asked for.
    static void expect_filled(const raster& shape, const values& height, double no_data) {
        const place_to_run& at = GetParam();
        std::vector<char> outlet(height.size());
        for (std::size_t i = 0; i < height.size(); ++i)
            outlet[i] = std::isnan(height[i]) || height[i] == no_data;
        for (const int connectivity :
             shape.rank == 3 ? std::vector<int>{6, 18, 26} : std::vector<int>{4, 8}) {
            const values e = priority_flood(shape, height, outlet, connectivity);
            const values found =
                answer({at, connectivity, 1}, shape, height, shape.type,
                       [&](const operation_call& how, const const_image_view& image, const image_view& out) {
                           depression_options options;
                           options.connectivity = how.connectivity;
                           options.asynchronous = how.at.asynchronous;
                           options.has_no_data = !std::isnan(no_data);
                           options.no_data = no_data;
                           fill_depressions(how.at.where, image, out, options);
                       });
            for (std::size_t i = 0; i < e.size(); ++i)
                ASSERT_TRUE(same(found[i], e[i]))
                    << at.name << ", " << name_of(shape.type) << ", connectivity " << connectivity
                    << ", pixel " << i << " of " << shape.rows << " x " << shape.columns << ": " << found[i]
                    << ", expected " << e[i];
        }
    }
};
INSTANTIATE_TEST_SUITE_P(Everywhere, Depressions, testing::ValuesIn(places_to_run()), place_name);

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
const std::vector<pixel> types{pixel::u8, pixel::u16, pixel::i32, pixel::f32, pixel::f64};

TEST_P(Depressions, WithoutGapsInTheData) {
    for (const pixel type : types)
        for (const raster& shape : small_shapes(type))
            for (unsigned seed = 0; seed < 4; ++seed)
                expect_filled(shape, random_values(shape, seed), nothing);
}

TEST_P(Depressions, WaterRunsOffIntoCellsWithoutData) {
    for (const pixel type : types)
        for (const raster& shape : small_shapes(type))
            for (const double no_data : {3.0, 250.0, -9999.0, 2.5}) {  // few types hold all of them
                values height = random_values(shape, 1);
                const bool held = type == pixel::f32 || type == pixel::f64 || type == pixel::i32
                                      ? no_data != 2.5 || type != pixel::i32
                                      : no_data == 3.0 || no_data == 250.0;
                for (std::size_t i = 5; held && i < height.size(); i += 17) height[i] = no_data;
                expect_filled(shape, height, no_data);
            }
}

TEST_P(Depressions, NaNIsWithoutDataUnasked) {
    for (const pixel type : {pixel::f32, pixel::f64})
        for (const raster& shape : small_shapes(type)) {
            values height = random_values(shape, 1);
            for (std::size_t i = 3; i < height.size(); i += 19) height[i] = nothing;
            expect_filled(shape, height, nothing);
            expect_filled(shape, height, 5);
        }
}

TEST_P(Depressions, ARoundedNoDataValueIsFound) {
    const place_to_run& at = GetParam();
    const raster shape = shape_of(pixel::f32, 5, 5);
    values height(25, 9);
    height[7] = height[11] = height[12] = height[13] = height[17] = 1;
    height[12] = static_cast<double>(-3.4028235e38F);  // the lowest float, as GIS files print it
    const values found =
        answer({at}, shape, height, pixel::f32,
               [](const operation_call& how, const const_image_view& image, const image_view& out) {
                   depression_options options;
                   options.has_no_data = true;
                   options.no_data = -3.4028235e38;
                   options.asynchronous = how.at.asynchronous;
                   fill_depressions(how.at.where, image, out, options);
               });
    EXPECT_EQ(found, height) << at.name;  // everything runs off into the middle
}

}  // namespace
}  // namespace wale::agreement
