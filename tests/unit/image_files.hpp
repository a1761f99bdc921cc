// image_files - what the tests of image files share: a folder, images of any type, comparisons.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <wale/image_file.hpp>

namespace wale::testing_files {

namespace fs = std::filesystem;
using wale::index_t;
using wale::pixel;

inline std::string content(const fs::path& path) {
    std::ostringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
}

/// The message with which a file is refused; empty if it is not.
inline std::string refusal(const std::string& bytes, const wale::image_file_options& options = {}) {
    try {
        (void)wale::parse_image(bytes, "f", options);
        return {};
    } catch (const wale::bad_input& e) {
        return e.what();
    }
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

class ImageFile : public testing::Test {
protected:
    void SetUp() override {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder = fs::path(testing::TempDir()) / (std::string("wale_image_") + test->name());
        fs::remove_all(folder);
        fs::create_directory(folder);
    }
    void TearDown() override { fs::remove_all(folder); }
    [[nodiscard]] std::string path(const std::string& name) const { return folder / name; }
    std::string written(const std::string& name, const wale::const_image_view& p, int bits = 0) const {
        wale::write_image(path(name), p, {.bits = bits});
        return content(path(name));
    }

    fs::path folder;
};

/// An image of any type, filled with its whole range, in memory with gaps between rows, planes and images.
struct sample_image {
    std::vector<char> bytes;
    wale::raster shape;

    sample_image(pixel type, int rank, index_t images, index_t planes, index_t rows, index_t columns) {
        shape.type = type;
        shape.rank = rank;
        shape.images = images;
        shape.planes = planes;
        shape.rows = rows;
        shape.columns = columns;
        shape.row_stride = shape.row_elements() + 3;
        shape.plane_stride = rows * shape.row_stride + 5;
        shape.image_stride = planes * shape.plane_stride + 7;
        bytes.resize(static_cast<std::size_t>((shape.image_stride * images + 1) * wale::bytes_of(type)),
                     '\x55');
        std::uint64_t state = 88172645463325252ULL;
        for (index_t p = 0; p < images; ++p)
            for (index_t z = 0; z < planes; ++z)
                for (index_t y = 0; y < rows; ++y)
                    for (index_t x = 0; x < columns; ++x) {
                        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
                        set(shape.offset(p, z, y), x, static_cast<std::int64_t>(state));
                    }
    }
    template <class T>
    T* at(index_t k) {
        return reinterpret_cast<T*>(bytes.data()) + k;
    }
    void set(index_t row, index_t x, std::int64_t v) {
        switch (shape.type) {
            case pixel::bit:
                *at<std::uint32_t>(row + x / 32) &= ~(1U << (x % 32));
                *at<std::uint32_t>(row + x / 32) |= static_cast<std::uint32_t>(v & 1) << (x % 32);
                return;
            case pixel::boolean:
                *at<std::uint8_t>(row + x) = static_cast<std::uint8_t>(v & 1);
                return;
            case pixel::u8:
                *at<std::uint8_t>(row + x) = static_cast<std::uint8_t>(v);
                return;
            case pixel::u16:
                *at<std::uint16_t>(row + x) = static_cast<std::uint16_t>(v);
                return;
            case pixel::i32:
                *at<std::int32_t>(row + x) = static_cast<std::int32_t>(v);
                return;
            case pixel::f32:
                *at<float>(row + x) = static_cast<float>(v) * 1e-30F;
                return;
            case pixel::f64:
                *at<double>(row + x) = static_cast<double>(v) * 1e-300;
                return;
        }
    }
    [[nodiscard]] wale::const_image_view view() const { return {bytes.data(), shape}; }
};

inline bool pixel_equal(const wale::const_image_view& a, index_t at_a, const wale::const_image_view& b,
                        index_t at_b, index_t x) {
    const auto size = static_cast<std::size_t>(wale::bytes_of(b.type));
    const char* y = static_cast<const char*>(b.data) + (at_b + x) * wale::bytes_of(b.type);
    if (a.type == pixel::bit) {
        const auto* words = static_cast<const std::uint32_t*>(a.data);
        return static_cast<char>(words[at_a + x / 32] >> (x % 32) & 1U) == *y;
    }
    return std::memcmp(static_cast<const char*>(a.data) + (at_a + x) * wale::bytes_of(a.type), y, size) == 0;
}

inline void expect_equal(const wale::const_image_view& a, const wale::image_file_data& file) {
    const wale::const_image_view b = file.view();
    ASSERT_TRUE(a.same_shape(b)) << b.rank << ' ' << b.images << ' ' << b.planes << ' ' << b.rows << ' '
                                 << b.columns;
    EXPECT_EQ(a.type == pixel::bit ? pixel::boolean : a.type, b.type);
    index_t wrong = 0;
    for (index_t p = 0; p < a.images; ++p)
        for (index_t z = 0; z < a.planes; ++z)
            for (index_t y = 0; y < a.rows; ++y)
                for (index_t x = 0; x < a.columns; ++x)
                    wrong += !pixel_equal(a, a.offset(p, z, y), b, b.offset(p, z, y), x);
    EXPECT_EQ(wrong, 0);
}

inline std::vector<int> values(const wale::image_file_data& file) {
    std::vector<int> out;
    const wale::const_image_view p = file.view();
    for (index_t k = 0; k < p.pixels(); ++k)
        out.push_back(p.type == pixel::u16   ? static_cast<const std::uint16_t*>(p.data)[k]
                      : p.type == pixel::i32 ? static_cast<const std::int32_t*>(p.data)[k]
                      : p.type == pixel::f32 ? static_cast<int>(static_cast<const float*>(p.data)[k])
                      : p.type == pixel::f64 ? static_cast<int>(static_cast<const double*>(p.data)[k])
                                             : static_cast<const std::uint8_t*>(p.data)[k]);
    return out;
}

}  // namespace wale::testing_files
