// The watershed: every row against the rule written here with a sorted set, and what the rule promises.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <limits>
#include <random>
#include <set>
#include <tuple>

#include "agreement/morphology.hpp"
#include "agreement/rows.hpp"
#include "solvers/reconstruction/jobs.hpp"
#include "unit/thrown.hpp"

namespace wale::agreement {
namespace {

constexpr index_t most_pixels = 1200;  // the rule is slow

struct basins {
    raster shape;
    values image;
    values markers;  // labels, 0: none
    values mask;     // empty: everything
    int connectivity = 0;
    bool line = false;
};

/// Neighbours of a pixel, nearest first, then in raster order.
std::vector<std::vector<std::size_t>> neighbours_of(const raster& shape, int connectivity) {
    std::vector<std::vector<std::size_t>> beside(static_cast<std::size_t>(shape.pixels()));
    const int farthest = connectivity == 4 || connectivity == 6 ? 1 : connectivity == 18 ? 2 : 3;
    const auto add = [&](index_t a, index_t b) {
        auto& list = beside[static_cast<std::size_t>(a)];
        const auto n = static_cast<std::size_t>(b);
        if (std::find(list.begin(), list.end(), n) == list.end()) list.push_back(n);
    };
    // Those of 4 or 6 are the nearest, those of 18 come next: each pass adds the farther ones.
    for (int far = 1; far <= farthest; ++far) {
        const int within = far == 1 ? 6 : far == 2 ? 18 : 26;
        for_each_pair(shape, within, add);
    }
    return beside;
}

/// The rule: (level, time of arrival) decides who goes next; markers have waited from the start, in raster
/// order.
values flooded_by_rule(const basins& b) {
    const auto beside = neighbours_of(b.shape, b.connectivity);
    const std::size_t n = b.image.size();
    std::vector<char> open(n, 1);
    for (std::size_t i = 0; i < n && !b.mask.empty(); ++i) open[i] = b.mask[i] != 0;
    values label(n, 0);
    std::set<std::tuple<double, std::size_t, std::size_t, double>> waiting;  // level, time, pixel, label
    std::size_t time = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (!open[i] || b.markers[i] == 0) continue;
        label[i] = b.markers[i];
        waiting.insert({b.image[i], time++, i, label[i]});
    }
    const std::size_t marked = time;
    while (!waiting.empty()) {
        const auto [level, since, i, mine] = *waiting.begin();
        waiting.erase(waiting.begin());
        if (b.line) {
            if (!open[i] || (since >= marked && label[i] != 0)) continue;  // has gone before
            bool met = false;
            for (const std::size_t j : beside[i]) met = met || (open[j] && label[j] != 0 && label[j] != mine);
            if (met)
                open[i] = 0;
            else
                label[i] = mine;
        }
        for (const std::size_t j : beside[i]) {
            if (!open[j] || label[j] != 0) continue;
            if (!b.line) label[j] = mine;
            waiting.insert({std::max(b.image[j], level), time++, j, mine});
        }
    }
    return label;
}

basins random_basins(const raster& shape, unsigned seed) {
    std::mt19937 random(seed);
    basins b{shape, random_values(shape, seed), {}, {}, 0, seed % 2 == 1};
    const unsigned one_in = seed % 3 == 0 ? 5 : 40;
    for (std::size_t i = 0; i < b.image.size(); ++i) {
        const double label = static_cast<double>(random() % 7) - 3;  // negative labels are labels
        b.markers.push_back(random() % one_in == 0 ? label * 700000000 : 0);
        if (seed % 5 < 2) b.mask.push_back(static_cast<double>(random() % 5 > 0));
    }
    return b;
}

class Watershed : public row_test {
protected:
    /// The row's labels, nothing where it refuses the pixel type; into the markers where `in_place`.
    static std::optional<values> run(const basins& b, index_t gap, bool in_place = false) {
        raster ints = b.shape, flags = b.shape;
        ints.type = pixel::i32;
        flags.type = pixel::boolean;
        stored image(b.shape, gap, b.image), markers(ints, gap, b.markers), labels(ints, gap);
        stored mask(flags, gap + 1, b.mask.empty() ? values(b.image.size(), 1) : b.mask);
        const watershed_options options{GetParam().name, b.connectivity, b.line};
        try {
            (void)watershed(where(), image.view(), markers.view(),
                            b.mask.empty() ? const_image_view{} : const_image_view(mask.view()),
                            in_place ? markers.view() : labels.view(), options);
        } catch (const unsupported_variant&) {
            return std::nullopt;
        }
        EXPECT_TRUE(labels.gaps_untouched());
        return (in_place ? markers : labels).get();
    }
};

TEST_P(Watershed, FollowsTheRule) {
    unsigned seed = 0;
    for (const pixel type : {pixel::boolean, pixel::u8, pixel::u16, pixel::i32, pixel::f32, pixel::f64}) {
        int answered = 0;
        for (const raster& shape : small_shapes(type)) {
            if (shape.images != 1 || shape.pixels() > most_pixels) continue;
            for (const int connectivity :
                 shape.rank == 3 ? std::vector<int>{6, 18, 26} : std::vector<int>{4, 8})
                for (int repeat = 0; repeat < 2; ++repeat) {
                    basins b = random_basins(shape, ++seed);
                    b.connectivity = connectivity;
                    const auto found = run(b, seed % 3, seed % 4 == 0);
                    if (!found) continue;
                    ++answered;
                    ASSERT_EQ(difference_text(shape, *found, flooded_by_rule(b)), "")
                        << name_of(type) << " " << shape.planes << " x " << shape.rows << " x "
                        << shape.columns << ", connectivity " << connectivity << ", seed " << seed;
                }
        }
        EXPECT_EQ(answered == 0, GetParam().name == "cpu/buckets" && bytes_of(type) > 2) << name_of(type);
    }
}

TEST_P(Watershed, FloodsEachImageOfABatchByItself) {
    const raster one = shape_of(pixel::u8, 9, 11);
    basins batch{shape_of(pixel::u8, 9, 11, -1, 3), {}, {}, {}, 8, false};
    values expected;
    for (unsigned seed = 0; seed < 3; ++seed) {
        basins b = random_basins(one, 10 * seed + 2);  // no mask, no line
        b.connectivity = 8;
        const values e = flooded_by_rule(b);
        batch.image.insert(batch.image.end(), b.image.begin(), b.image.end());
        batch.markers.insert(batch.markers.end(), b.markers.begin(), b.markers.end());
        batch.line = b.line;
        batch.mask.insert(batch.mask.end(), b.mask.begin(), b.mask.end());
        expected.insert(expected.end(), e.begin(), e.end());
    }
    ASSERT_TRUE(batch.mask.empty() && !batch.line);
    EXPECT_EQ(run(batch, 1), expected);
}

TEST_P(Watershed, OfManyLevelsThatFallAndRise) {
    const raster shape = shape_of(pixel::u16, 60, 60);
    for (const bool line : {false, true}) {
        basins b{shape, {}, values(3600, 0), {}, 8, line};
        std::mt19937 random(5);
        for (int i = 0; i < 3600; ++i) b.image.push_back(static_cast<double>(random() % 65536));
        for (std::size_t i = 0; i < 3600; i += 211) b.markers[i] = static_cast<double>(1 + i);
        EXPECT_EQ(run(b, 0), flooded_by_rule(b));
    }
}

/// 3 x 104 pixels, each of which that is not marked lies between two labels. The levels rise from column to
/// column, and from one even column to the next lead three ways.
basins many_ways() {
    basins b{shape_of(pixel::u8, 3, 104), {}, {}, {}, 8, true};
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 104; ++column) {
            const bool marked = row != 1 && column % 2 == 0;
            b.image.push_back(marked ? 0 : 1 + column);
            b.markers.push_back(!marked ? 0 : row == 0 ? 1 + column / 2 % 2 : 2 - column / 2 % 2);
        }
    return b;
}

