// image_formats_test - PNG, TIFF, NPY and NPZ made by hand: rare, damaged and hostile ones.
#include "unit/image_bytes.hpp"
#include "unit/image_files.hpp"

namespace {

using namespace wale::testing_files;

TEST(Png, SamplesBelowAByteKeepTheirValues) {
    using v = std::vector<int>;
    EXPECT_EQ(values(wale::parse_image(png_of(3, 1, 1, 0, {"\0\xa0", 2}), "f")), (v{1, 0, 1}));
    EXPECT_EQ(values(wale::parse_image(png_of(3, 1, 2, 0, {"\0\x6c", 2}), "f")), (v{1, 2, 3}));
    EXPECT_EQ(values(wale::parse_image(png_of(3, 1, 4, 0, {"\0\x0f\x70", 3}), "f")), (v{0, 15, 7}));
    EXPECT_EQ(values(wale::parse_image(png_of(2, 1, 16, 0, {"\0\x12\x34\xff\xfe", 5}), "f")),
              (v{0x1234, 0xfffe}));
}

TEST(Png, InterlacedRowsAreInPlace) {
    // 2 x 2 by Adam7: pass 1 has (0, 0), pass 6 (0, 1), pass 7 row 1.
    const std::string lines("\0\x0a\0\x14\0\x1e\x28", 7);
    EXPECT_EQ(values(wale::parse_image(png_of(2, 2, 8, 0, lines, "", 1), "f")),
              (std::vector<int>{10, 20, 30, 40}));
}

TEST(Png, ColourAndAlphaOnlyAsTold) {
    using wale::alpha_rule, wale::colour_rule;
    const std::string rgb = png_of(2, 1, 8, 2, {"\0\x64\xc8\x32\xff\xff\xff", 7});
    EXPECT_SAYS(refusal(rgb), "f: 8-bit RGB, expected grey values");
    EXPECT_EQ(values(wale::parse_image(rgb, "f", {.colour = colour_rule::luminance})),
              (std::vector<int>{168, 255}));
    EXPECT_EQ(values(wale::parse_image(rgb, "f", {.colour = colour_rule::channel, .channel = 2})),
              (std::vector<int>{50, 255}));
    EXPECT_SAYS(refusal(rgb, {.colour = colour_rule::channel, .channel = 3}), "no channel 3, expected 0..2");
    EXPECT_SAYS(refusal(rgb, {.colour = colour_rule::channel, .channel = -1}), "no channel -1");

    const std::string grey_alpha = png_of(1, 1, 16, 4, {"\0\x12\x34\x56\x78", 5});
    EXPECT_SAYS(refusal(grey_alpha), "16-bit grey with alpha, expected no alpha channel");
    EXPECT_EQ(values(wale::parse_image(grey_alpha, "f", {.alpha = alpha_rule::drop})),
              (std::vector<int>{0x1234}));
    const std::string rgba = png_of(1, 1, 8, 6, {"\0\x01\x02\x03\x80", 5});
    EXPECT_SAYS(refusal(rgba, {.colour = colour_rule::luminance}), "expected no alpha");
    EXPECT_SAYS(refusal(rgba, {.alpha = alpha_rule::drop}), "RGBA, expected grey");
    EXPECT_EQ(values(wale::parse_image(rgba, "f", {.colour = colour_rule::channel, .channel = 3})),
              (std::vector<int>{128}));
    EXPECT_THROW((void)wale::parse_image(rgba, "f"), wale::needs_reduction);
}

TEST(Png, PalettesAreColour) {
    const std::string palette = chunk("PLTE", {"\x0a\x14\x1e\x64\x64\x64", 6}),
                      clear = chunk("tRNS", {"\x80", 1});
    const std::string lines("\0\x01\0", 3);
    const wale::image_file_options grey{.colour = wale::colour_rule::luminance};
    EXPECT_SAYS(refusal(png_of(2, 1, 8, 3, lines, palette)), "8-bit palette colour, expected grey");
    EXPECT_EQ(values(wale::parse_image(png_of(2, 1, 8, 3, lines, palette), "f", grey)),
              (std::vector<int>{100, 19}));
    EXPECT_SAYS(refusal(png_of(2, 1, 8, 3, lines, palette + clear), grey),
                "with transparency, expected no alpha");
    EXPECT_EQ(
        values(wale::parse_image(png_of(2, 1, 8, 3, lines, palette + clear), "f",
                                 {.colour = wale::colour_rule::luminance, .alpha = wale::alpha_rule::drop})),
        (std::vector<int>{100, 19}));
    EXPECT_SAYS(refusal(png_of(2, 1, 8, 3, {"\0\x05\0", 3}, palette), grey), "damaged PNG");
    const std::string grey_key = chunk("tRNS", {"\0\x05", 2});
    EXPECT_SAYS(refusal(png_of(1, 1, 8, 0, {"\0\x05", 2}, grey_key)), "transparency");
}

TEST(Png, HostileHeadersCostNothing) {
    EXPECT_SAYS(refusal(png_of(0x7fffffff, 0x7fffffff, 16, 0, "")), "cannot hold");
    EXPECT_SAYS(refusal(png_of(0x7fffffff, 1, 8, 6, ""),
                        {.colour = wale::colour_rule::luminance, .alpha = wale::alpha_rule::drop}),
                "cannot hold");
    EXPECT_SAYS(refusal(png_of(0, 1, 8, 0, "")), "damaged PNG");
    EXPECT_SAYS(refusal(png_of(1, 1, 3, 0, "")), "damaged PNG");
    EXPECT_SAYS(refusal(png_of(2, 2, 8, 0, {"\0\x01\x02", 3})), "damaged PNG");            // a row short
    EXPECT_SAYS(refusal(png_of(2, 1, 8, 0, {"\0\x01\x02\0\x03\x04", 6})), "damaged PNG");  // a row long
    EXPECT_SAYS(refusal(png_of(2, 1, 8, 0, {"\x09\x01\x02", 3})), "damaged PNG");          // filter 9
    EXPECT_SAYS(refusal(png_header(2, 1, 8, 0) + chunk("IEND", "")), "damaged PNG");
    EXPECT_SAYS(refusal("\x89PNG\r\n\x1a\n"), "damaged PNG");
}

TEST(Png, OtherChunksAreSkipped) {
    const std::string more = chunk("tEXt", std::string("Title\0x", 7)) + chunk("gAMA", big_endian(1)) +
                             chunk("iCCP", "nonsense") + chunk("vpAg", "x");
    EXPECT_EQ(values(wale::parse_image(png_of(2, 1, 8, 0, {"\0\x01\x02", 3}, more), "f")),
              (std::vector<int>{1, 2}));
    EXPECT_SAYS(refusal(png_of(2, 1, 8, 0, {"\0\x01\x02", 3}, chunk("ABCD", ""))),
                "damaged PNG");  // critical
}

TEST(Tiff, WhiteIsZeroIsTurned) {
    const auto read = [](const std::string& bytes) { return values(wale::parse_image(bytes, "f")); };
    EXPECT_EQ(read(tiff_of(grey_tags(2, 1, 8), {"\x01\xff", 2})), (std::vector<int>{1, 255}));
    EXPECT_EQ(read(tiff_of(grey_tags(2, 1, 8, 0), {"\x01\xff", 2})), (std::vector<int>{254, 0}));
    EXPECT_EQ(read(tiff_of(grey_tags(3, 1, 1, 0), {"\xa0", 1})), (std::vector<int>{0, 1, 0}));
    EXPECT_EQ(read(tiff_of(grey_tags(3, 1, 4, 0), {"\x1f\x70", 2})), (std::vector<int>{14, 0, 8}));
    EXPECT_EQ(read(tiff_of(grey_tags(5, 1, 2), {"\x1b\xc0", 2})), (std::vector<int>{0, 1, 2, 3, 3}));
    EXPECT_EQ(read(tiff_of(grey_tags(1, 1, 16, 0), {"\x01\x02", 2})), (std::vector<int>{65535 - 0x0201}));
}

TEST(Tiff, SignedSamplesAreWidened) {
    const auto file =
        wale::parse_image(tiff_of(with(grey_tags(2, 1, 16), {339, 3, 2}), {"\xff\xff\x00\x80", 4}), "f");
    EXPECT_EQ(values(file), (std::vector<int>{-1, -32768}));
    EXPECT_EQ(file.bits, 16);
}

TEST(Tiff, SamplesThatNoPixelTypeHasAreWidened) {
    const auto grey = [](std::uint32_t bits, std::uint32_t format) {
        return with(with(grey_tags(2, 1, 8), {258, 3, bits}), {339, 3, format});
    };
    const auto small = wale::parse_image(tiff_of(grey(32, 1), {"\1\0\0\0\xff\xff\xff\x3f", 8}), "f");
    EXPECT_EQ(small.shape.type, wale::pixel::i32);
    EXPECT_EQ(values(small), (std::vector<int>{1, 0x3fffffff}));
    const auto large = wale::parse_image(tiff_of(grey(32, 1), {"\1\0\0\0\xff\xff\xff\xff", 8}), "f");
    EXPECT_EQ(large.shape.type, wale::pixel::f64);
    EXPECT_EQ(static_cast<const double*>(large.pixels.data())[1], 4294967295.0);
    const auto negative = wale::parse_image(
        tiff_of(grey(64, 2), {"\xfe\xff\xff\xff\xff\xff\xff\xff\3\0\0\0\0\0\0\0", 16}), "f");
    EXPECT_EQ(values(negative), (std::vector<int>{-2, 3}));
    EXPECT_SAYS(refusal(tiff_of(grey(64, 1), std::string(16, '\xff'))), "within -2^53..2^53");
    const auto halves = wale::parse_image(tiff_of(grey(16, 3), {"\0\x3c\0\xc1", 4}), "f");
    EXPECT_EQ(halves.shape.type, wale::pixel::f32);
    EXPECT_EQ(static_cast<const float*>(halves.pixels.data())[1], -2.5F);
}

TEST(Tiff, WhatIsNotGreyOrNotKnownIsRefused) {
    const auto grey = grey_tags(2, 1, 8);
    const std::string two("\x01\x02", 2);
    EXPECT_SAYS(refusal(tiff_of(with(grey, {258, 3, 6}), two)), "6-bit samples");
    EXPECT_SAYS(refusal(tiff_of(with(grey, {339, 3, 3}), two)), "8-bit samples of format 3");
    EXPECT_SAYS(refusal(tiff_of(with(with(grey, {258, 3, 32}), {277, 3, 2}), std::string(16, 'x'))),
                "colour of 32 bits");
    EXPECT_SAYS(refusal(tiff_of(with(grey, {259, 3, 7}), two)), "compression 7");
    EXPECT_SAYS(refusal(tiff_of(with(grey, {262, 3, 6}), two)), "damaged TIFF");
    EXPECT_SAYS(refusal(tiff_of(with(grey, {262, 3, 8}), two)), "photometric interpretation 8");
    EXPECT_SAYS(refusal(tiff_of(with(grey, {277, 3, 2}), std::string(4, 'x'))), "expected no alpha channel");
    const std::vector<tag> rgb = with(with(grey, {277, 3, 3}), {262, 3, 2});
    const std::string pixels("\x64\xc8\x32\xff\xff\xff", 6);
    EXPECT_SAYS(refusal(tiff_of(rgb, pixels)), "8-bit RGB, expected grey");
    EXPECT_EQ(values(wale::parse_image(tiff_of(rgb, pixels), "f", {.colour = wale::colour_rule::luminance})),
              (std::vector<int>{168, 255}));
    EXPECT_SAYS(refusal(tiff_of(with(rgb, {284, 3, 2}), pixels), {.colour = wale::colour_rule::luminance}),
                "planes apart");
    EXPECT_SAYS(refusal(tiff_of(with(grey, {254, 4, 1}), two)), "no page at full resolution");
}

TEST(Tiff, HostileHeadersCostNothing) {
    EXPECT_SAYS(refusal(tiff_of(grey_tags(0xffffffff, 0xffffffff, 8), "x")), "damaged TIFF");
    EXPECT_SAYS(refusal(tiff_of(grey_tags(2000, 2000, 8), "x")), "cannot hold");
    EXPECT_SAYS(refusal(tiff_of(with(grey_tags(20, 2, 8), {259, 3, 3}), "x")),
                "CCITT compression of 8-bit samples");
    EXPECT_SAYS(refusal(tiff_of({{256, 4, 2},
                                 {257, 4, 2},
                                 {258, 4, 1},
                                 {259, 4, 3},
                                 {262, 4, 1},
                                 {277, 4, 1},
                                 {322, 4, 0x40000000},
                                 {323, 4, 16},
                                 {324, 4, 8},
                                 {325, 4, 1}},
                                "x")),
                "damaged TIFF: tiles of 16 x 1073741824 pixels in an image of 2 x 2");
    EXPECT_NE(refusal(tiff_of(grey_tags(0, 2, 8), "x")), "");
    EXPECT_NE(refusal(tiff_of(grey_tags(20, 2, 8), "x")), "");  // a strip cut
    EXPECT_NE(refusal(tiff_of(with(grey_tags(20, 2, 8), {278, 4, 0}), std::string(40, 'x'))),
              "");  // no rows a strip
    EXPECT_SAYS(refusal(std::string("II*\0\xff\xff\xff\x7f", 8)), "damaged TIFF");
    std::string loop = tiff_of(grey_tags(2, 1, 8), "xy");
    loop[loop.size() - 2 - 4] = 8;  // the next directory is this one
    EXPECT_NE(refusal(loop), "");
}

// --- NPY by hand
// ---------------------------------------------------------------------------------------------

std::string npy_of(const std::string& header, const std::string& data, int version = 1) {
    std::string out = "\x93NUMPY" + std::string(1, static_cast<char>(version)) + '\0';
    out += static_cast<char>(header.size() & 255);
    out += static_cast<char>(header.size() >> 8);
    if (version > 1) out += std::string(2, '\0');
    return out + header + data;
}

TEST(Npy, VersionsOrdersAndTypes) {
    const auto read = [](const std::string& bytes) { return values(wale::parse_image(bytes, "f")); };
    const std::string c = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }";
    for (const int version : {1, 2, 3})
        EXPECT_EQ(read(npy_of(c, "abcdef", version)), (std::vector<int>{97, 98, 99, 100, 101, 102}));
    EXPECT_EQ(read(npy_of("{\"shape\":(2,3),\"descr\":\"<u1\",\"fortran_order\":True}\n", "abcdef")),
              (std::vector<int>{97, 99, 101, 98, 100, 102}));
    EXPECT_EQ(
        read(npy_of("{'descr': '>u2', 'fortran_order': False, 'shape': (1, 2)}", {"\x12\x34\x00\x01", 4})),
        (std::vector<int>{0x1234, 1}));
    EXPECT_EQ(
        read(npy_of("{'descr': '>i2', 'fortran_order': False, 'shape': (1, 2)}", {"\xff\xfe\x00\x01", 4})),
        (std::vector<int>{-2, 1}));
    EXPECT_EQ(read(npy_of("{'descr': '|i1', 'fortran_order': False, 'shape': (1, 2)}", {"\xff\x01", 2})),
              (std::vector<int>{-1, 1}));
    EXPECT_EQ(
        read(npy_of("{'descr': '>f4', 'fortran_order': False, 'shape': (1, 1)}", {"\x42\x28\x00\x00", 4})),
        (std::vector<int>{42}));
    EXPECT_EQ(read(npy_of("{'descr': '>f8', 'fortran_order': False, 'shape': (1, 1)}",
                          {"\x40\x45\0\0\0\0\0\0", 8})),
              (std::vector<int>{42}));
    EXPECT_EQ(
        read(npy_of("{'descr': '<i4', 'fortran_order': True, 'shape': (1, 1)}", {"\xff\xff\xff\xff", 4})),
        (std::vector<int>{-1}));
    // float16 is float32 once it is read, and has that depth when it is written.
    const wale::image_file_data half = wale::parse_image(
        npy_of("{'descr': '>f2', 'fortran_order': False, 'shape': (1, 1)}", {"\x51\x40", 2}), "f");
    EXPECT_EQ(values(half), (std::vector<int>{42}));
    EXPECT_EQ(half.bits, 32);
    // Fortran order in three axes: the first runs fastest.
    EXPECT_EQ(
        read(npy_of("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2, 2)}", {"\0\1\2\3\4\5\6\7", 8})),
        (std::vector<int>{0, 4, 2, 6, 1, 5, 3, 7}));
}

