// holes - what does not reach the border: filled, or all that is left.
#include "solvers/reconstruction/derived/call.hpp"

namespace wale {

reconstruction_result fill_holes(const execution& where, const const_image_view& image, const image_view& out,
                                 const reconstruction_options& options) {
    using namespace reconstruction;
    reconstruct_job job = checked_job(where, image, out, image.type, options);
    check_numbers(where, image, options);
    job.method = reconstruction_method::erosion;
    job.start = start_rule::border;
    return run_job(job, options.variant);
}

reconstruction_result clear_border(const execution& where, const const_image_view& image, const image_view& out,
                                   const reconstruction_options& options) {
    using namespace reconstruction;
    reconstruct_job job = checked_job(where, image, out, image.type, options);
    check_numbers(where, image, options);
    job.start = start_rule::border;
    job.finish = finish_rule::residue;
    return run_job(job, options.variant);
}

}  // namespace wale
