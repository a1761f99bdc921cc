// api - checks the arguments of watershed(), selects a variant, runs it, reports.
#include <algorithm>

#include "base/argument.hpp"
#include "solvers/reconstruction/check.hpp"
#include "solvers/reconstruction/jobs.hpp"
#include "variants/run.hpp"

namespace wale {
namespace reconstruction {
namespace {

void check_type(const char* name, const raster& p, pixel expected) {
    if (p.type != expected) base::refuse(name, std::string("is ") + name_of(p.type), name_of(expected));
}

void check_labels(const const_image_view& markers) {
    if (markers.pixels() == 0) return;
    for (index_t i = 0; i < markers.images * markers.planes * markers.rows; ++i) {
        const index_t row = i % markers.rows, plane = i / markers.rows % markers.planes;
        const auto* label = static_cast<const std::int32_t*>(markers.data) +
                            markers.offset(i / markers.rows / markers.planes, plane, row);
        const std::int32_t least = *std::min_element(label, label + markers.columns);
        if (least < least_label)
            base::refuse("markers", "holds the label " + std::to_string(least),
                         std::to_string(least_label) + " or more");
    }
}

void check_call(const execution& where, const watershed_job& job) {
    if (job.image.type == pixel::bit) base::refuse("image", "is bit-packed", "values");
    check_type("markers", job.markers, pixel::i32);
    check_type("labels", job.labels, pixel::i32);
    check_alike("markers", job.markers, "image", job.image, false);
    check_alike("labels", job.labels, "image", job.image, false);
    check_image(where, "image", job.image);
    check_image(where, "markers", job.markers);
    check_image(where, "labels", job.labels);
    check_apart("labels", job.labels, "image", job.image);
    check_apart("labels", job.labels, "markers", job.markers, true);
    if (job.mask.data != nullptr) {
        check_type("mask", job.mask, pixel::boolean);
        check_alike("mask", job.mask, "image", job.image, false);
        check_image(where, "mask", job.mask);
        check_apart("labels", job.labels, "mask", job.mask);
    }
    check_values(where, {}, job.image, {});
    check_labels(job.markers);
}

}  // namespace
}  // namespace reconstruction

watershed_result watershed(const execution& where, const const_image_view& image,
                           const const_image_view& markers, const const_image_view& mask,
                           const image_view& labels, const watershed_options& options) {
    using namespace reconstruction;
    if (backend_of(where) == backend::cuda)
        throw unsupported_variant(
            "watershed: has no CUDA variant, since one pixel after the other decides; use on_cpu or "
            "on_reference");
    watershed_job job{.where = where, .image = image, .markers = markers, .mask = mask, .labels = labels};
    job.reach = checked_reach(options.connectivity, image.rank);
    job.line = options.line;
    check_call(where, job);
    watershed_result result;
    job.run = &result.run;
    result.run.work = static_cast<double>(image.pixels());
    // Value and marker in, label out.
    result.run.bytes = static_cast<double>(image.pixels() * (bytes_of(image.type) + 8));
    catalogue::run(watershed_rows(), options.variant, job, result.run);
    return result;
}

}  // namespace wale