TEST(Npy, DamageIsNamed) {
    const auto says = [](const std::string& header, const std::string& data = "abcdef", int version = 1) {
        return refusal(npy_of(header, data, version));
    };
    const auto shaped = [&](const std::string& shape) {
        return says("{'descr': '|u1', 'fortran_order': False, 'shape': (" + shape + ")}");
    };
    EXPECT_SAYS(shaped("2, 4"), "6 bytes of elements, expected 8");
    EXPECT_SAYS(shaped("2, 2"), "6 bytes of elements, expected 4");
    EXPECT_SAYS(shaped("6,"), "1 axes, expected 2, 3 or 4");
    EXPECT_SAYS(shaped("1,1,1,1,6"), "5 axes");
    EXPECT_SAYS(shaped("-2, -3"), "no extent");
    EXPECT_SAYS(shaped("9223372036854775808, 1"), "no extent");
    EXPECT_SAYS(shaped("4294967296, 4294967296"), "beyond 2^63");
    EXPECT_SAYS(shaped("0, 4294967296, 4294967296"), "beyond 2^63");
    EXPECT_SAYS(shaped("2 3"), "expected ')'");
    for (const char* other : {"|u2", "<u3", "<f1", "<b2", "<c8", "=f4", "<f16"})
        EXPECT_SAYS(says(std::string("{'descr': '") + other + "', 'fortran_order': False, 'shape': (1, 3)}"),
                    std::string("elements '") + other + "'");
    EXPECT_SAYS(says("{'descr': '|O', 'fortran_order': False, 'shape': (1, 3)}"), "elements '|O'");
    EXPECT_SAYS(says("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1, 3)}"), "records");
    EXPECT_SAYS(says("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 3)}"),
                "element 0 is 97, expected 0 or 1");
    EXPECT_SAYS(says("{'descr': '|u1', 'shape': (2, 3)}"), "lacks");
    EXPECT_SAYS(says("{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (2, 3)}"),
                "key 'descr'");
    EXPECT_SAYS(says("{'descr': '|u1', 'fortran_order': 0, 'shape': (2, 3)}"), "neither True nor False");
    EXPECT_SAYS(says("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3)} x"), "text after");
    EXPECT_SAYS(says("{'descr': '|u1"), "closing quote");
    EXPECT_SAYS(says(""), "expected '{'");
    EXPECT_SAYS(says("{}", "", 4), "version 4.0");
    EXPECT_SAYS(refusal("\x93NUMPY\x02" + std::string(1, '\0') + "\xff\xff\xff\xff"),
                "a header of 4294967295 bytes");
    EXPECT_SAYS(refusal(""), "an empty file");
    EXPECT_SAYS(refusal("GIF89a"), "starts with 'G', expected a PNG, TIFF, JPEG, NPY or NPZ");
}

