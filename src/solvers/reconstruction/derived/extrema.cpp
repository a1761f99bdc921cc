// extrema - what rises (or sinks) by no more than h, cut off or all that is left; plateaus whose neighbours
// are all lower (or higher), of an image or of its h-maxima transform; and an image with regional minima
// exactly where they are wanted (Soille 2003, 6.3.6).
#include "base/argument.hpp"
#include "solvers/reconstruction/derived/call.hpp"

namespace wale {
namespace reconstruction {
namespace {

struct dome_call {
    const execution& where;
    const const_image_view& image;
    double h;
    const image_view& out;
    const reconstruction_options& options;

    [[nodiscard]] reconstruction_result run(reconstruction_method method, finish_rule finish) const {
        refuse_bits("image", image);
        check_height(image.type, h);
        reconstruct_job job = checked_job(where, image, out, image.type, options);
        check_values(where, {}, image, options);
        job.method = method;
        job.start = start_rule::lowered;
        job.height = h;
        job.finish = finish;
        return run_job(job, options.variant);
    }
};

/// A plateau that stands out does not rise again from the next lower value: nothing beside it lifts it.
/// Nothing lifts a constant image either, which has no neighbours to be lower, and so no extrema: as
/// scikit-image.
reconstruction_result flag_extrema(reconstruct_job job, const std::string& variant) {
    const transposed_job across(job, variant);
    job.start = start_rule::predecessor;
    job.finish = finish_rule::flag;
    reconstruction_result result = run_job(job, variant);
    prepare_job clear{.where = job.where,
                      .kind = preparation::clear_constant,
                      .image = job.mask,
                      .marker = job.out,
                      .asynchronous = job.asynchronous};
    prepare(clear, result.run);
    across.finish(result);
    return result;
}

/// The job of an image and the checks.
reconstruct_job extrema_job(const execution& where, const const_image_view& image, const image_view& out,
                            const reconstruction_options& options) {
    refuse_bits("image", image);
    reconstruct_job job = checked_job(where, image, out, pixel::boolean, options);
    check_values(where, {}, image, options);
    turn_columns(job);
    return job;
}

/// First the transform into scratch, then its extrema.
reconstruction_result flag_extended(reconstruct_job job, double h, const std::string& variant) {
    check_height(job.mask.type, h);
    const transposed_job across(job, variant);
    const scratch_image transformed(job.where, job.mask, job.mask.type);
    reconstruct_job cut = job;
    cut.start = start_rule::lowered;
    cut.height = h;
    cut.out = transformed.get();
    const reconstruction_result first = run_job(cut, variant);
    job.mask = transformed.get();
    reconstruction_result result = flag_extrema(job, variant);
    add_pass(result, first);
    across.finish(result);
    return result;
}

}  // namespace
}  // namespace reconstruction

using namespace reconstruction;

reconstruction_result h_maxima_transform(const execution& where, const const_image_view& image, double h,
                                         const image_view& out, const reconstruction_options& options) {
    return dome_call{where, image, h, out, options}.run(reconstruction_method::dilation, finish_rule::value);
}

reconstruction_result h_minima_transform(const execution& where, const const_image_view& image, double h,
                                         const image_view& out, const reconstruction_options& options) {
    return dome_call{where, image, h, out, options}.run(reconstruction_method::erosion, finish_rule::value);
}

reconstruction_result h_domes(const execution& where, const const_image_view& image, double h,
                              const image_view& out, const reconstruction_options& options) {
    return dome_call{where, image, h, out, options}.run(reconstruction_method::dilation,
                                                        finish_rule::residue);
}

reconstruction_result h_basins(const execution& where, const const_image_view& image, double h,
                               const image_view& out, const reconstruction_options& options) {
    return dome_call{where, image, h, out, options}.run(reconstruction_method::erosion, finish_rule::residue);
}

reconstruction_result regional_maxima(const execution& where, const const_image_view& image,
                                      const image_view& out, const reconstruction_options& options) {
    return flag_extrema(extrema_job(where, image, out, options), options.variant);
}

reconstruction_result regional_minima(const execution& where, const const_image_view& image,
                                      const image_view& out, const reconstruction_options& options) {
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

/// Water stands at the wanted minima only, and rises from there to the image, lifted by one step so that
/// its own lowest plateaus are not minima too.
reconstruction_result impose_minima(const execution& where, const const_image_view& image,
                                    const const_image_view& minima, const image_view& out,
                                    const reconstruction_options& options) {
    if (image.type == pixel::bit || image.type == pixel::boolean)
        base::refuse("image", std::string("is ") + name_of(image.type),
                     "grey values: two levels leave nothing between minima and the rest");
    raster flags = image;
    flags.type = pixel::boolean;
    check_alike("minima", minima, "image", flags);
    reconstruct_job job = checked_job(where, image, out, image.type, options);
    check_image(where, "minima", minima);
    check_apart("out", out, "minima", minima);
    check_values(where, {}, image, options);
    const scratch_image lifted(where, image, image.type);
    prepare_job impose{.where = where,
                       .kind = preparation::impose,
                       .image = image,
                       .minima = minima,
                       .marker = out,
                       .mask = lifted.get(),
                       .asynchronous = options.asynchronous};
    job.method = reconstruction_method::erosion;
    job.marker = out;
    job.mask = lifted.get();
    expect_flat_marker(job);
    return run_after(impose, job, options.variant);
}

}  // namespace wale
