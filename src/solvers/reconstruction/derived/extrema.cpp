// extrema - plateaus whose neighbours are all lower (or higher), of an image or of its h-maxima transform.
#include "solvers/reconstruction/derived/call.hpp"
#include "solvers/reconstruction/derived/scratch.hpp"
#include "solvers/reconstruction/prepare/prepare.hpp"

namespace wale {
namespace reconstruction {
namespace {

/// A plateau that stands out does not rise again from the next lower value: nothing beside it lifts it.
/// Nothing lifts a constant image either, which has no neighbours to be lower, and so no extrema: as
/// scikit-image.
reconstruction_result flag_extrema(reconstruct_job job, const std::string& variant) {
    job.start = start_rule::predecessor;
    job.finish = finish_rule::flag;
    reconstruction_result result = run_job(job, variant);
    prepare_job clear{.where = job.where,
                      .kind = preparation::clear_constant,
                      .image = job.mask,
                      .marker = job.out,
                      .asynchronous = job.asynchronous};
    prepare(clear, result.run);
    return result;
}

/// The job of an image and the checks.
reconstruct_job extrema_job(const execution& where, const const_image_view& image, const image_view& out,
                            const reconstruction_options& options) {
    refuse_bits("image", image);
    reconstruct_job job = checked_job(where, image, out, pixel::boolean, options);
    check_numbers(where, image, options);
    return job;
}

/// First the transform into scratch, then its extrema.
reconstruction_result flag_extended(reconstruct_job job, double h, const std::string& variant) {
    check_height(job.mask.type, h);
    const scratch_image transformed(job.where, job.mask, job.mask.type);
    reconstruct_job cut = job;
    cut.start = start_rule::lowered;
    cut.height = h;
    cut.out = transformed.get();
    const reconstruction_result first = run_job(cut, variant);
    job.mask = transformed.get();
    reconstruction_result result = flag_extrema(job, variant);
    add_pass(result, first);
    return result;
}

}  // namespace
}  // namespace reconstruction

using namespace reconstruction;

reconstruction_result regional_maxima(const execution& where, const const_image_view& image, const image_view& out,
                                      const reconstruction_options& options) {
    return flag_extrema(extrema_job(where, image, out, options), options.variant);
}

reconstruction_result regional_minima(const execution& where, const const_image_view& image, const image_view& out,
                                      const reconstruction_options& options) {
    reconstruct_job job = extrema_job(where, image, out, options);
    job.method = reconstruction_method::erosion;
    return flag_extrema(job, options.variant);
}

reconstruction_result extended_maxima(const execution& where, const const_image_view& image, double h,
                                      const image_view& out, const reconstruction_options& options) {
    return flag_extended(extrema_job(where, image, out, options), h, options.variant);
}

reconstruction_result extended_minima(const execution& where, const const_image_view& image, double h,
                                      const image_view& out, const reconstruction_options& options) {
    reconstruct_job job = extrema_job(where, image, out, options);
    job.method = reconstruction_method::erosion;
    return flag_extended(job, h, options.variant);
}

}  // namespace wale
