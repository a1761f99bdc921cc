// png - PNG through libpng, which reports errors by longjmp: each call into it runs inside guarded(), whose
// callers keep nothing with a destructor between it and libpng.
#include <png.h>

#include <array>
#include <bit>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <wale/host_memory.hpp>

#include "io/samples.hpp"

namespace wale::io {
namespace {

constexpr index_t most_of_a_byte = 1040;  // bytes that a byte of deflate can stand for, and a little
constexpr png_alloc_size_t chunk_limit = 1 << 20;
constexpr int compression_level = 3;  // of natural images 6 takes thrice the time and saves 3 %
constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";

/// What the callbacks see.
struct png_state {
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::array<char, 160> message{};
    // Reading.
    const byte_source* bytes = nullptr;
    index_t at = 0;
    // Writing.
    const byte_sink* sink = nullptr;
    std::exception_ptr thrown;
    bool no_memory = false;
};

void on_error(png_structp png, png_const_charp text) {
    auto* state = static_cast<png_state*>(png_get_error_ptr(png));
    std::snprintf(state->message.data(), state->message.size(), "%s", text);
    png_longjmp(png, 1);
}
void on_warning(png_structp, png_const_charp) {}

/// libpng goes on without a chunk for which there is no memory, so that each failure is noted here.
png_voidp on_allocate(png_structp png, png_alloc_size_t size) {
    void* memory = std::malloc(size);
    if (memory == nullptr) static_cast<png_state*>(png_get_mem_ptr(png))->no_memory = true;
    return memory;
}
void on_release(png_structp, png_voidp memory) {
    std::free(memory);
}

void on_read(png_structp png, png_bytep to, std::size_t count) {
    auto* state = static_cast<png_state*>(png_get_io_ptr(png));
    if (!state->bytes->read(state->at, to, static_cast<index_t>(count)))
        png_error(png, "the file ends too early");
    state->at += static_cast<index_t>(count);
}

void on_write(png_structp png, png_bytep bytes, std::size_t count) {
    auto* state = static_cast<png_state*>(png_get_io_ptr(png));
    try {
        (*state->sink)({reinterpret_cast<const char*>(bytes), count});
        return;
    } catch (...) {  // must not pass through C code
        state->thrown = std::current_exception();
    }
    png_error(png, "writing failed");
}
void on_flush(png_structp) {}

/// Runs f; false if libpng left it by a longjmp. f and what it calls own nothing.
template <class F>
[[nodiscard]] bool guarded(png_structp png, F&& f) {
    if (setjmp(png_jmpbuf(png))) return false;
    f();
    return true;
}

std::string text_of(int colour_type, int depth) {
    const char* kind = colour_type == PNG_COLOR_TYPE_GRAY         ? "grey"
                       : colour_type == PNG_COLOR_TYPE_GRAY_ALPHA ? "grey with alpha"
                       : colour_type == PNG_COLOR_TYPE_PALETTE    ? "palette colour"
                       : colour_type == PNG_COLOR_TYPE_RGB        ? "RGB"
                                                                  : "RGBA";
    return std::to_string(depth) + "-bit " + kind;
}

class png_reader {
public:
    explicit png_reader(const image_input& in) : in_(in) {
        state_.bytes = &in.bytes;
        state_.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &state_, on_error, on_warning, &state_,
                                              on_allocate, on_release);
        if (state_.png != nullptr) state_.info = png_create_info_struct(state_.png);
        if (state_.info == nullptr) {
            png_destroy_read_struct(&state_.png, nullptr, nullptr);
            no_memory();
        }
    }
    png_reader(const png_reader&) = delete;
    png_reader& operator=(const png_reader&) = delete;
    ~png_reader() { png_destroy_read_struct(&state_.png, &state_.info, nullptr); }