/// The sanitizers take memory of their own.
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const rlimit most{rlim_t{1} << 30, rlim_t{1} << 30};
    if (setrlimit(RLIMIT_DATA, &most) != 0) std::exit(2);
#endif
}

TEST_P(Watershed, QueuesAPixelAsOftenAsItHasNeighboursNotAsThereAreWays) {
    const basins b = many_ways();
    const values expected = flooded_by_rule(b);
    const auto flood = [&] {
        limit_memory();
        std::exit(run(b, 0) == expected ? 0 : 1);
    };
    EXPECT_EXIT(flood(), testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(Rows, Watershed, testing::ValuesIn(rows_of(reconstruction::watershed_rows)),
                         test_name);

struct small_case {
    std::vector<std::uint8_t> image = std::vector<std::uint8_t>(12, 1);
    std::vector<std::int32_t> markers = std::vector<std::int32_t>(12, 0);
    std::vector<std::int32_t> labels = std::vector<std::int32_t>(12, 0);
    matrix_view<const std::uint8_t> image_view{image.data(), {3, 4}};
    matrix_view<const std::int32_t> marker_view{markers.data(), {3, 4}};
    matrix_view<std::int32_t> label_view{labels.data(), {3, 4}};
};

TEST(WatershedContract, SaysPlainlyThatCudaHasNoVariant) {
    small_case c;
    expect_thrown<unsupported_variant>("no CUDA variant", [&] {
        (void)watershed(on_cuda{}, c.image_view, c.marker_view, {}, c.label_view);
    });
}

TEST(WatershedContract, RefusesWrongTypesShapesAndLabels) {
    small_case c;
    const matrix_view<std::uint8_t> bytes(c.image.data(), {3, 4});
    EXPECT_THROW(watershed(on_cpu{}, c.image_view, c.image_view, {}, c.label_view), bad_argument);
    EXPECT_THROW(watershed(on_cpu{}, c.image_view, c.marker_view, {}, bytes), bad_argument);
    EXPECT_THROW(watershed(on_cpu{}, c.image_view, c.marker_view, c.image_view, c.label_view), bad_argument);
    const matrix_view<std::int32_t> short_labels(c.labels.data(), {3, 3});
    EXPECT_THROW(watershed(on_cpu{}, c.image_view, c.marker_view, {}, short_labels), bad_argument);
    EXPECT_THROW(watershed(on_cpu{}, c.image_view, c.marker_view, {}, c.label_view, {.connectivity = 6}),
                 bad_argument);
    c.markers[5] = std::numeric_limits<std::int32_t>::min();
    EXPECT_THROW(watershed(on_cpu{}, c.image_view, c.marker_view, {}, c.label_view), bad_argument);
    const std::vector<float> nan(12, std::numeric_limits<float>::quiet_NaN());
    c.markers[5] = 1;
    EXPECT_THROW(
        watershed(on_cpu{}, matrix_view<const float>(nan.data(), {3, 4}), c.marker_view, {}, c.label_view),
        bad_argument);
}

}  // namespace
}  // namespace wale::agreement
