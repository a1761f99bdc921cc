// image - views of images of any pixel type: one or many, in two or three dimensions. Own nothing.
#pragma once

#include <cstdint>
#include <type_traits>
#include <wale/view.hpp>

namespace wale {

/// bit: 32 pixels in a std::uint32_t, the leftmost pixel in bit 0; bits beyond the last column mean nothing
/// and keep their value.
/// boolean: a byte, 0 or 1.
enum class pixel { bit, boolean, u8, u16, i32, f32, f64 };

[[nodiscard]] constexpr index_t bytes_of(pixel p) noexcept {  // of an element; of a word for pixel::bit
    constexpr index_t bytes[] = {4, 1, 1, 2, 4, 4, 8};
    return bytes[static_cast<int>(p)];
}
[[nodiscard]] constexpr const char* name_of(pixel p) noexcept {
    constexpr const char* names[] = {"bit", "bool", "uint8", "uint16", "int32", "float32", "float64"};
    return names[static_cast<int>(p)];
}

template <class T>
struct pixel_of;  // no value: not a pixel type
template <>
struct pixel_of<bool> : std::integral_constant<pixel, pixel::boolean> {};
template <>
struct pixel_of<std::uint8_t> : std::integral_constant<pixel, pixel::u8> {};
template <>
struct pixel_of<std::uint16_t> : std::integral_constant<pixel, pixel::u16> {};
template <>
struct pixel_of<std::int32_t> : std::integral_constant<pixel, pixel::i32> {};
template <>
struct pixel_of<float> : std::integral_constant<pixel, pixel::f32> {};
template <>
struct pixel_of<double> : std::integral_constant<pixel, pixel::f64> {};

/// Where the pixels of some images of one shape lie. The pixels of a row are contiguous.
struct raster {
    pixel type = pixel::u8;
    int rank = 2;            // of one image: 2 or 3
    index_t images = 1;      // independent of each other
    index_t planes = 1;      // 1 where rank is 2
    index_t rows = 0;        // of a plane
    index_t columns = 0;     // pixels of a row
    index_t row_stride = 0;  // elements (words for pixel::bit) from a row to the next
    index_t plane_stride = 0;
    index_t image_stride = 0;

    [[nodiscard]] constexpr index_t pixels() const noexcept { return images * planes * rows * columns; }
    [[nodiscard]] constexpr index_t row_elements() const noexcept {
        return type == pixel::bit ? (columns + 31) / 32 : columns;
    }
    /// Elements from the first to the last pixel, inclusive.
    [[nodiscard]] constexpr index_t span_elements() const noexcept {
        if (pixels() == 0) return 0;
        return (images - 1) * image_stride + (planes - 1) * plane_stride + (rows - 1) * row_stride +
               row_elements();
    }
    [[nodiscard]] constexpr index_t offset(index_t image, index_t plane, index_t row) const noexcept {
        return image * image_stride + plane * plane_stride + row * row_stride;
    }
    [[nodiscard]] constexpr bool same_shape(const raster& o) const noexcept {
        return rank == o.rank && images == o.images && planes == o.planes && rows == o.rows &&
               columns == o.columns;
    }
    /// Rows without gaps.
    constexpr void pack() noexcept {
        row_stride = row_elements();
        plane_stride = rows * row_stride;
        image_stride = planes * plane_stride;
    }
    /// `shape`: [images,] [planes,] rows, columns as one image of rank 2 or 3.
    template <class T, int Rank>
    [[nodiscard]] static constexpr raster of(const view<T, Rank>& v) noexcept {
        static_assert(Rank == 2 || Rank == 3, "an image has two or three dimensions");
        raster r;
        r.type = pixel_of<std::remove_cv_t<T>>::value;
        r.rank = Rank;
        r.columns = v.extent(Rank - 1);
        r.rows = v.extent(Rank - 2);
        if constexpr (Rank == 3) r.planes = v.extent(0);
        r.row_stride = v.mapping().pitch;
        r.plane_stride = r.rows * r.row_stride;
        r.image_stride = r.planes * r.plane_stride;
        return r;
    }
};

/// Images to read.
struct const_image_view : raster {
    const void* data = nullptr;

    constexpr const_image_view() = default;
    constexpr const_image_view(const void* pixels, const raster& where) : raster(where), data(pixels) {}
    template <class T, int Rank>
    constexpr const_image_view(view<T, Rank> v) : const_image_view(v.data(), raster::of(v)) {}
};

/// Images to write.
struct image_view : raster {
    void* data = nullptr;

    constexpr image_view() = default;
    constexpr image_view(void* pixels, const raster& where) : raster(where), data(pixels) {}
    template <class T, int Rank>
        requires(!std::is_const_v<T>)
    constexpr image_view(view<T, Rank> v) : image_view(v.data(), raster::of(v)) {}
    constexpr operator const_image_view() const { return {data, *this}; }
};

/// The leading axis of a stack counts independent images: a batch. Rank 3: of flat images; rank 4 of
/// volumes is made by setting the members of raster.
template <class T>
[[nodiscard]] constexpr auto batch_of(view<T, 3> stack) noexcept {
    raster r = raster::of(stack);
    r.rank = 2;
    r.images = r.planes;
    r.planes = 1;
    r.image_stride = r.plane_stride;
    if constexpr (std::is_const_v<T>)
        return const_image_view(stack.data(), r);
    else
        return image_view(stack.data(), r);
}

/// Bit-packed rows of `columns` pixels: words(row, word). A row needs (columns + 31) / 32 words.
template <class Word>
    requires(std::is_same_v<std::remove_cv_t<Word>, std::uint32_t>)
[[nodiscard]] constexpr auto bits_of(view<Word, 2> words, index_t columns) noexcept {
    raster r;
    r.type = pixel::bit;
    r.rows = words.extent(0);
    r.columns = columns;
    r.row_stride = words.mapping().pitch;
    r.plane_stride = r.image_stride = r.rows * r.row_stride;
    if constexpr (std::is_const_v<Word>)
        return const_image_view(words.data(), r);
    else
        return image_view(words.data(), r);
}

}  // namespace wale