// --- NPZ by hand
// ---------------------------------------------------------------------------------------------

/// One stored member a name.
std::string npz_of(const std::vector<std::pair<std::string, std::string>>& members) {
    std::string out, directory;
    for (const auto& [name, data] : members) {
        const auto sum = static_cast<std::uint32_t>(
            crc32(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size())));
        const auto size = static_cast<std::uint32_t>(data.size());
        const std::string facts = little(0, 2) + little(0, 2) + little(0, 4) + little(sum, 4) +
                                  little(size, 4) + little(size, 4) +
                                  little(static_cast<std::uint32_t>(name.size()), 2) + little(0, 2);
        directory += "PK\x01\x02" + little(20, 2) + little(20, 2) + facts + std::string(10, '\0') +
                     little(static_cast<std::uint32_t>(out.size()), 4) + name;
        out += "PK\x03\x04" + little(20, 2) + facts + name + data;
    }
    const auto count = static_cast<std::uint32_t>(members.size());
    return out + directory + "PK\x05\x06" + little(0, 4) + little(count, 2) + little(count, 2) +
           little(static_cast<std::uint32_t>(directory.size()), 4) +
           little(static_cast<std::uint32_t>(out.size()), 4) + little(0, 2);
}

TEST_F(ImageFile, MembersOfAnNpz) {
    const std::string a = npy_of("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2)}", "ab");
    const std::string b = npy_of("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2)}", "cd");
    EXPECT_EQ(values(wale::parse_image(npz_of({{"one.npy", a}}), "f")), (std::vector<int>{97, 98}));
    const std::string both = npz_of({{"one.npy", a}, {"two.npy", b}});
    std::ofstream(path("z.npz")) << both;
    EXPECT_EQ(values(wale::read_image(path("z.npz:two"))), (std::vector<int>{99, 100}));
    EXPECT_SAYS(refusal(both), "expected file.npz:NAME with one of one, two");
    EXPECT_THROW((void)wale::read_image(path("z.npz:three")), wale::bad_input);
    std::string damaged = npz_of({{"one.npy", a}});
    damaged[damaged.find("ab")] = 'x';
    EXPECT_SAYS(refusal(damaged), "wrong checksum");
    for (std::size_t size = 4; size < both.size(); ++size)
        EXPECT_NE(refusal(both.substr(0, size)), "") << size;
}

}  // namespace