    image_file_data read() {
        run([this] { read_header(); });
        const bool has_alpha = (colour_type_ & PNG_COLOR_MASK_ALPHA) != 0;
        const int colours = (colour_type_ & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1;
        const reduction how = choose_reduction(
            in_, text_of(colour_type_, depth_) + (see_through_ ? " with transparency" : ""),
            {.colours = colours, .all = has_alpha ? colours + 1 : colours, .see_through = see_through_});
        check_size();
        run([this] { prepare(); });
        const bool palette = colour_type_ == PNG_COLOR_TYPE_PALETTE;
        const sample s{depth_ == 1 && !palette ? sample_kind::boolean : sample_kind::whole,
                       depth_ == 16 ? 16 : 8};
        raster shape;
        shape.type = *pixel_for(s);
        shape.rows = height_;
        shape.columns = width_;
        image_file_data out = in_.allocate(shape, image_format::png, palette ? 8 : depth_);
        if (samples_ == 1)
            read_rows(out.pixels.data(), out.shape.columns * s.bytes());
        else
            read_and_reduce(out, s, how);
        if (palette) look_up(out, how);
        if (state_.at != in_.bytes.size())
            in_.refuse(std::to_string(in_.bytes.size() - state_.at) +
                       " bytes after the end of the image, expected none");
        return out;
    }

private:
    template <class F>
    void run(F&& f) {
        const bool whole = guarded(state_.png, f);
        if (state_.no_memory) no_memory();
        if (!whole) in_.refuse(std::string("damaged PNG: ") + state_.message.data());
    }
    [[noreturn]] void no_memory() const {
        throw out_of_memory(in_.name + ": its decoder", out_of_memory::unknown, available_host_memory());
    }

    /// Only the pixels and their coding matter; all other chunks are skipped. A wrong checksum of an
    /// ancillary chunk is no error: of these, only tRNS counts, and of tRNS only that it is there, so that a
    /// damaged one changes no pixel. libpng's other lenient actions would drop a damaged tRNS, and an image
    /// with transparency would pass for one without.
    void read_header() {
        png_set_read_fn(state_.png, &state_, on_read);
        png_set_user_limits(state_.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
        png_set_chunk_cache_max(state_.png, 64);
        png_set_chunk_malloc_max(state_.png, chunk_limit);
        png_set_crc_action(state_.png, PNG_CRC_ERROR_QUIT, PNG_CRC_QUIET_USE);
        png_set_keep_unknown_chunks(state_.png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
        png_set_benign_errors(state_.png, 0);
        png_read_info(state_.png, state_.info);
        width_ = png_get_image_width(state_.png, state_.info);
        height_ = png_get_image_height(state_.png, state_.info);
        depth_ = png_get_bit_depth(state_.png, state_.info);
        colour_type_ = png_get_color_type(state_.png, state_.info);
        see_through_ = png_get_valid(state_.png, state_.info, PNG_INFO_tRNS) != 0;
    }

    /// An image cannot be larger than deflate allows for a file of this size.
    void check_size() const {
        const index_t bits = index_t{depth_} * png_get_channels(state_.png, state_.info);
        in_.check_expansion(height_, (width_ * bits + 7) / 8, most_of_a_byte);
    }

    /// Bytes for samples below 8 bits with their values as they are, this machine's order for 16.
    void prepare() {
        png_set_packing(state_.png);
        if (std::endian::native == std::endian::little) png_set_swap(state_.png);
        passes_ = png_set_interlace_handling(state_.png);
        png_read_update_info(state_.png, state_.info);
        samples_ = png_get_channels(state_.png, state_.info);
    }

    void read_rows(void* to, index_t row_bytes) {
        auto* first = static_cast<png_bytep>(to);
        run([=, this] {
            for (int pass = 0; pass < passes_; ++pass)
                for (index_t row = 0; row < height_; ++row)
                    png_read_row(state_.png, first + row * row_bytes, nullptr);
            png_read_end(state_.png, nullptr);
        });
    }

    /// From numbers in the palette to the grey values of its colours.
    void look_up(const image_file_data& out, const reduction& how) {
        png_colorp colours = nullptr;
        int count = 0;
        (void)png_get_PLTE(state_.png, state_.info, &colours, &count);
        std::array<std::uint8_t, 256> grey{};
        for (int k = 0; k < count; ++k) {
            const std::uint8_t rgb[] = {colours[k].red, colours[k].green, colours[k].blue};
            reduce_row({sample_kind::whole, 8}, how, rgb, &grey[static_cast<std::size_t>(k)], 1);
        }
        auto* pixels = static_cast<std::uint8_t*>(out.pixels.data());
        for (index_t k = 0; k < out.shape.pixels(); ++k) {
            if (pixels[k] >= count)
                in_.refuse("damaged PNG: colour " + std::to_string(pixels[k]) + " of a palette of " +
                           std::to_string(count));
            pixels[k] = grey[pixels[k]];
        }
    }

    /// Interlaced rows are whole only at the end, so that all samples are kept until then.
    void read_and_reduce(const image_file_data& out, const sample& s, const reduction& how) {
        const index_t row_bytes = width_ * samples_ * s.bytes();
        const memory all(checked_bytes(height_, row_bytes), memory_space::host);
        read_rows(all.data(), row_bytes);
        for (index_t row = 0; row < height_; ++row)
            reduce_row(s, how, static_cast<const char*>(all.data()) + row * row_bytes,
                       static_cast<char*>(out.pixels.data()) + row * width_ * s.bytes(), width_);
    }

    const image_input& in_;
    png_state state_;
    index_t width_ = 0, height_ = 0;
    int depth_ = 0, colour_type_ = 0, samples_ = 1, passes_ = 1;
    bool see_through_ = false;  // by a tRNS chunk, which adds no stored sample
};

class png_writer {
public:
    explicit png_writer(const image_output& out) : out_(out) {
        state_.sink = &out.sink;
        state_.png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &state_, on_error, on_warning, &state_,
                                               on_allocate, on_release);
        if (state_.png != nullptr) state_.info = png_create_info_struct(state_.png);
        if (state_.info == nullptr) {
            png_destroy_write_struct(&state_.png, nullptr);
            no_memory();
        }
    }
    png_writer(const png_writer&) = delete;
    png_writer& operator=(const png_writer&) = delete;
    ~png_writer() { png_destroy_write_struct(&state_.png, &state_.info); }

    void write() {
        run([this] { write_header(); });
        std::vector<char> scratch;
        for (index_t row = 0; row < out_.image.rows; ++row) {
            const char* bytes = stored_row(out_, 0, 0, row, scratch).data();
            run([=, this] { png_write_row(state_.png, reinterpret_cast<png_const_bytep>(bytes)); });
        }
        run([this] { png_write_end(state_.png, nullptr); });
    }

private:
    template <class F>
    void run(F&& f) {
        const bool whole = guarded(state_.png, f);
        if (state_.no_memory) no_memory();
        if (whole) return;
        if (state_.thrown) std::rethrow_exception(state_.thrown);
        throw bad_argument(std::string("image: ") + state_.message.data());
    }
    [[noreturn]] static void no_memory() {
        throw out_of_memory("image: the encoder of PNG", out_of_memory::unknown, available_host_memory());
    }

    void write_header() {
        png_set_write_fn(state_.png, &state_, on_write, on_flush);
        png_set_user_limits(state_.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
        png_set_compression_level(state_.png, compression_level);
        const sample s = stored_as(out_.image.type, out_.bits);
        png_set_IHDR(state_.png, state_.info, static_cast<png_uint_32>(out_.image.columns),
                     static_cast<png_uint_32>(out_.image.rows), s.bits, PNG_COLOR_TYPE_GRAY,
                     PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        png_write_info(state_.png, state_.info);
        png_set_packing(state_.png);
        if (std::endian::native == std::endian::little) png_set_swap(state_.png);
    }

    const image_output& out_;
    png_state state_;
};

}  // namespace

bool is_png(std::string_view head) {
    return head.starts_with(signature);
}

image_file_data read_png(const image_input& in) {
    return png_reader(in).read();
}

void write_png(const image_output& out) {
    png_writer(out).write();
}

}  // namespace wale::io
