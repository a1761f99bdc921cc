// image_jpeg_test - JPEG as it is read: grey, colour, progressive, damaged; and the tags of GeoTIFF.
#include "unit/image_bytes.hpp"
#include "unit/image_files.hpp"

namespace {

using namespace wale::testing_files;

std::string bytes_of_hex(std::string_view hex) {
    std::string out;
    for (std::size_t k = 0; k + 1 < hex.size(); k += 2)
        out += static_cast<char>(std::stoi(std::string(hex.substr(k, 2)), nullptr, 16));
    return out;
}

/// 3 rows of 0, 65, 128, 255 (libjpeg's answer, of 0, 64, 128, 255 at quality 95).
const std::string grey = bytes_of_hex(
    "ffd8ffe000104a46494600010100000100010000ffdb0043000201010101010201010102020202020403020202020504"
    "040304060506060605060606070908060709070606080b08090a0a0a0a0a06080b0c0b0a0c090a0a0affc0000b080003"
    "000401011100ffc40014000100000000000000000000000000000008ffc4001b10000007010000000000000000000000"
    "00000304060a3976b4ffda0008010100003f006f4566a3db7a03f9118fffd9");
/// 9 x 9, progressive, subsampled colour: rows 0 to 3 about (200, 30, 90), the others about (0, 255, 0).
const std::string colour = bytes_of_hex(
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

TEST(Jpeg, GreyIsGrey) {
    const wale::image_file_data file = wale::parse_image(grey, "f");
    EXPECT_EQ(file.format, wale::image_format::jpeg);
    EXPECT_EQ(file.bits, 8);
    EXPECT_EQ(values(file), (std::vector<int>{0, 65, 128, 255, 0, 65, 128, 255, 0, 65, 128, 255}));
}

TEST(Jpeg, ColourOnlyAsTold) {
    using wale::colour_rule;
    EXPECT_SAYS(refusal(colour), "f: 8-bit RGB, expected grey values");
    std::vector<std::vector<int>> channels;
    for (int k = 0; k < 3; ++k)
        channels.push_back(
            values(wale::parse_image(colour, "f", {.colour = colour_rule::channel, .channel = k})));
    EXPECT_SAYS(refusal(colour, {.colour = colour_rule::channel, .channel = 3}), "no channel 3");
    const std::vector<int> light = values(wale::parse_image(colour, "f", {.colour = colour_rule::luminance}));
    ASSERT_EQ(light.size(), 81U);
    for (std::size_t k = 0; k < light.size(); ++k)
        EXPECT_EQ(light[k],
                  (2126 * channels[0][k] + 7152 * channels[1][k] + 722 * channels[2][k] + 5000) / 10000);
    EXPECT_NEAR(channels[0][0], 200, 40);
    EXPECT_NEAR(channels[1][80], 255, 40);
    EXPECT_NEAR(channels[0][80], 0, 40);
}

TEST(Jpeg, EachByteThatIsMissingShows) {
    for (const std::string& whole : {grey, colour})
        for (std::size_t size = 3; size < whole.size() - 2; ++size)
            EXPECT_SAYS(refusal(whole.substr(0, size), {.colour = wale::colour_rule::luminance}),
                        "damaged JPEG: ");
    EXPECT_EQ(refusal(grey + "and what a camera adds"), "");
}

TEST(Jpeg, ASizeBeyondTheFileIsRefusedBeforeItsMemoryIsTaken) {
    std::string huge = grey;
    const std::size_t at = huge.find("\xff\xc0");
    ASSERT_NE(at, std::string::npos);
    huge.replace(at + 5, 4, "\xff\xdc\xff\xdc");
    EXPECT_SAYS(refusal(huge), "bytes cannot hold");
}

TEST_F(ImageFile, JpegIsNotWritten) {
    const sample_image p(pixel::u8, 2, 1, 1, 3, 5);
    for (const char* name : {"p.jpg", "p.JPEG"}) {
        EXPECT_EQ(wale::format_of(name), wale::image_format::jpeg);
        EXPECT_SAYS(wale::why_unwritable(name, p.shape), "JPEG is only read");
        EXPECT_THROW(wale::write_image(path(name), p.view()), wale::bad_argument);
    }
}

TEST_F(ImageFile, TiffsKeepTheirPlaceOnTheEarth) {
    const wale::georeference earth{.pixel_scale = {30, 30, 0},
                                   .tie_points = {0, 0, 0, 440720, 3751320, 0},
                                   .transformation = std::vector<double>(16, 0.5),
                                   .keys = {1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32611},
                                   .key_numbers = {6378137, 298.257223563},
                                   .key_text = "UTM zone 11N|",
                                   .no_data = "-9999"};
    for (const index_t planes : {1, 3}) {
        const sample_image p(pixel::f32, planes > 1 ? 3 : 2, 1, planes, 4, 5);
        wale::write_image(path("e.tif"), p.view(), {.earth = earth});
        const wale::image_file_data file = wale::read_image(path("e.tif"));
        expect_equal(p.view(), file);
        EXPECT_EQ(file.earth, earth);
    }
    EXPECT_EQ(
        wale::parse_image(written("none.tif", sample_image(pixel::u8, 2, 1, 1, 3, 5).view()), "f").earth,
        wale::georeference{});
}

TEST(Tiff, TagsOfTheEarthInAnotherTypeAreRefused) {
    for (const int number : {33550, 33922, 34264, 34735, 34736, 34737, 42113}) {
        const std::string odd = tiff_of(with(grey_tags(1, 1, 8), {number, 4, 7}), "a");
        EXPECT_SAYS(refusal(odd), "tag " + std::to_string(number) + " of type 4, expected ");
    }
    const std::string text = tiff_of(with(grey_tags(1, 1, 8), {42113, 2, 0x6e616e, 4}), "a");
    EXPECT_EQ(wale::parse_image(text, "f").earth.no_data, "nan");
}

}  // namespace
