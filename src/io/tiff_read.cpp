// tiff_read - TIFF and BigTIFF through libtiff: strips or tiles, one page or a stack.
#include <algorithm>
#include <cstring>
#include <wale/host_memory.hpp>

#include "base/checked.hpp"
#include "io/escape.hpp"
#include "io/samples.hpp"
#include "io/stack_axes.hpp"
#include "io/tiff_handle.hpp"

namespace wale::io {
namespace {

constexpr index_t decoder_memory = index_t{64} << 20;  // bytes that libtiff may take besides the file's

template <class T>
T field(TIFF* tiff, std::uint32_t tag, T otherwise) {
    T value{};
    return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : otherwise;
}

struct page {
    index_t rows = 0, columns = 0;
    sample stored;
    reduction how;
    bool inverted = false;  // 0 is white
    // The blocks in which it is stored: strips or tiles.
    bool tiled = false;
    index_t block_rows = 0, block_columns = 0, block_row_bytes = 0;

    [[nodiscard]] bool alike(const page& o) const {
        return rows == o.rows && columns == o.columns && stored.kind == o.stored.kind &&
               stored.bits == o.stored.bits;
    }
    [[nodiscard]] std::string text() const {
        const auto type = pixel_for(stored);
        return std::to_string(rows) + " x " + std::to_string(columns) + " " +
               (type ? name_of(*type) : std::to_string(stored.bits) + "-bit integers");
    }
    [[nodiscard]] index_t pixel_bytes() const {
        const auto type = pixel_for(stored);
        return type ? bytes_of(*type) : stored.bytes();
    }
};

class tiff_reader {
public:
    explicit tiff_reader(const image_input& in) : in_(in) {
        state_.bytes = &in.bytes;
        // m: no memory map; c: strips as they are.
        tiff_ = open_tiff(state_, "rmc", 2 * in.bytes.size() + decoder_memory);
        if (tiff_ == nullptr) damaged();
    }

    image_file_data read() {
        page first;
        index_t pages = 0;
        georeference earth;
        std::string description;
        each_page([&] {
            const page p = describe();
            if (pages++ == 0) {
                first = p;
                earth = read_earth();
                const char* text = nullptr;
                if (TIFFGetField(tiff_.get(), TIFFTAG_IMAGEDESCRIPTION, &text) == 1 && text != nullptr)
                    description = text;
            }
            if (!p.alike(first))
                in_.refuse("page " + std::to_string(pages) + " is " + p.text() + ", expected " +
                           first.text() + " like page 1");
            total_rows_ += p.rows;
            in_.check_expansion(total_rows_, p.block_row_bytes, expansion(p));
        });
        // libtiff takes a missing offset of the next page for the end of them.
        if (state_.cut) in_.refuse("damaged TIFF: the file ends within a directory");
        if (pages == 0) in_.refuse("no page at full resolution, expected one or more");
        raster shape;
        const auto type = pixel_for(first.stored);
        shape.type = type.value_or(pixel::f64);  // its memory has room for every sample
        shape.rows = first.rows;
        shape.columns = first.columns;
        if (pages > 1 && in_.options.stack == stack_rule::volume) {
            shape.rank = 3;
            if (const std::string axes = other_axes(description, pages); !axes.empty())
                in_.refuse("its pages are " + axes +
                           ", expected planes of one volume (--batch: images by themselves)");
        }
        (shape.rank == 3 ? shape.planes : shape.images) = pages;
        // A type that the values choose is that of all.
        const auto kept = type ? in_.lines(shape) : image_input::all_lines(shape);
        image_file_data out =
            in_.allocate(image_input::part(shape, kept), image_format::tiff, first.stored.bits);
        auto* to = static_cast<char*>(out.pixels.data());
        rows_ = pages > 1 ? std::pair(index_t{0}, first.rows) : kept;
        index_t number = 0;
        each_page([&] {
            const bool skipped = pages > 1 && (number < kept.first || number >= kept.second);
            ++number;
            if (skipped) return;
            read_page(describe(), to);
            to += first.rows * first.columns * first.pixel_bytes();
        });
        if (!type) out = in_.cut(widened(in_, shape, image_format::tiff, first.stored, out.pixels.data()));
        out.earth = std::move(earth);
        return out;
    }

private:
    [[noreturn]] void damaged() const {
        check_memory();
        const std::string why = state_.message[0] != '\0' ? escaped(state_.message.data()) : "cannot be read";
        in_.refuse("damaged TIFF: " + why);
    }

