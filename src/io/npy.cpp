// npy - arrays of NumPy: the header, then the elements.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/checked.hpp"
#include "io/escape.hpp"
#include "io/npy_header.hpp"
#include "io/samples.hpp"

namespace wale::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t most_axes = 4;

npy_type elements_of(const image_input& in, const std::string& name) {
    if (const auto type = npy_type_of(name)) return *type;
    in.refuse("elements '" + escaped(name) + "', expected b1, u1, u2, u4, u8, i1, i2, i4, i8, f2, f4 or f8");
}

sample sample_of(const npy_type& t) {
    if (t.kind == 'b') return {sample_kind::boolean, 1};
    return {t.kind == 'u'   ? sample_kind::whole
            : t.kind == 'i' ? sample_kind::negative_too
                            : sample_kind::floating,
            8 * t.bytes};
}

raster raster_of(const image_input& in, const npy_header& h, pixel type) {
    std::vector<index_t> axes = h.shape;
    if (axes.size() < 2 || axes.size() > most_axes)
        in.refuse(std::to_string(axes.size()) + " axes, expected 2, 3 or 4");
    raster r;
    r.type = type;
    r.columns = axes.back();
    r.rows = axes[axes.size() - 2];
    const bool volume = axes.size() == 4 || in.options.stack == stack_rule::volume;
    if (axes.size() > 2) {
        r.rank = volume ? 3 : 2;
        (volume ? r.planes : r.images) = axes[axes.size() - 3];
    }
    if (axes.size() == 4) r.images = axes.front();
    return r;
}

void swap_bytes(void* data, index_t count, index_t size) {
    auto* at = static_cast<char*>(data);
    for (index_t k = 0; k < count; ++k, at += size) std::reverse(at, at + size);
}

/// The first axis runs fastest: gathers elements so that the last one does.
void from_fortran(const char* from, const raster& r, index_t size, char* to) {
    // From the slowest of ours on; an axis that the file does not have has extent 1.
    const index_t extent[4] = {r.images, r.planes, r.rows, r.columns};
    index_t step[4], next = 1;
    for (int axis = 0; axis < 4; ++axis) {
        step[axis] = next * size;
        next *= extent[axis];
    }
    for (index_t a = 0; a < extent[0]; ++a)
        for (index_t b = 0; b < extent[1]; ++b)
            for (index_t c = 0; c < extent[2]; ++c)
                for (index_t d = 0; d < extent[3]; ++d, to += size)
                    std::memcpy(to, from + a * step[0] + b * step[1] + c * step[2] + d * step[3],
                                static_cast<std::size_t>(size));
}

void check_booleans(const image_input& in, const void* data, index_t count) {
    const auto* values = static_cast<const unsigned char*>(data);
    const auto* odd = std::find_if(values, values + count, [](unsigned char v) { return v > 1; });
    if (odd != values + count)
        in.refuse("element " + std::to_string(odd - values) + " is " + std::to_string(*odd) +
                  ", expected 0 or 1 in an array of b1");
}

void check_length(const image_input& in, const raster& r, index_t start, index_t size) {
    // An extent of 0 hides the others from the product, so that each step is checked.
    std::optional<index_t> bytes = size;
    for (const index_t extent : {r.columns, r.rows, r.planes, r.images})
        if (bytes && extent > 0) bytes = base::multiply(*bytes, extent);
    if (!bytes) in.refuse("a shape beyond 2^63 bytes");
    const index_t expected = r.pixels() == 0 ? 0 : *bytes, found = in.bytes.size() - start;
    if (found != expected)
        in.refuse(std::to_string(found) + " bytes of elements, expected " + std::to_string(expected));
}

std::string preamble_of(const const_image_view& p, const sample& s, bool batch) {
    std::vector<index_t> shape;
    if (batch || p.images != 1) shape.push_back(p.images);
    if (p.rank == 3) shape.push_back(p.planes);
    shape.insert(shape.end(), {p.rows, p.columns});
    const char kind = s.kind == sample_kind::boolean    ? 'b'
                      : s.kind == sample_kind::whole    ? 'u'
                      : s.kind == sample_kind::floating ? 'f'
                                                        : 'i';
    const char order = s.bytes() == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
    return npy_preamble(std::string{order, kind} + std::to_string(s.bytes()), false, shape);
}

/// Elements in this machine's byte order, the last axis fastest.
void read_elements(const image_input& in, const npy_header& header, const npy_type& type, const raster& r,
                   void* to) {
    const index_t count = r.pixels(), bytes = count * type.bytes;
    memory stored;
    if (header.fortran) stored = memory(bytes, memory_space::host);
    void* const raw = header.fortran ? stored.data() : to;
    if (bytes > 0) in.read(header.data, raw, bytes);
    if (type.swapped) swap_bytes(raw, count, type.bytes);
    if (header.fortran) from_fortran(static_cast<const char*>(raw), r, type.bytes, static_cast<char*>(to));
}

/// Elements as the pixels of `out`.
void read_pixels(const image_input& in, const npy_header& header, const npy_type& type, const sample& s,
                 image_file_data& out) {
    const raster& shape = out.shape;
    const index_t count = shape.pixels();
    const bool direct = s.bytes() == bytes_of(shape.type);
    memory stored;
    if (!direct) stored = memory(count * s.bytes(), memory_space::host);
    void* const raw = direct ? out.pixels.data() : stored.data();
    read_elements(in, header, type, shape, raw);
    if (s.kind == sample_kind::boolean) check_booleans(in, raw, count);
    if (!direct) reduce_row(s, {}, raw, out.pixels.data(), count);
}

}  // namespace

bool is_npy(std::string_view head) {
    return head.starts_with(magic);
}

image_file_data read_npy(const image_input& in) {
    const npy_header header = read_npy_header(in);
    const npy_type type = elements_of(in, header.element);
    const sample s = sample_of(type);
    const auto as = pixel_for(s);
    const raster shape = raster_of(in, header, as.value_or(pixel::f64));
    check_length(in, shape, header.data, s.bytes());
    image_file_data out;
    if (!as) {
        const memory stored(shape.pixels() * s.bytes(), memory_space::host);
        read_elements(in, header, type, shape, stored.data());
        out = widened(in, shape, image_format::npy, s, stored.data());
    } else {
        out = in.allocate(shape, image_format::npy, s.bits);
        read_pixels(in, header, type, s, out);
    }
    out.batch = std::ssize(header.shape) > shape.rank;
    return out;
}

void write_npy(const image_output& out) {
    const const_image_view& p = out.image;
    out.sink(preamble_of(p, stored_as(p.type, out.bits), out.options.batch));
    std::vector<char> scratch;
    for (index_t image = 0; image < p.images; ++image)
        for (index_t plane = 0; plane < p.planes; ++plane)
            for (index_t row = 0; row < p.rows; ++row) out.sink(stored_row(out, image, plane, row, scratch));
}

}  // namespace wale::io
