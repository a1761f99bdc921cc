// jpeg - JPEG through libjpeg, which reports errors by longjmp: each call into it runs inside run(), whose
// callers keep nothing with a destructor between it and libjpeg. Reading only: JPEG changes values when it is
// written.
#include <cstdio>  // jpeglib.h lacks it

#include <jpeglib.h>

#include <array>
#include <csetjmp>
#include <wale/host_memory.hpp>

#include "io/escape.hpp"
#include "io/samples.hpp"

namespace wale::io {
namespace {

/// Bytes that a byte can stand for: a block of 8 x 8 samples takes a bit or more of a Huffman code, and a
/// component may be stored with a quarter of the rows and of the columns. Arithmetic coding, which has no
/// such bound, is refused.
constexpr index_t most_of_a_byte = 4096;
constexpr int most_scans = 200;  // each passes over the whole image; programs that write JPEG make 10 or so

/// What the callbacks see; cinfo.client_data.
struct jpeg_state {
    jpeg_decompress_struct cinfo{};
    jpeg_error_mgr errors{};
    jpeg_source_mgr source{};
    jpeg_progress_mgr progress{};
    std::jmp_buf leave{};
    std::array<char, JMSG_LENGTH_MAX> message{};
    std::array<JOCTET, 1 << 16> buffer{};
    const byte_source* bytes = nullptr;
    index_t at = 0;
    bool no_memory = false;
};

jpeg_state& state_of(void* common) {
    return *static_cast<jpeg_state*>(static_cast<j_common_ptr>(common)->client_data);
}

[[noreturn]] void leave_with(jpeg_state& state, const char* why) {
    std::snprintf(state.message.data(), state.message.size(), "%s", why);
    std::longjmp(state.leave, 1);
}

[[noreturn]] void on_error(j_common_ptr common) {
    jpeg_state& state = state_of(common);
    // The first code of an allocation that failed; jerror.h, which has its name, is no C++ header.
    std::array<char, JMSG_LENGTH_MAX> text{};
    common->err->format_message(common, text.data());
    state.no_memory = std::string_view(text.data()).starts_with("Insufficient memory");
    leave_with(state, text.data());
}

/// libjpeg makes up what is missing of a damaged file, and warns.
void on_message(j_common_ptr common, int level) {
    if (level < 0) on_error(common);
}

void on_start(j_decompress_ptr) {}

boolean on_fill(j_decompress_ptr cinfo) {
    jpeg_state& state = state_of(cinfo);
    const index_t count =
        std::min<index_t>(state.bytes->size() - state.at, static_cast<index_t>(state.buffer.size()));
    if (count <= 0 || !state.bytes->read(state.at, state.buffer.data(), count))
        leave_with(state, "the file ends too early");
    state.at += count;
    state.source.next_input_byte = state.buffer.data();
    state.source.bytes_in_buffer = static_cast<std::size_t>(count);
    return TRUE;
}

void on_skip(j_decompress_ptr cinfo, long count) {
    jpeg_state& state = state_of(cinfo);
    const auto there = static_cast<long>(state.source.bytes_in_buffer);
    if (count <= 0) return;
    if (count <= there) {
        state.source.next_input_byte += count;
        state.source.bytes_in_buffer -= static_cast<std::size_t>(count);
        return;
    }
    state.at += count - there;  // on_fill() notices where that is beyond the end
    state.source.bytes_in_buffer = 0;
}

void on_progress(j_common_ptr common) {
    jpeg_state& state = state_of(common);
    if (state.cinfo.input_scan_number > most_scans) leave_with(state, "more than 200 scans");
}

class jpeg_reader {
public:
    explicit jpeg_reader(const image_input& in) : in_(in) {
        jpeg_decompress_struct& c = state_.cinfo;
        state_.bytes = &in.bytes;
        c.err = jpeg_std_error(&state_.errors);
        state_.errors.error_exit = on_error;
        state_.errors.emit_message = on_message;
        c.client_data = &state_;
        run([this] { jpeg_create_decompress(&state_.cinfo); });
        state_.source = {nullptr, 0, on_start, on_fill, on_skip, jpeg_resync_to_restart, on_start};
        c.src = &state_.source;
        state_.progress.progress_monitor = on_progress;
        c.progress = &state_.progress;
    }
    jpeg_reader(const jpeg_reader&) = delete;
    jpeg_reader& operator=(const jpeg_reader&) = delete;
    ~jpeg_reader() { jpeg_destroy_decompress(&state_.cinfo); }

    image_file_data read() {
        jpeg_decompress_struct& c = state_.cinfo;
        run([&c] { (void)jpeg_read_header(&c, TRUE); });
        const bool grey = c.jpeg_color_space == JCS_GRAYSCALE;
        if (!grey && c.jpeg_color_space != JCS_YCbCr && c.jpeg_color_space != JCS_RGB)
            in_.refuse("JPEG of " + std::to_string(c.num_components) +
                       " components, expected grey or colour");
        if (c.arith_code) in_.refuse("JPEG in arithmetic coding, expected Huffman coding");
        const int samples = grey ? 1 : 3;
        const reduction how = choose_reduction(in_, grey ? "8-bit grey JPEG" : "8-bit RGB",
                                               {.colours = samples, .all = samples});
        c.out_color_space = grey ? JCS_GRAYSCALE : JCS_RGB;
        raster shape;
        shape.type = pixel::u8;
        shape.rows = c.image_height;
        shape.columns = c.image_width;
        in_.check_expansion(shape.rows, shape.columns * samples, most_of_a_byte);
        image_file_data out = in_.allocate(shape, image_format::jpeg, 8);
        const memory row(checked_bytes(shape.columns, samples), memory_space::host);
        auto* line = static_cast<JSAMPROW>(row.data());
        run([&c] { (void)jpeg_start_decompress(&c); });
        for (index_t y = 0; y < shape.rows; ++y) {
            run([&c, &line] { (void)jpeg_read_scanlines(&c, &line, 1); });
            reduce_row({sample_kind::whole, 8}, how, line,
                       static_cast<char*>(out.pixels.data()) + y * shape.columns, shape.columns);
        }
        run([&c] { (void)jpeg_finish_decompress(&c); });
        return out;
    }

private:
    template <class F>
    void run(F&& f) {
        if (setjmp(state_.leave) == 0) return f();
        if (state_.no_memory)
            throw out_of_memory(in_.name + ": its decoder", out_of_memory::unknown, available_host_memory());
        in_.refuse("damaged JPEG: " + escaped(state_.message.data()));
    }

    const image_input& in_;
    jpeg_state state_;
};

}  // namespace

bool is_jpeg(std::string_view head) {
    return head.starts_with("\xff\xd8\xff");
}

image_file_data read_jpeg(const image_input& in) {
    return jpeg_reader(in).read();
}

}  // namespace wale::io
