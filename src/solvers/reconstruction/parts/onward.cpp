// onward - what follows inside an image from its outermost pixels, in place.
#include <wale/shared_images.hpp>

#include "base/clock.hpp"
#include "base/threads.hpp"
#include "solvers/reconstruction/check.hpp"
#include "solvers/reconstruction/problem.hpp"
#include "solvers/reconstruction/reconstruct/cpu/clamp_scan/clamp_scan.hpp"

namespace wale {

reconstruction_result reconstruct_onward(const on_cpu& where, const image_view& risen,
                                         const const_image_view& mask,
                                         const reconstruction_options& options) {
    using namespace reconstruction;
    check_alike("risen", risen, "mask", mask);
    check_image(where, "risen", risen);
    check_image(where, "mask", mask);
    check_apart("risen", risen, "mask", mask);
    base::check_threads(where);
    reconstruction_result result;
    reconstruct_job job;
    job.where = where;
    job.marker = risen;
    job.mask = mask;
    job.out = risen;
    job.method = options.method;
    job.reach = checked_reach(options.connectivity, mask.rank);
    job.result = &result;
    if (const std::string why = refuses_bits(job); !why.empty())
        throw unsupported_variant("cpu/clamp_scan: " + why);
    const base::stopwatch watch;
    run_onward(job);
    result.run.variant = "cpu/clamp_scan";
    result.run.policy += " onward";
    result.run.work = static_cast<double>(mask.pixels());
    result.run.compute_seconds = watch.seconds();
    return result;
}

}  // namespace wale
