// image_file_test - every type through every format that holds it; what is refused, and what is left
// behind.
#include "unit/image_files.hpp"

namespace {

using namespace wale::testing_files;

constexpr pixel all_types[] = {pixel::bit, pixel::boolean, pixel::u8, pixel::u16,
                               pixel::i32, pixel::f32,     pixel::f64};

TEST_F(ImageFile, EveryTypeSurvivesEveryFormatThatHoldsIt) {
    for (const pixel type : all_types)
        for (const index_t columns : {1, 2, 7, 8, 9, 31, 32, 33, 300})
            for (const char* name : {"p.png", "p.tif", "p.npy"}) {
                SCOPED_TRACE(std::string(name) + " " + wale::name_of(type) + " " + std::to_string(columns));
                const sample_image p(type, 2, 1, 1, 5, columns);
                const bool png = std::string(name) == "p.png";
                if (png && (type == pixel::i32 || type == pixel::f32 || type == pixel::f64)) {
                    EXPECT_THROW(wale::write_image(path(name), p.view()), wale::bad_argument);
                    EXPECT_FALSE(fs::exists(path(name)));
                    continue;
                }
                wale::write_image(path(name), p.view());
                const wale::image_file_data file = wale::read_image(path(name));
                expect_equal(p.view(), file);
                EXPECT_EQ(file.bits,
                          type == pixel::bit || type == pixel::boolean ? 1 : 8 * wale::bytes_of(type));
                fs::remove(path(name));
            }
}

TEST_F(ImageFile, StacksAreVolumesOrBatches) {
    for (const pixel type : {pixel::boolean, pixel::u8, pixel::u16, pixel::f32})
        for (const char* name : {"p.tiff", "p.npy"}) {
            const sample_image volume(type, 3, 1, 4, 6, 70), batch(type, 2, 4, 1, 6, 70);
            written(name, volume.view());
            expect_equal(volume.view(), wale::read_image(path(name)));
            written(name, batch.view());
            expect_equal(batch.view(), wale::read_image(path(name), {.stack = wale::stack_rule::images}));
        }
    const sample_image volumes(pixel::u16, 3, 3, 2, 4, 5);
    written("v.npy", volumes.view());
    expect_equal(volumes.view(), wale::read_image(path("v.npy")));
    EXPECT_THROW(wale::write_image(path("v.tif"), volumes.view()), wale::bad_argument);
    EXPECT_THROW(wale::write_image(path("v.png"), volumes.view()), wale::bad_argument);
}

TEST_F(ImageFile, FewerBitsWhereAllValuesFit) {
    sample_image p(pixel::u8, 2, 1, 1, 3, 5);
    for (index_t y = 0; y < 3; ++y)
        for (index_t x = 0; x < 5; ++x) p.set(p.shape.offset(0, 0, y), x, (y + x) % 4);
    for (const int bits : {2, 4, 8})
        for (const char* name : {"p.png", "p.tif"}) {
            const wale::image_file_data file = wale::parse_image(written(name, p.view(), bits), "p");
            EXPECT_EQ(file.bits, bits) << name;
            expect_equal(p.view(), file);
        }
    p.set(0, 0, 16);
    EXPECT_EQ(wale::parse_image(written("p.png", p.view(), 4), "p").bits, 8);
    sample_image q(pixel::i32, 2, 1, 1, 2, 2);
    for (index_t k = 0; k < 4; ++k) q.set(q.shape.offset(0, 0, k / 2), k % 2, k % 2 == 0 ? -32768 : 32767);
    for (const char* name : {"q.tif", "q.npy"}) {
        EXPECT_EQ(wale::parse_image(written(name, q.view(), 8), "q").bits, 32);
        const wale::image_file_data file = wale::parse_image(written(name, q.view(), 16), "q");
        EXPECT_EQ(file.bits, 16);
        expect_equal(q.view(), file);
    }
    q.set(0, 0, 40000);
    EXPECT_EQ(wale::parse_image(written("q.npy", q.view(), 16), "q").bits, 32);
}

TEST_F(ImageFile, EmptyImagesOnlyInNpy) {
    for (const auto& [rows, columns] : {std::pair{0, 5}, {5, 0}, {0, 0}}) {
        const sample_image p(pixel::u8, 2, 1, 1, rows, columns);
        expect_equal(p.view(), wale::parse_image(written("p.npy", p.view()), "p"));
        EXPECT_FALSE(wale::why_unwritable("p.png", p.shape).empty());
        EXPECT_FALSE(wale::why_unwritable("p.tif", p.shape).empty());
    }
}

TEST_F(ImageFile, NamesChooseTheFormatAndFirstBytesTellIt) {
    const sample_image p(pixel::u8, 2, 1, 1, 3, 3);
    EXPECT_EQ(written("a.PNG", p.view()).substr(1, 3), "PNG");
    fs::rename(path("a.PNG"), path("a.npy"));
    EXPECT_EQ(wale::read_image(path("a.npy")).format, wale::image_format::png);
    EXPECT_SAYS(wale::why_unwritable("a.gif", p.shape), "names no format");
    EXPECT_EQ(wale::why_unwritable("a.gif", p.shape, {.format = wale::image_format::tiff}), "");
    EXPECT_THROW((void)wale::read_image(path("missing.png")), wale::cannot_open);
    EXPECT_THROW((void)wale::read_image(folder), wale::cannot_open);
    try {
        wale::write_image(path("a.npy"), p.view(), {.inputs = {path("a.npy")}});
        ADD_FAILURE() << "an input was replaced";
    } catch (const wale::cannot_write&) {
    }
    EXPECT_THROW(wale::write_image("/dev/full", p.view(), {.format = wale::image_format::png}),
                 wale::cannot_write);
}

TEST_F(ImageFile, PixelsLieWhereAsked) {
    const sample_image p(pixel::u16, 2, 1, 1, 4, 6);
    const std::string bytes = written("p.tif", p.view());
    index_t asked = 0;
    (void)wale::parse_image(bytes, "p", {.space = [&](const wale::raster& r) {
                                asked = r.pixels();
                                return wale::memory_space::host;
                            }});
    EXPECT_EQ(asked, 24);
    EXPECT_THROW((void)wale::parse_image(
                     bytes, "p", {.space = [](const wale::raster&) { return wale::memory_space::device; }}),
                 wale::bad_argument);
    EXPECT_SAYS(refusal(bytes, {.max_bytes = 47}), "48 bytes of pixels, expected at most 47");
}

TEST_F(ImageFile, EveryPrefixAndEveryLongerFileIsRefused) {
    const sample_image p(pixel::u16, 2, 1, 1, 9, 11);
    for (const char* name : {"p.png", "p.npy", "p.tif"}) {
        const std::string whole = written(name, p.view());
        EXPECT_EQ(refusal(whole), "");
        for (std::size_t size = 0; size < whole.size(); ++size)
            EXPECT_NE(refusal(whole.substr(0, size)), "") << name << ' ' << size;
        if (name == std::string("p.tif")) continue;  // there bytes may lie anywhere
        EXPECT_SAYS(refusal(whole + "x"), "expected");
    }
}

TEST_F(ImageFile, ABitThatFlipsInAPngIsSeen) {
    const sample_image p(pixel::u8, 2, 1, 1, 9, 11);
    std::string whole = written("p.png", p.view());
    for (char& c : whole) {
        c = static_cast<char>(c ^ 4);
        EXPECT_NE(refusal(whole), "") << &c - whole.data();
        c = static_cast<char>(c ^ 4);
    }
}

TEST_F(ImageFile, LinesOfAnImage) {
    struct {
        const char* name;
        int rank;
        index_t images, planes, rows, columns;
    } const cases[] = {{"a.png", 2, 1, 1, 20, 9},         {"a.npy", 2, 1, 1, 20, 9},
                       {"strips.tif", 2, 1, 1, 700, 401}, {"pages.tif", 3, 1, 5, 8, 9},
                       {"v.npy", 3, 1, 5, 8, 9},          {"batch.tif", 2, 4, 1, 8, 9}};
    for (const auto& c : cases) {
        const sample_image image(pixel::u16, c.rank, c.images, c.planes, c.rows, c.columns);
        const std::string bytes = written(c.name, image.view());
        wale::image_file_options o;
        if (c.images > 1) o.stack = wale::stack_rule::images;
        const wale::image_file_data all = wale::parse_image(bytes, "f", o);
        const index_t lines = c.images > 1 ? c.images : c.rank == 3 ? c.planes : c.rows;
        const index_t line = all.pixels.bytes() / lines;
        for (const auto& [first, last] :
             {std::pair<index_t, index_t>{0, lines}, {1, 3}, {lines - 1, lines}, {2, 2}}) {
            o.lines = [&, kept = std::pair(first, last)](const wale::raster& whole) {
                EXPECT_EQ(whole.pixels(), all.shape.pixels());
                return kept;
            };
            const wale::image_file_data part = wale::parse_image(bytes, "f", o);
            ASSERT_EQ(part.pixels.bytes(), line * (last - first)) << c.name;
            if (last == first) continue;
            EXPECT_EQ(
                std::memcmp(part.pixels.data(), static_cast<const char*>(all.pixels.data()) + line * first,
                            static_cast<std::size_t>(part.pixels.bytes())),
                0)
                << c.name << " " << first << " " << last;
        }
        o.lines = [&](const wale::raster&) { return std::pair(index_t{1}, lines + 1); };
        EXPECT_THROW((void)wale::parse_image(bytes, "f", o), wale::bad_argument);
    }
}

}  // namespace
