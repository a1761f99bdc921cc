// objects - connected parts of flags: weak pixels that are connected to a strong one, and the parts that hold
// given points.
#include <optional>
#include <vector>

#include "base/argument.hpp"
#include "base/decimal_text.hpp"
#include "solvers/reconstruction/derived/call.hpp"
#include "variants/run.hpp"

namespace wale {
namespace reconstruction {
namespace {

/// Whether a row on the job's backend, of the wanted name, works on words of 32 pixels. The plain reference
/// does, but gains nothing by it.
bool takes_bits(reconstruct_job job, const std::string& variant) {
    if (backend_of(job.where) == backend::reference) return false;
    job.marker.type = job.mask.type = job.out.type = pixel::bit;
    try {
        (void)catalogue::chosen(reconstruct_rows(), variant, job);
        return true;
    } catch (const unsupported_variant&) {
        return false;
    }
}

void check_points(const raster& image, std::span<const pixel_position> points) {
    const auto inside = [](index_t at, index_t extent) { return at >= 0 && at < extent; };
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& [plane, row, column] = points[i];
        if (inside(plane, image.planes) && inside(row, image.rows) && inside(column, image.columns)) continue;
        base::refuse("points",
                     std::string("[") + std::to_string(i) + "] is plane " + std::to_string(plane) + ", row " +
                         std::to_string(row) + ", column " + std::to_string(column),
                     "a pixel of " + std::to_string(image.planes) + " x " + std::to_string(image.rows) +
                         " x " + std::to_string(image.columns));
    }
}

}  // namespace
}  // namespace reconstruction

reconstruction_result hysteresis_threshold(const execution& where, const const_image_view& image, double low,
                                           double high, const image_view& out,
                                           const reconstruction_options& options) {
    using namespace reconstruction;
    refuse_bits("image", image);
    if (!(low <= high))
        base::refuse("low", "is " + base::decimal_text(low), "at most high, " + base::decimal_text(high));
    const pixel flags = out.type == pixel::bit ? pixel::bit : pixel::boolean;
    reconstruct_job job = checked_job(where, image, out, flags, options);
    turn_columns(job);
    const transposed_job across(job, options.variant);
    const const_image_view given = job.mask;
    const image_view answer = job.out;
    const bool packed = flags == pixel::bit || takes_bits(job, options.variant);
    const scratch_image weak(where, given, packed ? pixel::bit : flags);
    std::optional<scratch_image> strong;
    if (packed && flags != pixel::bit) strong.emplace(where, given, pixel::bit);
    prepare_job step{.where = where,
                     .kind = preparation::threshold,
                     .image = given,
                     .marker = strong ? strong->get() : answer,
                     .mask = weak.get(),
                     .low = checked_number("low", low, image.type),
                     .high = checked_number("high", high, image.type),
                     .keep_padding = !strong,
                     .asynchronous = options.asynchronous};
    // The strong pixels under the weak ones, in place or from words into bytes, which rows of words can
    // write.
    job.marker = step.marker;
    job.mask = step.mask;
    reconstruction_result result = run_after(step, job, options.variant);
    across.finish(result);
    return result;
}

selection_result select_objects(const execution& where, const const_image_view& image,
                                std::span<const pixel_position> points, const image_view& out,
                                const reconstruction_options& options) {
    using namespace reconstruction;
    if (image.type != pixel::boolean && image.type != pixel::bit)
        base::refuse("image", std::string("is ") + name_of(image.type), "bool or bit");
    if (image.images != 1)
        base::refuse("image", "is " + std::to_string(image.images) + " images",
                     "1: a point does not say which");
    if (options.asynchronous) base::refuse("options.asynchronous", "is set", "unset: the area is waited for");
    reconstruct_job job = checked_job(where, image, out, image.type, options);
    check_points(image, points);
    std::vector<pixel_position> turned(points.begin(), points.end());
    if (turn_columns(job))
        for (pixel_position& p : turned) p = {0, p.plane, p.row};
    const transposed_job across(job, options.variant);
    for (pixel_position& p : turned) p = across.moved(p);
    job.marker = job.out;
    prepare_job step{.where = where, .kind = preparation::points, .marker = job.out, .points = turned};
    selection_result result{run_after(step, job, options.variant)};
    prepare_job measure{.where = where, .kind = preparation::area, .image = job.out};
    prepare(measure, result.run);
    across.finish(result);
    result.area = measure.area;
    return result;
}

}  // namespace wale
