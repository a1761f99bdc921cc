// opening - what survives an erosion by a box (or a dilation), rebuilt whole.
#include <algorithm>

#include "base/argument.hpp"
#include "solvers/reconstruction/derived/call.hpp"

namespace wale {
namespace reconstruction {
namespace {

void check_box(const raster& image, index_t size) {
    const auto fail = [&](const std::string& expected) {
        base::refuse("size", "is " + std::to_string(size), expected);
    };
    if (size < 1 || size % 2 == 0) fail("an odd number above 0");
    if (image.pixels() == 0) return;
    const index_t flat = std::min(image.rows, image.columns);
    const index_t least = image.rank == 3 ? std::min(flat, image.planes) : flat;
    if (size > least) fail("at most " + std::to_string(least) + ", the image's least extent");
}

struct box_call {
    const execution& where;
    const const_image_view& image;
    index_t size;
    const image_view& out;
    const reconstruction_options& options;

    /// The filtered image goes into `out` and is rebuilt in place.
    [[nodiscard]] reconstruction_result run(reconstruction_method method) const {
        refuse_bits("image", image);
        check_box(image, size);
        reconstruct_job job = checked_job(where, image, out, image.type, options);
        check_values(where, {}, image, options);
        prepare_job filter{.where = where,
                           .kind = preparation::box,
                           .image = image,
                           .marker = out,
                           .size = size,
                           .largest = method == reconstruction_method::erosion,
                           .asynchronous = options.asynchronous};
        job.method = method;
        job.marker = out;
        if (size > 1) expect_flat_marker(job);
        return run_after(filter, job, options.variant);
    }
};

}  // namespace
}  // namespace reconstruction

reconstruction_result opening_by_reconstruction(const execution& where, const const_image_view& image,
                                                index_t size, const image_view& out,
                                                const reconstruction_options& options) {
    return reconstruction::box_call{where, image, size, out, options}.run(reconstruction_method::dilation);
}

reconstruction_result closing_by_reconstruction(const execution& where, const const_image_view& image,
                                                index_t size, const image_view& out,
                                                const reconstruction_options& options) {
    return reconstruction::box_call{where, image, size, out, options}.run(reconstruction_method::erosion);
}

}  // namespace wale
