// image_bytes - PNG and TIFF files made byte by byte, for tests of rare, damaged and hostile ones.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace wale::testing_files {

inline std::string big_endian(std::uint32_t v) {
    return {static_cast<char>(v >> 24), static_cast<char>(v >> 16), static_cast<char>(v >> 8),
            static_cast<char>(v)};
}

inline std::string little(std::uint32_t v, int bytes) {
    std::string out;
    for (int k = 0; k < bytes; ++k) out += static_cast<char>(v >> (8 * k));
    return out;
}

inline std::string chunk(const std::string& type, const std::string& data) {
    const std::string body = type + data;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    return big_endian(static_cast<std::uint32_t>(data.size())) + body +
           big_endian(static_cast<std::uint32_t>(sum));
}

inline std::string deflated(const std::string& plain) {
    uLongf size = compressBound(plain.size());
    std::string out(size, '\0');
    compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(plain.data()),
             plain.size());
    out.resize(size);
    return out;
}

inline std::string png_header(std::uint32_t width, std::uint32_t height, int depth, int colour,
                              int interlace = 0) {
    return "\x89PNG\r\n\x1a\n" +
           chunk("IHDR", big_endian(width) + big_endian(height) + static_cast<char>(depth) +
                             static_cast<char>(colour) + std::string(2, '\0') + static_cast<char>(interlace));
}

inline std::string png_of(std::uint32_t width, std::uint32_t height, int depth, int colour,
                          const std::string& scanlines, const std::string& before = {}, int interlace = 0) {
    return png_header(width, height, depth, colour, interlace) + before + chunk("IDAT", deflated(scanlines)) +
           chunk("IEND", "");
}

struct tag {
    int number, type;     // 3: 16 bits, 4: 32 bits
    std::uint32_t value;  // or where the values lie in the file
    std::uint32_t count = 1;
};

/// A little-endian TIFF of one page whose pixels follow its directory.
inline std::string tiff_of(std::vector<tag> tags, const std::string& data) {
    const auto start = static_cast<std::uint32_t>(8 + 2 + 12 * (tags.size() + 2) + 4);
    tags.push_back({273, 4, start});
    tags.push_back({279, 4, static_cast<std::uint32_t>(data.size())});
    std::sort(tags.begin(), tags.end(), [](const tag& a, const tag& b) { return a.number < b.number; });
    std::string out =
        std::string("II*\0", 4) + little(8, 4) + little(static_cast<std::uint32_t>(tags.size()), 2);
    for (const tag& t : tags)
        out += little(static_cast<std::uint32_t>(t.number), 2) +
               little(static_cast<std::uint32_t>(t.type), 2) + little(t.count, 4) + little(t.value, 4);
    return out + little(0, 4) + data;
}

inline std::vector<tag> grey_tags(std::uint32_t columns, std::uint32_t rows, std::uint32_t bits,
                                  std::uint32_t photometric = 1) {
    return {{256, 4, columns},     {257, 4, rows}, {258, 3, bits}, {259, 3, 1},
            {262, 3, photometric}, {277, 3, 1},    {278, 4, rows}};
}

inline std::vector<tag> with(std::vector<tag> tags, const tag& more) {
    std::erase_if(tags, [&](const tag& t) { return t.number == more.number; });
    tags.push_back(more);
    return tags;
}

}  // namespace wale::testing_files
