// hysteresis - weak pixels count where they hang together with a strong one.
#include <optional>

#include "solvers/reconstruction/derived/call.hpp"
#include "solvers/reconstruction/derived/scratch.hpp"
#include "solvers/reconstruction/prepare/prepare.hpp"
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
        (void)catalogue::chosen(reconstruct_variants(), variant, job);
        return true;
    } catch (const unsupported_variant&) {
        return false;
    }
}

/// Thresholds into two flag images, then reconstructs the strong under the weak, in place.
reconstruction_result rebuild(reconstruct_job job, prepare_job threshold, const std::string& variant) {
    report before;
    prepare(threshold, before);
    job.marker = job.out = threshold.marker;
    job.mask = threshold.mask;
    reconstruction_result result = run_job(job, variant);
    result.run.compute_seconds += before.compute_seconds;
    return result;
}

}  // namespace
}  // namespace reconstruction

reconstruction_result hysteresis_threshold(const execution& where, const const_image_view& image, double low,
                                           double high, const image_view& out,
                                           const reconstruction_options& options) {
    using namespace reconstruction;
    refuse_bits("image", image);
    if (!(low <= high))
        throw bad_argument("low: is " + std::to_string(low) + ", expected at most high, " +
                           std::to_string(high));
    const pixel flags = out.type == pixel::bit ? pixel::bit : pixel::boolean;
    const reconstruct_job job = checked_job(where, image, out, flags, options);
    const bool packed = flags == pixel::bit || takes_bits(job, options.variant);
    const scratch_image weak(where, image, packed ? pixel::bit : flags);
    std::optional<scratch_image> strong;
    if (packed && flags != pixel::bit) strong.emplace(where, image, pixel::bit);
    prepare_job step{.where = where,
                     .kind = preparation::threshold,
                     .image = image,
                     .marker = strong ? strong->get() : out,
                     .mask = weak.get(),
                     .low = checked_number("low", low, image.type),
                     .high = checked_number("high", high, image.type),
                     .keep_padding = !strong,
                     .asynchronous = options.asynchronous};
    reconstruction_result result = rebuild(job, step, options.variant);
    if (!strong) return result;
    prepare_job widen{.where = where,
                      .kind = preparation::widen,
                      .image = strong->get(),
                      .marker = out,
                      .asynchronous = options.asynchronous};
    prepare(widen, result.run);
    return result;
}

}  // namespace wale
