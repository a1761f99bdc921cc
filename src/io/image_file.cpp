// image_file - formats by their first bytes or their names; limits; files.
#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <wale/host_memory.hpp>
#include <wale/output_file.hpp>

#include "base/argument.hpp"
#include "base/checked.hpp"
#include "base/enumerator.hpp"
#include "io/escape.hpp"
#include "io/npz.hpp"
#include "io/samples.hpp"

namespace wale {
namespace io {
namespace {

struct format_row {
    image_format format;
    const char* name;
    std::array<const char*, 2> endings;
    bool (*is)(std::string_view head);
    image_file_data (*read)(const image_input&);
    void (*write)(const image_output&);
};
constexpr format_row formats[] = {
    {image_format::png, "PNG", {".png", ".png"}, is_png, read_png, write_png},
    {image_format::tiff, "TIFF", {".tif", ".tiff"}, is_tiff, read_tiff, write_tiff},
    {image_format::npy, "NPY", {".npy", ".npy"}, is_npy, read_npy, write_npy},
    {image_format::jpeg, "JPEG", {".jpg", ".jpeg"}, is_jpeg, read_jpeg, nullptr}};

bool known(std::string_view head) {
    return is_zip(head) || std::any_of(std::begin(formats), std::end(formats),
                                       [&](const format_row& f) { return f.is(head); });
}

/// The row of a format, by its name's ending if need be; nullptr if that says nothing.
const format_row* row_of(image_format format, const std::string& path) {
    const std::string name = lower(path);
    for (const format_row& f : formats)
        if (f.format == format || (format == image_format::by_name &&
                                   std::any_of(f.endings.begin(), f.endings.end(),
                                               [&](const char* e) { return name.ends_with(e); })))
            return &f;
    return nullptr;
}

bool has_stack(const raster& r) {
    return r.rank == 3 || r.images != 1;
}

std::string why_not(const format_row& f, const raster& r) {
    if (std::min({r.images, r.planes, r.rows, r.columns}) < 0)
        return std::to_string(r.images) + " images of " + std::to_string(r.planes) + " x " +
               std::to_string(r.rows) + " x " + std::to_string(r.columns) + ", expected extents of 0 or more";
    if (f.format == image_format::npy) return {};
    if (f.write == nullptr)
        return std::string(f.name) +
               " is only read, as it changes values, expected .png, .tif, .tiff or .npy";
    const std::string end = std::string(" (") + f.name + " holds no others)";
    if (r.pixels() == 0) return "no pixels, expected at least one" + end;
    const index_t limit = f.format == image_format::png ? 0x7fffffff : 0xffffffff;
    if (r.rows > limit || r.columns > limit)
        return std::to_string(r.rows) + " x " + std::to_string(r.columns) + ", expected extents up to " +
               std::to_string(limit) + end;
    if (f.format == image_format::tiff && r.rank == 3 && r.images != 1)
        return std::to_string(r.images) + " volumes, expected one, or flat images" + end;
    if (f.format != image_format::png) return {};
    const std::string others = " (PNG holds no others, TIFF and NPY do)";
    if (has_stack(r))
        return std::to_string(r.images * r.planes) + " planes, expected one flat image" + others;
    if (r.type == pixel::i32 || r.type == pixel::f32 || r.type == pixel::f64)
        return std::string(name_of(r.type)) + ", expected bool, uint8 or uint16" + others;
    return {};
}

}  // namespace

void image_input::refuse(const std::string& what) const {
    throw bad_input(name + ": " + what);
}

void image_input::read(index_t at, void* to, index_t count) const {
    if (!bytes.read(at, to, count))
        refuse("the file ends too early: " + std::to_string(bytes.size()) + " bytes, expected " +
               std::to_string(count) + " more from byte " + std::to_string(at) + " on");
}

namespace {

template <class Raster>
[[nodiscard]] auto& lines_of(Raster& r) {
    return r.images != 1 ? r.images : r.rank == 3 ? r.planes : r.rows;
}

}  // namespace

std::pair<index_t, index_t> image_input::all_lines(const raster& whole) {
    return {0, lines_of(whole)};
}

std::pair<index_t, index_t> image_input::lines(const raster& whole) const {
    if (!options.lines) return all_lines(whole);
    const auto [first, last] = options.lines(whole);
    if (first < 0 || last < first || last > lines_of(whole))
        base::refuse("options.lines", "is " + std::to_string(first) + " to " + std::to_string(last),
                     "lines of " + std::to_string(lines_of(whole)));
    return {first, last};
}

raster image_input::part(const raster& whole, std::pair<index_t, index_t> lines) {
    raster r = whole;
    lines_of(r) = lines.second - lines.first;
    return r;
}

/// For readers of whole images.
image_file_data image_input::cut(image_file_data all) const {
    const raster whole = all.shape;
    const auto kept = lines(whole);
    if (kept == all_lines(whole)) return all;
    image_file_data out = allocate(part(whole, kept), all.format, all.bits);
    out.earth = std::move(all.earth);
    out.batch = all.batch;
    const index_t before = part(whole, {0, kept.first}).pixels() * bytes_of(whole.type);
    if (out.pixels.bytes() > 0)
        std::memcpy(out.pixels.data(), static_cast<const char*>(all.pixels.data()) + before,
                    static_cast<std::size_t>(out.pixels.bytes()));
    return out;
}

void image_input::check_expansion(index_t count, index_t size, index_t most_of_a_byte) const {
    const auto wanted = base::multiply(count, size);
    const auto most = base::multiply(bytes.size() + 1, most_of_a_byte);
    if (!wanted || (most && *wanted > *most))
        refuse("an image of " + std::to_string(count) + " rows of " + std::to_string(size) +
               " bytes, which a file of " + std::to_string(bytes.size()) + " bytes cannot hold");
}

image_file_data image_input::allocate(raster shape, image_format format, int bits) const {
    std::optional<index_t> size = bytes_of(shape.type);
    for (const index_t extent : {shape.columns, shape.rows, shape.planes, shape.images})
        if (size) size = base::multiply(*size, extent);
    if (!size) refuse("an image beyond 2^63 bytes");
    if (*size > options.max_bytes)
        refuse(std::to_string(*size) + " bytes of pixels, expected at most " +
               std::to_string(options.max_bytes));
    shape.pack();
    const memory_space space = options.space ? options.space(shape) : memory_space::host;
    if (space == memory_space::device) base::refuse("options.space", "is device memory", "host or pinned");
    return {memory(*size, space), shape, format, stored_as(shape.type, bits).bits};
}

image_file_data read_any(const image_input& in, const std::string& member) {
    base::check_enumerator("options", "colour", in.options.colour, colour_rule::channel);
    base::check_enumerator("options", "alpha", in.options.alpha, alpha_rule::drop);
    base::check_enumerator("options", "stack", in.options.stack, stack_rule::images);
    try {
        std::string head(static_cast<std::size_t>(std::min(in.bytes.size(), head_bytes)), '\0');
        in.read(0, head.data(), std::ssize(head));
        if (is_zip(head)) {
            const std::string array = npz_member({in.bytes, in.name, in.options.max_bytes}, member);
            const memory_source bytes(array);
            return in.cut(read_npy({bytes, in.name, in.options}));
        }
        for (const format_row& f : formats)
            if (f.is(head)) return f.format == image_format::tiff ? f.read(in) : in.cut(f.read(in));
        in.refuse((head.empty() ? "an empty file" : "starts with " + shown(head.front())) +
                  ", expected a PNG, TIFF, JPEG, NPY or NPZ");
    } catch (const std::bad_alloc&) {
        throw out_of_memory(in.name + ": its pixels", out_of_memory::unknown, available_host_memory());
    }
}

void write_any(const const_image_view& image, const image_write_options& options, const byte_sink& sink) {
    row_of(options.format, {})->write({image, fitting_bits(image, options.bits), sink, options});
}

}  // namespace io

const char* name_of(image_format f) noexcept {
    const io::format_row* row = io::row_of(f, {});
    return row != nullptr ? row->name : "by name";
}

image_file_data read_image(const std::string& path, const image_file_options& options) {
    const auto parts = io::split_member(path);
    return io::parse_source(parts.first, options.max_bytes, io::known,
                            [&](const io::byte_source& bytes, const std::string&) {
                                return io::read_any({bytes, io::input_name(path), options}, parts.second);
                            });
}

image_file_data parse_image(std::string_view bytes, const std::string& name,
                            const image_file_options& options) {
    const io::memory_source source(bytes);
    return io::read_any({source, io::escaped(name), options}, {});
}

std::string why_unwritable(const std::string& path, const raster& shape, const image_write_options& options) {
    const std::string name = path == "-" ? "standard output" : io::escaped(path);
    const io::format_row* row = io::row_of(options.format, path);
    if (row == nullptr) return name + ": names no format, expected .png, .tif, .tiff or .npy";
    const std::string why = io::why_not(*row, shape);
    return why.empty() ? why : name + ": " + why;
}

image_format format_of(const std::string& path) {
    const io::format_row* row = io::row_of(image_format::by_name, path);
    return row != nullptr ? row->format : image_format::by_name;
}

void write_image(output_file& out, const const_image_view& image, const image_write_options& options) {
    if (const std::string why = why_unwritable("image", image, options); !why.empty())
        throw bad_argument(why);
    if (image.data == nullptr && image.pixels() > 0) throw bad_argument("image: data is null");
    io::write_any(image, options, [&](std::string_view bytes) { out.write(bytes); });
}

void write_image(const std::string& path, const const_image_view& image, const image_write_options& options) {
    if (const std::string why = why_unwritable(path, image, options); !why.empty()) throw bad_argument(why);
    output_file out(path, options.inputs);
    image_write_options named = options;
    if (named.format == image_format::by_name) named.format = format_of(path);
    write_image(out, image, named);
    out.commit();
}

}  // namespace wale
