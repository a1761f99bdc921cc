// Images in parts: a reconstruction that goes on from its outermost pixels, and ranks that share one image.
#include <gtest/gtest.h>

#include <random>
#include <wale/shared_images.hpp>

#include "tuning/override.hpp"
#include "unit/thrown.hpp"

namespace wale {
namespace {

using method = reconstruction_method;

template <class T>
struct picture {
    raster shape;
    std::vector<T> mask, marker;

    picture(raster r, method how, unsigned seed) : shape(r) {
        shape.type = pixel_of<T>::value;
        shape.pack();
        std::mt19937 draw(seed);
        for (index_t k = 0; k < shape.pixels(); ++k) {
            const auto value = static_cast<T>(draw() % 7);
            mask.push_back(value);
            // Few pixels give something, so that values go long ways.
            const bool gives = draw() % 40 == 0;
            marker.push_back(gives ? value : static_cast<T>(how == method::dilation ? 0 : 6));
        }
    }
    [[nodiscard]] std::vector<T> alone(const reconstruction_options& o) const {
        std::vector<T> out(mask.size());
        (void)reconstruct(on_cpu{1}, {marker.data(), shape}, {mask.data(), shape}, {out.data(), shape}, o);
        return out;
    }
    /// Every rank writes its lines of the answer.
    [[nodiscard]] std::vector<T> shared(int size, const reconstruction_options& o) const {
        std::vector<T> out(mask.size());
        run_ranks(size, [&](const ranks& group) {
            const row_range lines = image_share(shape, group.rank(), size);
            const raster part = image_part(shape, lines);
            raster before = image_part(shape, {0, lines.first});
            const index_t at = before.pixels();
            (void)reconstruct(group, on_cpu{1}, shape, {marker.data() + at, part}, {mask.data() + at, part},
                              {out.data() + at, part}, o);
        });
        return out;
    }
};

raster flat(index_t rows, index_t columns, index_t images = 1) {
    raster r;
    r.rows = rows;
    r.columns = columns;
    r.images = images;
    return r;
}
raster volume(index_t planes, index_t rows, index_t columns) {
    raster r = flat(rows, columns);
    r.rank = 3;
    r.planes = planes;
    return r;
}
const raster shapes[] = {flat(1, 1),    flat(9, 1), flat(40, 33),     flat(3, 200),    flat(7, 5, 6),
                         flat(64, 150), flat(0, 4), volume(9, 8, 20), volume(1, 6, 7), volume(5, 1, 30)};

template <class T>
void same_for_any_ranks() {
    unsigned seed = 1;
    for (const raster& shape : shapes)
        for (const method how : {method::dilation, method::erosion})
            for (int reach = 1; reach <= shape.rank; ++reach) {
                constexpr int names[2][3] = {{4, 8, 0}, {6, 18, 26}};
                const reconstruction_options o{.method = how,
                                               .connectivity = names[shape.rank - 2][reach - 1]};
                const picture<T> p(shape, how, ++seed);
                const std::vector<T> one = p.alone(o);
                for (const int size : {1, 2, 3, 11}) {
                    SCOPED_TRACE(testing::Message()
                                 << shape.images << " x " << shape.planes << " x " << shape.rows << " x "
                                 << shape.columns << ", " << size << " ranks");
                    EXPECT_EQ(p.shared(size, o), one);
                }
            }
}

TEST(SharedImage, ThePixelsOfOneRank) {
    same_for_any_ranks<std::uint8_t>();
    same_for_any_ranks<std::uint16_t>();
    same_for_any_ranks<std::int32_t>();
    same_for_any_ranks<float>();
    same_for_any_ranks<double>();
}

TEST(SharedImage, AValueThatCrossesAllPartsManyTimes) {
    picture<std::uint8_t> p(flat(40, 41), method::dilation, 1);
    for (index_t row = 0; row < 40; ++row)  // one path of a pixel's width, up and down through all rows
        for (index_t column = 0; column < 41; ++column) {
            const bool turn = row == (column % 4 == 1 ? 39 : 0);
            const auto at = static_cast<std::size_t>(row * 41 + column);
            p.mask[at] = column % 2 == 0 || turn ? 9 : 0;
            p.marker[at] = 0;
        }
    p.marker[0] = 5;
    const std::vector<std::uint8_t> one = p.alone({.connectivity = 4});
    EXPECT_EQ(one.back(), 5);
    for (const int size : {2, 5, 40}) EXPECT_EQ(p.shared(size, {.connectivity = 4}), one) << size;
}

TEST(SharedImage, SharesCoverTheLines) {
    for (const raster& shape : shapes)
        for (const int size : {1, 2, 5, 64}) {
            index_t next = 0, pixels = 0;
            for (int r = 0; r < size; ++r) {
                const row_range lines = image_share(shape, r, size);
                EXPECT_EQ(lines.first, next);
                next = lines.last;
                pixels += image_part(shape, lines).pixels();
            }
            EXPECT_EQ(pixels, shape.pixels());
        }
    EXPECT_THROW((void)image_share(flat(3, 3), 2, 2), bad_argument);
}

TEST(SharedImage, Refusals) {
    const picture<std::uint8_t> p(flat(20, 20), method::dilation, 1);
    expect_thrown<bad_argument>("this rank's part of whole", [&] {
        std::vector<std::uint8_t> out(p.mask);
        run_ranks(2, [&](const ranks& group) {
            (void)reconstruct(group, on_cpu{1}, p.shape, {p.marker.data(), p.shape}, {p.mask.data(), p.shape},
                              {out.data(), p.shape});
        });
    });
    raster bits = flat(20, 20);
    bits.type = pixel::bit;
    bits.pack();
    std::vector<std::uint32_t> words(20);
    expect_thrown<unsupported_variant>("bit-packed", [&] {
        (void)reconstruct_onward(on_cpu{1}, {words.data(), bits},
                                 {std::vector<std::uint32_t>(20).data(), bits});
    });
}

template <class T>
void goes_on() {
    unsigned seed = 100;
    for (const raster& shape : shapes)
        for (const method how : {method::dilation, method::erosion})
            for (const int connectivity : {0, shape.rank == 2 ? 4 : 6}) {
                const reconstruction_options o{.method = how, .connectivity = connectivity};
                picture<T> p(shape, how, ++seed);
                std::vector<T> risen = p.alone(o);
                for (std::size_t k = 0; k < risen.size(); ++k) {
                    const auto n = static_cast<index_t>(k);
                    const index_t column = n % shape.columns, row = n / shape.columns % shape.rows;
                    const index_t plane = n / shape.columns / shape.rows % shape.planes;
                    const bool outer = column == 0 || column == shape.columns - 1 || row == 0 ||
                                       row == shape.rows - 1 ||
                                       (shape.rank == 3 && (plane == 0 || plane == shape.planes - 1));
                    if (outer && (k * 7 + seed) % 5 == 0) risen[k] = p.mask[k];
                }
                p.marker = risen;
                const std::vector<T> wanted = p.alone(o);
                (void)reconstruct_onward(on_cpu{2}, {risen.data(), p.shape}, {p.mask.data(), p.shape}, o);
                EXPECT_EQ(risen, wanted) << shape.rows << " x " << shape.columns;
            }
}

TEST(SharedImage, GoesOnFromItsOutermostPixels) {
    for (const char* row : {"0", "1"}) {  // 1: all seams between bands in small images
        const tuning::scoped_override forced(std::string("reconstruction/reconstruct/clamp_scan=") + row);
        goes_on<std::uint8_t>();
        goes_on<std::uint16_t>();
        goes_on<std::int32_t>();
        goes_on<float>();
        goes_on<double>();
    }
}

}  // namespace
}  // namespace wale
