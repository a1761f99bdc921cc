// tiff_write - deflated strips, a page for each plane; BigTIFF where 32-bit offsets may not do.
#include <fcntl.h>

#include <algorithm>
#include <wale/host_memory.hpp>

#include "base/checked.hpp"
#include "io/samples.hpp"
#include "io/tiff_handle.hpp"

namespace wale::io {
namespace {

constexpr index_t strip_bytes = index_t{1} << 18;  // before compression
constexpr index_t classic_limit = 4'000'000'000;   // bytes; offsets of classic TIFF have 32 bits
constexpr int compression_level = 3;

class tiff_writer {
public:
    explicit tiff_writer(const image_output& out) : out_(out), stored_(stored_as(out.image.type, out.bits)) {
        state_.out = &bytes_;
        const bool big = out.image.pixels() * stored_.bytes() > classic_limit;
        tiff_ = open_tiff(state_, big ? "w8" : "w", 0);
        if (tiff_ == nullptr) failed();
    }
    tiff_writer(const tiff_writer&) = delete;
    tiff_writer& operator=(const tiff_writer&) = delete;
    /// TIFFClose() writes what is unfinished, which a failure may have left in any state, unless nothing may
    /// be written.
    ~tiff_writer() {
        if (tiff_ != nullptr) TIFFSetMode(tiff_.get(), O_RDONLY);
    }
    void write() {
        const const_image_view& p = out_.image;
        const index_t pages = p.images * p.planes;
        for (index_t k = 0; k < pages; ++k) {
            describe_page(pages > 1);
            write_page(k / p.planes, k % p.planes);
            if (TIFFWriteDirectory(tiff_.get()) == 0) failed();
        }
        tiff_.reset();
        out_.sink(bytes_);
    }

private:
    [[noreturn]] void failed() const {
        throw out_of_memory(std::string("image: TIFF cannot be encoded (") + state_.message.data() + ")",
                            out_of_memory::unknown, available_host_memory());
    }
    [[nodiscard]] index_t row_bytes() const { return base::ceil_div(out_.image.columns * stored_.bits, 8); }

    void describe_page(bool of_many) {
        const bool grey = stored_.kind == sample_kind::boolean || stored_.kind == sample_kind::whole;
        rows_of_strip_ =
            std::clamp<index_t>(strip_bytes / std::max<index_t>(row_bytes(), 1), 1, out_.image.rows);
        if (of_many) set(TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
        set(TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(out_.image.columns));
        set(TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(out_.image.rows));
        set(TIFFTAG_SAMPLESPERPIXEL, 1);
        set(TIFFTAG_BITSPERSAMPLE, stored_.bits);
        set(TIFFTAG_SAMPLEFORMAT, grey                                    ? SAMPLEFORMAT_UINT
                                  : stored_.kind == sample_kind::floating ? SAMPLEFORMAT_IEEEFP
                                                                          : SAMPLEFORMAT_INT);
        set(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
        set(TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(rows_of_strip_));
        set(TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
        set(TIFFTAG_ZIPQUALITY, compression_level);
        // The predictor of floating values is one that few readers but libtiff know.
        if (stored_.bits >= 8 && stored_.kind != sample_kind::floating)
            set(TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
        write_earth();
    }

    /// On each page, as libtiff drops the description of its tags after each.
    void write_earth() {
        for_each_tag(out_.options.earth, [this]<class List>(std::uint32_t tag, const List& values) {
            if (values.empty()) return;
            static char name[] = "georeference";  // libtiff keeps the pointer
            const TIFFFieldInfo info{tag, TIFF_VARIABLE2, TIFF_VARIABLE2, tag_type<List>, FIELD_CUSTOM, 1, 1,
                                     name};
            const auto count =
                static_cast<std::uint32_t>(values.size() + (tag_type<List> == TIFF_ASCII ? 1 : 0));
            if (TIFFMergeFieldInfo(tiff_.get(), &info, 1) != 0 ||
                TIFFSetField(tiff_.get(), tag, count, values.data()) == 0)
                failed();
        });
    }

    template <class T>
    void set(std::uint32_t tag, T value) {
        if (TIFFSetField(tiff_.get(), tag, value) == 0) failed();
    }

    void write_page(index_t image, index_t plane) {
        const index_t rows = out_.image.rows;
        std::vector<char> scratch;
        std::string strip;  // libtiff's predictors work in place
        std::uint32_t number = 0;
        for (index_t top = 0; top < rows; top += rows_of_strip_, ++number) {
            strip.clear();
            for (index_t row = top; row < std::min(top + rows_of_strip_, rows); ++row)
                append(strip, stored_row(out_, image, plane, row, scratch));
            if (TIFFWriteEncodedStrip(tiff_.get(), number, strip.data(), std::ssize(strip)) < 0) failed();
        }
    }

    void append(std::string& strip, std::string_view row) const {
        if (stored_.bits >= 8) {
            strip += row;
            return;
        }
        const std::size_t at = strip.size();
        strip.resize(at + static_cast<std::size_t>(row_bytes()), '\0');
        const auto bits = static_cast<std::size_t>(stored_.bits);
        for (std::size_t c = 0; c < row.size(); ++c) {
            char& byte = strip[at + c * bits / 8];
            byte = static_cast<char>(byte | row[c] << (8 - bits - c * bits % 8));
        }
    }

    const image_output& out_;
    sample stored_;
    std::string bytes_;
    tiff_state state_;
    tiff_handle tiff_{nullptr, TIFFClose};
    index_t rows_of_strip_ = 1;
};

}  // namespace

void write_tiff(const image_output& out) {
    tiff_writer(out).write();
}

}  // namespace wale::io
