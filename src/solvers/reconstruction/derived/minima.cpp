// minima - an image with regional minima exactly where they are wanted (Soille 2003, 6.3.6).
#include "solvers/reconstruction/derived/call.hpp"
#include "solvers/reconstruction/derived/scratch.hpp"
#include "solvers/reconstruction/prepare/prepare.hpp"

namespace wale {

/// Water stands at the wanted minima only, and rises from there to the image, lifted by one step so that
/// its own lowest plateaus are not minima too.
reconstruction_result impose_minima(const execution& where, const const_image_view& image,
                                    const const_image_view& minima, const image_view& out,
                                    const reconstruction_options& options) {
    using namespace reconstruction;
    if (image.type == pixel::bit || image.type == pixel::boolean)
        throw bad_argument(std::string("image: is ") + name_of(image.type) +
                           ", expected grey values: two levels leave nothing between minima and the rest");
    raster flags = image;
    flags.type = pixel::boolean;
    check_alike("minima", minima, "image", flags);
    reconstruct_job job = checked_job(where, image, out, image.type, options);
    check_image(where, "minima", minima);
    check_apart("out", out, "minima", minima);
    check_numbers(where, image, options);
    const scratch_image lifted(where, image, image.type);
    prepare_job impose{.where = where,
                       .kind = preparation::impose,
                       .image = image,
                       .minima = minima,
                       .marker = out,
                       .mask = lifted.get(),
                       .asynchronous = options.asynchronous};
    report before;
    prepare(impose, before);
    job.method = reconstruction_method::erosion;
    job.marker = out;
    job.mask = lifted.get();
    reconstruction_result result = run_job(job, options.variant);
    result.run.compute_seconds += before.compute_seconds;
    return result;
}

}  // namespace wale
