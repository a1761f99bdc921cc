// objects - the connected parts that somebody points at.
#include "solvers/reconstruction/derived/call.hpp"
#include "solvers/reconstruction/prepare/prepare.hpp"

namespace wale {
namespace reconstruction {
namespace {

void check_points(const raster& image, std::span<const pixel_position> points) {
    const auto inside = [](index_t at, index_t extent) { return at >= 0 && at < extent; };
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& [plane, row, column] = points[i];
        if (inside(plane, image.planes) && inside(row, image.rows) && inside(column, image.columns)) continue;
        throw bad_argument("points: [" + std::to_string(i) + "] is plane " + std::to_string(plane) +
                           ", row " + std::to_string(row) + ", column " + std::to_string(column) +
                           ", expected a pixel of " + std::to_string(image.planes) + " x " +
                           std::to_string(image.rows) + " x " + std::to_string(image.columns));
    }
}

}  // namespace
}  // namespace reconstruction

selection_result select_objects(const execution& where, const const_image_view& image,
                                std::span<const pixel_position> points, const image_view& out,
                                const reconstruction_options& options) {
    using namespace reconstruction;
    if (image.type != pixel::boolean && image.type != pixel::bit)
        throw bad_argument(std::string("image: is ") + name_of(image.type) + ", expected bool or bit");
    if (image.images != 1)
        throw bad_argument("image: is " + std::to_string(image.images) +
                           " images, expected 1: a point does not say which");
    if (options.asynchronous)
        throw bad_argument("options.asynchronous: is set, expected unset: the area is waited for");
    reconstruct_job job = checked_job(where, image, out, image.type, options);
    check_points(image, points);
    prepare_job step{.where = where, .kind = preparation::points, .marker = out, .points = points};
    report before;
    prepare(step, before);
    job.marker = out;
    selection_result result{run_job(job, options.variant)};
    prepare_job measure{.where = where, .kind = preparation::area, .image = out};
    prepare(measure, result.run);
    result.run.compute_seconds += before.compute_seconds;
    result.area = measure.area;
    return result;
}

}  // namespace wale