    /// libtiff reports an allocation that failed as damage, or leaves a tag out and goes on.
    void check_memory() const {
        if (state_.no_memory)
            throw out_of_memory(in_.name + ": its decoder", out_of_memory::unknown, available_host_memory());
    }

    /// What a call into libtiff returns.
    template <class F>
    auto inside(F&& f) -> decltype(f()) {
        decltype(f()) result{};
        if (!guarded(state_, [&] { result = f(); })) (void)tiff_.release();
        check_memory();
        return result;
    }

    /// Pages but for thumbnails and masks.
    template <class F>
    void each_page(F&& f) {
        if (inside([this] { return TIFFSetDirectory(tiff_.get(), 0); }) == 0) damaged();
        while (true) {
            const auto kind = field<std::uint32_t>(tiff_.get(), TIFFTAG_SUBFILETYPE, 0);
            if ((kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) == 0) f();
            if (TIFFLastDirectory(tiff_.get()) != 0) return;
            if (inside([this] { return TIFFReadDirectory(tiff_.get()); }) == 0) damaged();
        }
    }

    /// libtiff hands tags that it does not know out as number and values, in the type that the file names.
    [[nodiscard]] georeference read_earth() {
        georeference earth;
        for_each_tag(earth, [this]<class List>(std::uint32_t tag, List& values) {
            const TIFFField* const known = TIFFFindField(tiff_.get(), tag, TIFF_ANY);
            std::uint32_t count = 0;
            const typename List::value_type* data = nullptr;
            if (known == nullptr || TIFFGetField(tiff_.get(), tag, &count, &data) != 1) return;
            if (TIFFFieldDataType(known) != tag_type<List>)
                in_.refuse("tag " + std::to_string(tag) + " of type " +
                           std::to_string(TIFFFieldDataType(known)) + ", expected " +
                           std::to_string(tag_type<List>));
            if (data == nullptr &&
                count > 0)  // libtiff keeps the number of values for which it had no memory
                throw out_of_memory(in_.name + ": its decoder", out_of_memory::unknown,
                                    available_host_memory());
            values.assign(data, data + count);
            if constexpr (std::is_same_v<List, std::string>) values.resize(std::strlen(values.c_str()));
        });
        return earth;
    }

