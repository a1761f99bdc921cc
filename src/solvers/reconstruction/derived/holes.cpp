// holes - what does not reach the border: filled, or all that is left; and holes of elevation models, where
// water also runs off into cells without data.
#include <cmath>

#include "solvers/reconstruction/derived/call.hpp"

namespace wale {
namespace reconstruction {
namespace {

/// Whether some cell may be without data. An asynchronous call does not look: it takes the careful way.
bool may_lack_data(const execution& where, const const_image_view& elevation,
                   const depression_options& options) {
    if (options.has_no_data) return true;
    if ((elevation.type != pixel::f32 && elevation.type != pixel::f64) || elevation.pixels() == 0)
        return false;
    if (options.asynchronous) return true;
    inspect_job look{.where = where, .marker = {}, .mask = elevation};
    inspect(look);
    return look.nan_at >= 0;
}

}  // namespace
}  // namespace reconstruction

reconstruction_result fill_holes(const execution& where, const const_image_view& image, const image_view& out,
                                 const reconstruction_options& options) {
    using namespace reconstruction;
    reconstruct_job job = checked_job(where, image, out, image.type, options);
    check_values(where, {}, image, options);
    job.method = reconstruction_method::erosion;
    job.start = start_rule::border;
    return run_job(job, options.variant);
}

reconstruction_result clear_border(const execution& where, const const_image_view& image,
                                   const image_view& out, const reconstruction_options& options) {
    using namespace reconstruction;
    reconstruct_job job = checked_job(where, image, out, image.type, options);
    check_values(where, {}, image, options);
    job.start = start_rule::border;
    job.finish = finish_rule::residue;
    return run_job(job, options.variant);
}

reconstruction_result fill_depressions(const execution& where, const const_image_view& elevation,
                                       const image_view& out, const depression_options& options) {
    using namespace reconstruction;
    refuse_bits("elevation", elevation);
    reconstruct_job job = checked_job(where, elevation, out, elevation.type, options);
    job.method = reconstruction_method::erosion;
    if (!may_lack_data(where, elevation, options)) {
        job.start = start_rule::border;
        return run_job(job, options.variant);
    }
    const scratch_image drained(where, elevation, elevation.type);
    prepare_job step{.where = where,
                     .kind = preparation::drain,
                     .image = elevation,
                     .marker = out,
                     .mask = drained.get(),
                     .has_no_data = options.has_no_data && !std::isnan(options.no_data),
                     .no_data = options.no_data,
                     .asynchronous = options.asynchronous};
    if (step.has_no_data) step.no_data = checked_number("no_data", options.no_data, elevation.type);
    job.marker = out;
    job.mask = drained.get();
    expect_flat_marker(job);
    reconstruction_result result = run_after(step, job, options.variant);
    step.kind = preparation::restore;
    prepare(step, result.run);
    return result;
}

}  // namespace wale
