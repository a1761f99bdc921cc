// image_bytes - PNG, TIFF and JPEG files made byte by byte, for tests of rare, damaged and hostile ones.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
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

inline std::string bytes_of_hex(std::string_view hex) {
    std::string out;
    for (std::size_t k = 0; k + 1 < hex.size(); k += 2)
        out += static_cast<char>(std::stoi(std::string(hex.substr(k, 2)), nullptr, 16));
    return out;
}

/// 3 rows of 0, 65, 128, 255 (libjpeg's answer, of 0, 64, 128, 255 at quality 95).
inline const std::string grey_jpeg = bytes_of_hex(
    "ffd8ffe000104a46494600010100000100010000ffdb0043000201010101010201010102020202020403020202020504"
    "040304060506060605060606070908060709070606080b08090a0a0a0a0a06080b0c0b0a0c090a0a0affc0000b080003"
    "000401011100ffc40014000100000000000000000000000000000008ffc4001b10000007010000000000000000000000"
    "00000304060a3976b4ffda0008010100003f006f4566a3db7a03f9118fffd9");
/// 9 x 9, progressive, subsampled colour: rows 0 to 3 about (200, 30, 90), the others about (0, 255, 0).
inline const std::string colour_jpeg = bytes_of_hex(
    "ffd8ffe000104a46494600010100000100010000ffdb0043000d090a0b0a080d0b0a0b0e0e0d0f13201513121213271c"
    "1e17202e2931302e292d2c333a4a3e333646372c2d405741464c4e525352323e5a615a50604a51524fffdb0043010e0e"
    "0e131113261515264f352d354f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f4f"
    "4f4f4f4f4f4f4f4f4f4f4f4f4f4fffc20011080009000903012200021101031101ffc400160001010100000000000000"
    "000000000000000204ffc40014010100000000000000000000000000000005ffda000c0301000210031000000186a1a7"
    "7fffc400161001010100000000000000000000000000130010ffda000801010001050228b7ffc4001811000203000000"
    "0000000000000000000000041552b1ffda0008010301013f019166d87fffc40017110003010000000000000000000000"
    "000000031451ffda0008010201013f01a19a7fffc400161001010100000000000000000000000000310010ffda000801"
    "0100063f02677fffc4001710000301000000000000000000000000000011f010ffda0008010100013f21b45adfffda00"
    "0c0301000200030000001003ffc4001711000301000000000000000000000000000001d1f0ffda0008010301013f10c1"
    "41ffc4001711010003000000000000000000000000000100d1f0ffda0008010201013f10c02a7fffc400171000030100"
    "00000000000000000000000000f0f110ffda0008010100013f105b16f7ffd9");

}  // namespace wale::testing_files
