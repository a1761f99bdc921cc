// image_jpeg_test - JPEG as it is read: grey, colour, progressive, damaged; and the tags of GeoTIFF.
#include "unit/image_bytes.hpp"
#include "unit/image_files.hpp"

namespace {

using namespace wale::testing_files;

TEST(Jpeg, GreyIsGrey) {
    const wale::image_file_data file = wale::parse_image(grey_jpeg, "f");
    EXPECT_EQ(file.format, wale::image_format::jpeg);
    EXPECT_EQ(file.bits, 8);
    EXPECT_EQ(values(file), (std::vector<int>{0, 65, 128, 255, 0, 65, 128, 255, 0, 65, 128, 255}));
}

TEST(Jpeg, ColourOnlyAsTold) {
    using wale::colour_rule;
    EXPECT_SAYS(refusal(colour_jpeg), "f: 8-bit RGB, expected grey values");
    std::vector<std::vector<int>> channels;
    for (int k = 0; k < 3; ++k)
        channels.push_back(
            values(wale::parse_image(colour_jpeg, "f", {.colour = colour_rule::channel, .channel = k})));
    EXPECT_SAYS(refusal(colour_jpeg, {.colour = colour_rule::channel, .channel = 3}), "no channel 3");
    const std::vector<int> light =
        values(wale::parse_image(colour_jpeg, "f", {.colour = colour_rule::luminance}));
    ASSERT_EQ(light.size(), 81U);
    for (std::size_t k = 0; k < light.size(); ++k)
        EXPECT_EQ(light[k],
                  (2126 * channels[0][k] + 7152 * channels[1][k] + 722 * channels[2][k] + 5000) / 10000);
    EXPECT_NEAR(channels[0][0], 200, 40);
    EXPECT_NEAR(channels[1][80], 255, 40);
    EXPECT_NEAR(channels[0][80], 0, 40);
}

TEST(Jpeg, EachByteThatIsMissingShows) {
    for (const std::string& whole : {grey_jpeg, colour_jpeg})
        for (std::size_t size = 3; size < whole.size() - 2; ++size)
            EXPECT_SAYS(refusal(whole.substr(0, size), {.colour = wale::colour_rule::luminance}),
                        "damaged JPEG: ");
    EXPECT_EQ(refusal(grey_jpeg + "and what a camera adds"), "");
}

TEST(Jpeg, ASizeBeyondTheFileIsRefusedBeforeItsMemoryIsTaken) {
    std::string huge = grey_jpeg;
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
