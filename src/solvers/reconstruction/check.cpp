// check - shapes, strides, overlap, connectivity, heights, values.
#include "solvers/reconstruction/check.hpp"

#include <cmath>
#include <cstdio>
#include <wale/buffer.hpp>

#include "base/argument.hpp"
#include "base/enumerator.hpp"
#include "cuda/reachable.hpp"

namespace wale::reconstruction {

using base::text;

namespace {

std::string shape_text(const raster& r) {
    std::string s = r.images == 1 ? "" : text(r.images) + " images of ";
    if (r.rank == 3) s += text(r.planes) + " x ";
    return s + text(r.rows) + " x " + text(r.columns) + " " + name_of(r.type);
}

void check_extent(const char* name, const char* what, index_t extent) {
    if (extent < 0) base::refuse(name, "has " + text(extent) + " " + what, "0 or more");
}

void check_type(const char* name, const raster& r) {
    base::check_enumerator(name, "type", r.type, pixel::f64);
}

/// A stride must reach past what lies between; `count` is how many such steps there may be.
void check_stride(const char* name, const char* what, index_t stride, index_t inner, index_t count) {
    if (stride < 0 || (count > 1 && stride < inner))
        base::refuse(name, std::string(what) + " is " + text(stride), "at least " + text(inner));
}

}  // namespace

std::string place_text(const raster& r, index_t at) {
    const index_t column = at % r.columns, row = at / r.columns % r.rows;
    const index_t plane = at / r.columns / r.rows % r.planes, image = at / r.columns / r.rows / r.planes;
    std::string s = "row " + text(row) + ", column " + text(column);
    if (r.rank == 3) s = "plane " + text(plane) + ", " + s;
    if (r.images > 1) s = "image " + text(image) + ", " + s;
    return s;
}

void check_image(const execution& where, const char* name, const const_image_view& p) {
    check_type(name, p);
    check_extent(name, "images", p.images);
    check_extent(name, "planes", p.planes);
    check_extent(name, "rows", p.rows);
    check_extent(name, "columns", p.columns);
    if (p.rank != 2 && p.rank != 3) base::refuse(name, "rank is " + text(p.rank), "2 or 3");
    if (p.rank == 2 && p.planes != 1) base::refuse(name, "has " + text(p.planes) + " planes", "1 in rank 2");
    (void)checked_bytes(checked_bytes(checked_bytes(p.images, p.planes), p.rows), p.columns);
    const index_t plane = checked_bytes(p.rows, p.row_stride),
                  volume = checked_bytes(p.planes, p.plane_stride);
    check_stride(name, "row_stride", p.row_stride, p.row_elements(), p.rows);
    check_stride(name, "plane_stride", p.plane_stride, plane - p.row_stride + p.row_elements(), p.planes);
    check_stride(name, "image_stride", p.image_stride,
                 volume - p.plane_stride + plane - p.row_stride + p.row_elements(), p.images);
    (void)checked_bytes(checked_bytes(p.images, p.image_stride), bytes_of(p.type));
    cuda::check_reachable(where, name, p.data, p.span_elements());
}

void check_alike(const char* name, const raster& p, const char* other, const raster& q, bool type) {
    if (p.same_shape(q) && (!type || p.type == q.type)) return;
    check_type(name, p);
    check_type(other, q);
    base::refuse(name, "is " + shape_text(p),
                 std::string(type ? shape_text(q) : "the shape of " + shape_text(q)) + " like " + other);
}

void check_apart(const char* name, const const_image_view& p, const char* other, const const_image_view& q,
                 bool in_place) {
    if (!base::overlap(p.data, p.span_elements() * bytes_of(p.type), q.data,
                       q.span_elements() * bytes_of(q.type)))
        return;
    const auto alike = [](index_t count, index_t step, index_t other_step) {
        return count <= 1 || step == other_step;  // a stride that is never taken means nothing
    };
    const bool same = p.data == q.data && p.type == q.type && alike(p.rows, p.row_stride, q.row_stride) &&
                      alike(p.planes, p.plane_stride, q.plane_stride) &&
                      alike(p.images, p.image_stride, q.image_stride);
    if (in_place && same) return;
    throw bad_argument(std::string(name) + ": overlaps " + other);
}

int checked_reach(int connectivity, int rank) {
    if (connectivity == 0) return rank;
    if (rank == 2 && (connectivity == 4 || connectivity == 8)) return connectivity == 4 ? 1 : 2;
    if (rank == 3 && (connectivity == 6 || connectivity == 18 || connectivity == 26))
        return connectivity == 6 ? 1 : connectivity == 18 ? 2 : 3;
    base::refuse("options.connectivity", "is " + text(connectivity),
                 std::string(rank == 2 ? "4 or 8" : "6, 18 or 26") + " for images of rank " + text(rank));
}

void check_height(pixel type, double height) {
    const auto fail = [&](const std::string& expected) {
        char found[32];  // to_string() would write a tiny height as 0
        std::snprintf(found, sizeof found, "%.12g", height);
        base::refuse("h", std::string("is ") + found, expected);
    };
    if (type == pixel::bit || type == pixel::boolean)
        throw bad_argument(std::string("image: is ") + name_of(type) + ", heights need grey values");
    if (!(height > 0) || !std::isfinite(height)) fail("a number above 0");
    if (type == pixel::f64) return;
    if (type == pixel::f32) {
        if (!(static_cast<float>(height) > 0) || !std::isfinite(static_cast<float>(height)))
            fail("a number that float32 holds");
        return;
    }
    const double limit = type == pixel::u8 ? 255 : type == pixel::u16 ? 65535 : 4294967295.0;
    if (height != std::floor(height) || height > limit)
        fail("a whole number up to " + text(static_cast<index_t>(limit)) + " for " + name_of(type));
}

double check_values(const execution& where, const const_image_view& marker, const const_image_view& mask,
                    const reconstruction_options& options) {
    base::check_enumerator("options", "method", options.method, reconstruction_method::erosion);
    base::check_enumerator("options", "beyond", options.beyond, marker_beyond::clamp);
    const bool floating = mask.type == pixel::f32 || mask.type == pixel::f64;
    const bool beyond = marker.data != nullptr && options.beyond == marker_beyond::refuse;
    if (options.asynchronous || mask.pixels() == 0 || (!floating && !beyond))
        return reconstruct_job::not_looked_at;
    inspect_job job{
        .where = where, .marker = marker, .mask = mask, .method = options.method, .beyond = beyond};
    inspect(job);
    if (job.nan_at >= 0)
        base::refuse(std::string(job.nan_in_marker ? "marker"
                                 : marker.data     ? "mask"
                                                   : "image"),
                     "NaN at " + place_text(mask, job.nan_at), "numbers");
    if (job.beyond_at >= 0)
        throw bad_argument(
            "marker: is " +
            std::string(options.method == reconstruction_method::dilation ? "above" : "below") +
            " the mask in " + text(job.beyond_count) + " of " + text(mask.pixels()) + " pixels, first at " +
            place_text(mask, job.beyond_at));
    return job.flat_marker;
}

}  // namespace wale::reconstruction