    [[nodiscard]] sample stored_sample() const {
        const int bits = field<std::uint16_t>(tiff_.get(), TIFFTAG_BITSPERSAMPLE, 1);
        const int format = field<std::uint16_t>(tiff_.get(), TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
        const bool plain = format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID;
        const sample_kind kind = plain ? bits == 1 ? sample_kind::boolean : sample_kind::whole
                                 : format == SAMPLEFORMAT_INT    ? sample_kind::negative_too
                                 : format == SAMPLEFORMAT_IEEEFP ? sample_kind::floating
                                                                 : sample_kind::boolean;
        const bool whole_bytes = bits == 8 || bits == 16 || bits == 32 || bits == 64;
        const bool known = kind == sample_kind::boolean    ? plain && bits == 1
                           : kind == sample_kind::whole    ? bits == 2 || bits == 4 || whole_bytes
                           : kind == sample_kind::floating ? whole_bytes && bits != 8
                                                           : whole_bytes;
        if (!known)
            in_.refuse(std::to_string(bits) + "-bit samples of format " + std::to_string(format) +
                       ", expected integers of 1 (no sign), 2 (none), 4 (none), 8, 16, 32 or 64 bits, "
                       "or floats of 16, 32 or 64");
        return {kind, bits};
    }

    [[nodiscard]] page describe() {
        TIFF* t = tiff_.get();
        page p;
        p.rows = field<std::uint32_t>(t, TIFFTAG_IMAGELENGTH, 0);
        p.columns = field<std::uint32_t>(t, TIFFTAG_IMAGEWIDTH, 0);
        if (p.rows == 0 || p.columns == 0) in_.refuse("damaged TIFF: no pixels");
        p.stored = stored_sample();
        const int samples = field<std::uint16_t>(t, TIFFTAG_SAMPLESPERPIXEL, 1);
        std::uint16_t photometric = PHOTOMETRIC_MINISBLACK;
        (void)TIFFGetField(t, TIFFTAG_PHOTOMETRIC, &photometric);
        check_meaning(p, photometric, samples);
        const bool rgb = photometric == PHOTOMETRIC_RGB;
        const std::string what = std::to_string(p.stored.bits) + "-bit " + (rgb ? "RGB" : "grey") +
                                 (samples > (rgb ? 3 : 1) ? " with alpha or other samples" : "");
        p.how = choose_reduction(in_, what, {.colours = rgb ? 3 : 1, .all = samples});
        p.inverted = photometric == PHOTOMETRIC_MINISWHITE && p.how.taken == 0;  // alpha has no white
        describe_blocks(p);
        return p;
    }

    void check_meaning(const page& p, int photometric, int samples) const {
        if (photometric > PHOTOMETRIC_RGB)
            in_.refuse("photometric interpretation " + std::to_string(photometric) +
                       ", expected 0, 1 (grey) or 2 (RGB)");
        if (samples < (photometric == PHOTOMETRIC_RGB ? 3 : 1))
            in_.refuse("damaged TIFF: " + std::to_string(samples) + " samples a pixel");
        if (samples > 1 && (p.stored.bits < 8 || !pixel_for(p.stored)))
            in_.refuse("colour of " + std::to_string(p.stored.bits) +
                       " bits, expected 8 or 16, 32 with a sign, or floats");
        if (samples > 1 && field<std::uint16_t>(tiff_.get(), TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) !=
                               PLANARCONFIG_CONTIG)
            in_.refuse("samples in planes apart, expected them interleaved");
        if (photometric == PHOTOMETRIC_MINISWHITE &&
            ((p.stored.kind != sample_kind::boolean && p.stored.kind != sample_kind::whole) ||
             p.stored.bits > 16))
            in_.refuse("0 as white with signed, floating or more than 16-bit samples, expected 0 as black");
    }

    void describe_blocks(page& p) const {
        TIFF* t = tiff_.get();
        p.tiled = TIFFIsTiled(t) != 0;
        if (p.tiled) {
            p.block_rows = field<std::uint32_t>(t, TIFFTAG_TILELENGTH, 0);
            p.block_columns = field<std::uint32_t>(t, TIFFTAG_TILEWIDTH, 0);
            p.block_row_bytes = static_cast<index_t>(TIFFTileRowSize64(t));
            constexpr index_t usual =
                65536;  // of pixels beyond a small image, which a few bytes can stand for
            if (p.block_rows > std::max(p.rows, usual) || p.block_columns > std::max(p.columns, usual))
                in_.refuse("damaged TIFF: tiles of " + std::to_string(p.block_rows) + " x " +
                           std::to_string(p.block_columns) + " pixels in an image of " +
                           std::to_string(p.rows) + " x " + std::to_string(p.columns));
        } else {
            p.block_rows =
                std::min<index_t>(field<std::uint32_t>(t, TIFFTAG_ROWSPERSTRIP, 0xffffffff), p.rows);
            p.block_columns = p.columns;
            p.block_row_bytes = static_cast<index_t>(TIFFScanlineSize64(t));
        }
        const auto bits = base::multiply(p.block_columns * p.how.samples, p.stored.bits);
        if (p.block_rows <= 0 || p.block_columns <= 0 || !bits ||
            p.block_row_bytes != base::ceil_div(*bits, 8))
            in_.refuse("damaged TIFF: strips or tiles of no size");
        in_.check_expansion(p.block_rows, p.block_row_bytes, expansion(p));
    }

    /// Bytes that a byte of compressed data can stand for; refuses codes that lose values or are rare.
    [[nodiscard]] index_t expansion(const page& p) const {
        const int code = field<std::uint16_t>(tiff_.get(), TIFFTAG_COMPRESSION, COMPRESSION_NONE);
        switch (code) {
            case COMPRESSION_NONE:
                return 1;
            case COMPRESSION_PACKBITS:
                return 128;
            case COMPRESSION_LZW:
                return 4096;
            case COMPRESSION_DEFLATE:
            case COMPRESSION_ADOBE_DEFLATE:
                return 1040;
            case COMPRESSION_LZMA:
            case COMPRESSION_ZSTD:
                return 65536;
            case COMPRESSION_CCITTRLE:
            case COMPRESSION_CCITTFAX3:
            case COMPRESSION_CCITTFAX4:  // a bit for a row that is as the one above
                if (p.stored.bits != 1)
                    in_.refuse("damaged TIFF: CCITT compression of " + std::to_string(p.stored.bits) +
                               "-bit samples, expected 1-bit samples");
                return 8 * p.block_row_bytes;
            default:
                in_.refuse("compression " + std::to_string(code) +
                           ", expected none or a lossless one (LZW, deflate, PackBits, CCITT, LZMA, ZSTD)");
        }
    }

    void read_page(const page& p, char* to) {
        const index_t across = base::ceil_div(p.columns, p.block_columns),
                      down = base::ceil_div(p.rows, p.block_rows);
        const memory block(checked_bytes(p.block_rows, p.block_row_bytes), memory_space::host);
        std::uint32_t number = 0;
        for (index_t y = 0; y < down; ++y)
            for (index_t x = 0; x < across; ++x, ++number) {
                if ((y + 1) * p.block_rows <= rows_.first || y * p.block_rows >= rows_.second) continue;
                const index_t rows =
                    p.tiled ? p.block_rows : std::min(p.block_rows, p.rows - y * p.block_rows);
                read_block(p, number, block.data(), rows * p.block_row_bytes);
                place_block(p, static_cast<const char*>(block.data()), y * p.block_rows, x * p.block_columns,
                            to);
            }
    }

    void read_block(const page& p, std::uint32_t number, void* to, index_t bytes) {
        const tmsize_t got = inside([&] {
            return p.tiled ? TIFFReadEncodedTile(tiff_.get(), number, to, bytes)
                           : TIFFReadEncodedStrip(tiff_.get(), number, to, bytes);
        });
        if (got < 0) damaged();
        if (got != bytes)
            in_.refuse("damaged TIFF: " + std::to_string(got) + " bytes in strip or tile " +
                       std::to_string(number) + ", expected " + std::to_string(bytes));
    }

    void place_block(const page& p, const char* from, index_t top, index_t left, char* to) {
        const index_t rows = std::min(p.block_rows, p.rows - top),
                      columns = std::min(p.block_columns, p.columns - left);
        const index_t size = p.pixel_bytes();
        for (index_t row = 0; row < rows; ++row, from += p.block_row_bytes) {
            if (top + row < rows_.first || top + row >= rows_.second) continue;
            char* pixels = to + ((top + row - rows_.first) * p.columns + left) * size;
            if (p.stored.bits < 8)
                unpack(from, p.stored.bits, pixels, columns);
            else
                reduce_row(p.stored, p.how, from, pixels, columns);
            if (p.inverted) invert(p.stored, pixels, columns);
        }
    }

    static void unpack(const char* from, int bits, char* to, index_t columns) {  // the first pixel is on top
        for (index_t c = 0; c < columns; ++c) {
            const index_t at = c * bits;
            to[c] = static_cast<char>(static_cast<unsigned char>(from[at / 8]) >> (8 - bits - at % 8) &
                                      ((1 << bits) - 1));
        }
    }

    static void invert(const sample& s, char* row, index_t columns) {
        const auto turn = [columns](auto* pixels, int white) {
            for (index_t c = 0; c < columns; ++c)
                pixels[c] = static_cast<std::remove_reference_t<decltype(*pixels)>>(white - pixels[c]);
        };
        if (s.bits == 16)
            turn(reinterpret_cast<std::uint16_t*>(row), 65535);
        else
            turn(reinterpret_cast<std::uint8_t*>(row), (1 << s.bits) - 1);
    }

    const image_input& in_;
    tiff_state state_;
    tiff_handle tiff_{nullptr, TIFFClose};
    index_t total_rows_ = 0;
    std::pair<index_t, index_t> rows_{};  // of a page that are kept
};

}  // namespace

bool is_tiff(std::string_view head) {
    return head.starts_with(std::string_view("II*\0", 4)) || head.starts_with(std::string_view("MM\0*", 4)) ||
           head.starts_with(std::string_view("II+\0", 4)) || head.starts_with(std::string_view("MM\0+", 4));
}

image_file_data read_tiff(const image_input& in) {
    return tiff_reader(in).read();
}

}  // namespace wale::io
