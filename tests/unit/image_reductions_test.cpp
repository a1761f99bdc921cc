// image_reductions_test - which sample of which pixel a reader takes: all colour types, depths and ways of
// storing, with every option that reduces colour and alpha. The samples are made here, and so is the answer.
#include <map>

#include "unit/image_bytes.hpp"
#include "unit/image_files.hpp"

namespace {

using namespace wale::testing_files;
using wale::alpha_rule, wale::colour_rule;
using options = wale::image_file_options;

constexpr int grey = 0, rgb = 2, palette = 3, grey_alpha = 4, rgba = 6;
constexpr int columns = 13, rows = 11;  // all seven passes of Adam7 have pixels

/// Samples [row][column][sample], made up.
struct image {
    int depth, samples;
    std::vector<int> values;

    image(int bits, int samples_a_pixel, int limit) : depth(bits), samples(samples_a_pixel) {
        std::uint32_t state = 2463534242u;
        for (int k = 0; k < rows * columns * samples; ++k) {
            state ^= state << 13, state ^= state >> 17, state ^= state << 5;
            values.push_back(static_cast<int>(state % static_cast<std::uint32_t>(limit)));
        }
    }
    [[nodiscard]] int at(int row, int column, int sample) const {
        return values[static_cast<std::size_t>((row * columns + column) * samples + sample)];
    }
    /// One sample of each pixel, or what f makes of the first three.
    [[nodiscard]] std::vector<int> channel(int sample) const {
        std::vector<int> out;
        for (int k = 0; k < rows * columns; ++k) out.push_back(at(k / columns, k % columns, sample));
        return out;
    }
};

/// BT.709 in exact arithmetic, halves up.
int luminance(int red, int green, int blue) {
    return static_cast<int>((2126LL * red + 7152LL * green + 722LL * blue + 5000) / 10000);
}
std::vector<int> luminances(const image& of) {
    std::vector<int> out;
    for (int k = 0; k < rows * columns; ++k)
        out.push_back(luminance(of.at(k / columns, k % columns, 0), of.at(k / columns, k % columns, 1),
                                of.at(k / columns, k % columns, 2)));
    return out;
}

/// A scanline of the columns first, first + step, ..., unfiltered.
std::string scanline(const image& of, int row, int first, int step) {
    std::string bits;
    for (int column = first; column < columns; column += step)
        for (int s = 0; s < of.samples; ++s)
            for (int bit = of.depth; bit-- > 0;) bits += static_cast<char>(of.at(row, column, s) >> bit & 1);
    bits.resize((bits.size() + 7) / 8 * 8, '\0');
    std::string line(1, '\0');
    for (std::size_t k = 0; k < bits.size(); k += 8) {
        int byte = 0;
        for (std::size_t bit = 0; bit < 8; ++bit) byte = 2 * byte + bits[k + bit];
        line += static_cast<char>(byte);
    }
    return line;
}

std::string scanlines(const image& of, bool interlaced) {
    struct pass {
        int row, column, down, across;
    };
    const std::vector<pass> adam7{{0, 0, 8, 8}, {0, 4, 8, 8}, {4, 0, 8, 4}, {0, 2, 4, 4},
                                  {2, 0, 4, 2}, {0, 1, 2, 2}, {1, 0, 2, 1}};
    std::string out;
    for (const pass& p : interlaced ? adam7 : std::vector<pass>{{0, 0, 1, 1}})
        for (int row = p.row; row < rows; row += p.down) out += scanline(of, row, p.column, p.across);
    return out;
}

std::string png(const image& of, int colour, bool interlaced, const std::string& before) {
    return png_of(columns, rows, of.depth, colour, scanlines(of, interlaced), before, interlaced ? 1 : 0);
}

std::vector<int> read(const std::string& bytes, const options& how) {
    return values(wale::parse_image(bytes, "f", how));
}

/// Every option that reduces, of a file without a palette: `colours` of the samples are colour.
void check_reductions(const std::string& bytes, const image& of, int colours, bool see_through) {
    const bool has_alpha = of.samples > colours || see_through;
    const bool coloured = colours == 3;
    EXPECT_EQ(refusal(bytes).empty(), !coloured && !has_alpha);
    EXPECT_EQ(refusal(bytes, {.alpha = alpha_rule::drop}).empty(), !coloured);
    EXPECT_EQ(refusal(bytes, {.colour = colour_rule::luminance}).empty(), !has_alpha);
    EXPECT_EQ(read(bytes, {.colour = colour_rule::luminance, .alpha = alpha_rule::drop}),
              coloured ? luminances(of) : of.channel(0));
    for (int c = 0; c < of.samples; ++c)
        for (const alpha_rule alpha : {alpha_rule::refuse, alpha_rule::drop})
            EXPECT_EQ(read(bytes, {.colour = colour_rule::channel, .channel = c, .alpha = alpha}),
                      of.channel(c));
    EXPECT_SAYS(refusal(bytes, {.colour = colour_rule::channel, .channel = of.samples}), "has no channel");
}

TEST(PngReductions, EveryColourTypeAndDepth) {
    const std::map<int, std::vector<int>> depths{
        {grey, {1, 2, 4, 8, 16}}, {rgb, {8, 16}}, {grey_alpha, {8, 16}}, {rgba, {8, 16}}};
    for (const auto& [colour, all] : depths)
        for (const int depth : all)
            for (const bool interlaced : {false, true})
                for (const bool see_through : {false, true}) {
                    const int colours = colour == rgb || colour == rgba ? 3 : 1;
                    const bool alpha = colour == grey_alpha || colour == rgba;
                    if (alpha && see_through) continue;  // PNG does not allow both
                    SCOPED_TRACE(testing::Message()
                                 << "colour type " << colour << ", " << depth << " bits, "
                                 << (interlaced ? "Adam7" : "plain") << (see_through ? ", tRNS" : ""));
                    const image of(depth, colours + (alpha ? 1 : 0), 1 << depth);
                    std::string key;  // the colour of the first pixel is transparent
                    for (int c = 0; c < colours; ++c) {
                        key += static_cast<char>(of.at(0, 0, c) >> 8);
                        key += static_cast<char>(of.at(0, 0, c));
                    }
                    check_reductions(png(of, colour, interlaced, see_through ? chunk("tRNS", key) : ""), of,
                                     colours, see_through);
                }
}

TEST(PngReductions, Palettes) {
    for (const int depth : {1, 2, 4, 8})
        for (const bool interlaced : {false, true})
            for (const bool see_through : {false, true}) {
                SCOPED_TRACE(testing::Message() << depth << " bits" << (interlaced ? ", Adam7" : "")
                                                << (see_through ? ", tRNS" : ""));
                const int count = std::min(1 << depth, 200);
                const image of(depth, 1, count);
                std::string colours;
                for (int k = 0; k < 3 * count; ++k) colours += static_cast<char>(37 * k + 11);
                const auto sample = [&](int index, int c) {
                    return static_cast<int>(
                        static_cast<unsigned char>(colours[static_cast<std::size_t>(3 * index + c)]));
                };
                const std::string bytes =
                    png(of, palette, interlaced,
                        chunk("PLTE", colours) + (see_through ? chunk("tRNS", {"\x80", 1}) : ""));
                std::vector<int> light, channels[3];
                for (const int index : of.channel(0)) {
                    light.push_back(luminance(sample(index, 0), sample(index, 1), sample(index, 2)));
                    for (int c = 0; c < 3; ++c) channels[c].push_back(sample(index, c));
                }
                EXPECT_NE(refusal(bytes), "");
                EXPECT_EQ(refusal(bytes, {.colour = colour_rule::luminance}).empty(), !see_through);
                EXPECT_EQ(read(bytes, {.colour = colour_rule::luminance, .alpha = alpha_rule::drop}), light);
                for (int c = 0; c < 3; ++c)
                    EXPECT_EQ(read(bytes, {.colour = colour_rule::channel, .channel = c}), channels[c]);
                EXPECT_SAYS(refusal(bytes, {.colour = colour_rule::channel, .channel = 3}),
                            "no channel 3, expected 0..2");
            }
}

/// The bytes with a wrong checksum of the first chunk of this type.
std::string with_wrong_checksum(std::string bytes, const std::string& type) {
    const std::size_t at = bytes.find(type) - 4;
    std::size_t length = 0;
    for (std::size_t k = 0; k < 4; ++k) length = 256 * length + static_cast<unsigned char>(bytes[at + k]);
    bytes[at + 8 + length] = static_cast<char>(bytes[at + 8 + length] ^ 1);
    return bytes;
}

TEST(PngChecksums, OnlyThoseOfCriticalChunksCount) {
    const std::string colours = chunk("PLTE", {"\x0a\x14\x1e\x64\x64\x64", 6});
    const std::string more = chunk("gAMA", big_endian(45455)) + colours + chunk("tRNS", {"\x80", 1}) +
                             chunk("tEXt", std::string("Title\0x", 7)) + chunk("vpAg", "x");
    const std::string whole = png_of(2, 1, 8, palette, {"\0\x01\0", 3}, more);
    const options how{.colour = colour_rule::luminance, .alpha = alpha_rule::drop};
    const std::vector<int> pixels{100, 19};
    ASSERT_EQ(read(whole, how), pixels);
    for (const char* ancillary : {"gAMA", "tRNS", "tEXt", "vpAg"})
        EXPECT_EQ(read(with_wrong_checksum(whole, ancillary), how), pixels) << ancillary;
    for (const char* critical : {"IHDR", "PLTE", "IDAT", "IEND"})
        EXPECT_SAYS(refusal(with_wrong_checksum(whole, critical), how), "damaged PNG");
    // Transparency stays transparency.
    EXPECT_SAYS(refusal(with_wrong_checksum(whole, "tRNS"), {.colour = colour_rule::luminance}),
                "with transparency, expected no alpha");
}

/// The samples as a TIFF stores them in one strip, this machine's order being little-endian.
std::string strip(const image& of) {
    std::string out;
    for (const int value : of.values) out += little(static_cast<std::uint32_t>(value), of.depth / 8);
    return out;
}

TEST(TiffReductions, ColourAndExtraSamples) {
    for (const int depth : {8, 16})
        for (const bool coloured : {false, true})
            for (const int extra : {0, 1, 2}) {
                SCOPED_TRACE(testing::Message() << depth << " bits" << (coloured ? ", RGB" : "") << ", "
                                                << extra << " more samples");
                const int colours = coloured ? 3 : 1;
                const image of(depth, colours + extra, 1 << depth);
                const auto bits = static_cast<std::uint32_t>(depth),
                           samples = static_cast<std::uint32_t>(of.samples);
                const auto tags = with(grey_tags(columns, rows, bits, coloured ? 2 : 1), {277, 3, samples});
                check_reductions(tiff_of(tags, strip(of)), of, colours, false);
            }
}

TEST(TiffReductions, WhiteAsZeroTurnsTheGreyOnly) {
    for (const int depth : {8, 16}) {
        const image of(depth, 2, 1 << depth);
        const auto tags = with(grey_tags(columns, rows, static_cast<std::uint32_t>(depth), 0), {277, 3, 2});
        const std::string bytes = tiff_of(tags, strip(of));
        std::vector<int> turned = of.channel(0);
        for (int& v : turned) v = (1 << depth) - 1 - v;
        EXPECT_EQ(read(bytes, {.alpha = alpha_rule::drop}), turned);
        EXPECT_EQ(read(bytes, {.colour = colour_rule::channel, .channel = 0}), turned);
        EXPECT_EQ(read(bytes, {.colour = colour_rule::channel, .channel = 1}), of.channel(1));
    }
}

TEST(TiffReductions, PalettesAreRefused) {
    auto tags = grey_tags(columns, rows, 8, 3);
    const std::size_t map_at = 8 + 2 + 12 * (tags.size() + 3) + 4;  // before the pixels
    tags.push_back({320, 3, static_cast<std::uint32_t>(map_at), 3 * 256});
    const std::string bytes = tiff_of(tags, std::string(2 * 3 * 256, 'm') + strip(image(8, 1, 256)));
    for (const colour_rule colour : {colour_rule::refuse, colour_rule::luminance, colour_rule::channel})
        EXPECT_SAYS(refusal(bytes, {.colour = colour}), "photometric interpretation 3");
}

/// An array has no colour, so that one command may reduce an RGB image beside markers in an array.
TEST(NpyReductions, ArraysAreTakenAsTheyAre) {
    std::string bytes("\x93NUMPY\x01\0", 8);
    const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2)}";
    bytes += little(static_cast<std::uint32_t>(header.size()), 2) + header + "ab";
    for (const colour_rule colour : {colour_rule::refuse, colour_rule::luminance, colour_rule::channel})
        for (const alpha_rule alpha : {alpha_rule::refuse, alpha_rule::drop})
            EXPECT_EQ(read(bytes, {.colour = colour, .channel = 2, .alpha = alpha}),
                      (std::vector<int>{97, 98}));
}

}  // namespace
