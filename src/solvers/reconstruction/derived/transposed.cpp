// transposed - tall narrow images on the host, whose rows do not fill a vector, as wide flat ones: copies
// whose columns are the rows, or the planes where there are more of these. Neighbours and borders stay what
// they are.
#include "solvers/reconstruction/derived/call.hpp"
#include "solvers/reconstruction/prepare/cpu/lines/lines.hpp"

namespace wale::reconstruction {
namespace {

/// An axis of an image beside that of its columns.
struct axis {
    index_t extent, stride;
};
axis rows_of(const raster& r) {
    return {r.rows, r.row_stride};
}
axis planes_of(const raster& r) {
    return {r.planes, r.plane_stride};
}

/// to[column][k] = from[k][column] for first <= k < last, four columns at a time. Pitches are between lines.
template <class T>
void transpose_part(const T* from, index_t from_pitch, T* to, index_t to_pitch, index_t columns,
                    index_t first, index_t last) {
    index_t column = 0;
    for (; column + 4 <= columns; column += 4) {
        T* const line = to + column * to_pitch;
        const T* read = from + first * from_pitch + column;
        for (index_t k = first; k < last; ++k, read += from_pitch) {
            line[k] = read[0];
            line[to_pitch + k] = read[1];
            line[2 * to_pitch + k] = read[2];
            line[3 * to_pitch + k] = read[3];
        }
    }
    for (; column < columns; ++column) {
        const T* read = from + first * from_pitch + column;
        for (index_t k = first; k < last; ++k, read += from_pitch) to[column * to_pitch + k] = *read;
    }
}

/// Copies the pixels of all images of `from` to where the columns are the longer axis, or back.
template <class T>
void transpose(const execution& where, const const_image_view& from, const image_view& to, bool by_planes) {
    constexpr index_t together = 256 / sizeof(T);  // lines at a time: they stay in the nearest cache
    const axis long_from = by_planes ? planes_of(from) : rows_of(from);
    const axis other_from = by_planes ? rows_of(from) : planes_of(from);
    const axis long_to = by_planes ? planes_of(to) : rows_of(to);
    const axis other_to = by_planes ? rows_of(to) : planes_of(to);
    const index_t parts = (long_from.extent + together - 1) / together;
    share(host_threads(where, from.pixels()), from.images * other_from.extent * parts, [&](index_t i) {
        const index_t first = i % parts * together, other = i / parts % other_from.extent;
        const index_t image = i / parts / other_from.extent;
        transpose_part(
            static_cast<const T*>(from.data) + image * from.image_stride + other * other_from.stride,
            long_from.stride, static_cast<T*>(to.data) + image * to.image_stride + other * other_to.stride,
            long_to.stride, from.columns, first, std::min(first + together, long_from.extent));
    });
}

void transpose(const execution& where, const const_image_view& from, const image_view& to, bool by_planes) {
    switch (bytes_of(from.type)) {
        case 1:
            return transpose<std::uint8_t>(where, from, to, by_planes);
        case 2:
            return transpose<std::uint16_t>(where, from, to, by_planes);
        case 4:
            return transpose<std::uint32_t>(where, from, to, by_planes);
        default:
            return transpose<std::uint64_t>(where, from, to, by_planes);
    }
}

/// Columns change places with planes or rows.
raster transposed(raster r, bool by_planes) {
    std::swap(r.columns, by_planes ? r.planes : r.rows);
    r.pack();
    return r;
}

/// Measured on one thread of an EPYC: rows of up to two vectors of 64 bytes, and a longer axis that is long
/// enough for the copies, 0.3 ns a pixel each, to cost less than what short rows cost, 1 to 100 ns a pixel.
/// Many threads that share an image have more of the short rows than of the long ones.
bool is_narrow(const reconstruct_job& job) {
    constexpr index_t vector = 64, least = 64;                      // bytes; pixels of the longer axis
    constexpr index_t many_threads = 8, pixels_a_thread = 1 << 17;  // of an image that threads share
    const raster& r = job.mask;
    const index_t longer = std::max(r.rows, r.planes), bytes = r.columns * bytes_of(r.type);
    if (backend_of(job.where) != backend::cpu || r.type == pixel::bit || job.out.type == pixel::bit ||
        r.columns <= 1 || bytes > 2 * vector || longer < least ||
        longer < (bytes <= vector ? 2 : 4) * r.columns)
        return false;
    return r.images >= many_threads || cpu::team_size(job.where, r.pixels() / pixels_a_thread) < many_threads;
}

}  // namespace

transposed_job::transposed_job(reconstruct_job& job, const std::string& variant) : where_(job.where) {
    if (variant != "automatic" || !is_narrow(job)) return;
    by_planes_ = job.mask.planes > job.mask.rows;
    const auto copy = [&](std::optional<scratch_image>& to, const const_image_view& from) {
        to.emplace(where_, transposed(from, by_planes_), from.type);
        transpose(where_, from, to->get(), by_planes_);
    };
    copy(mask_, job.mask);
    job.mask = mask_->get();
    if (job.marker.data != nullptr) {
        copy(marker_, job.marker);
        job.marker = marker_->get();
    }
    answer_ = job.out;
    out_.emplace(where_, transposed(job.out, by_planes_), job.out.type);
    job.out = out_->get();
}

pixel_position transposed_job::moved(pixel_position p) const {
    if (*this) std::swap(p.column, by_planes_ ? p.plane : p.row);
    return p;
}

void transposed_job::finish(reconstruction_result& result) const {
    if (!*this) return;
    transpose(where_, out_->get(), answer_, by_planes_);
    result.run.policy += ", transposed";
}

}  // namespace wale::reconstruction
