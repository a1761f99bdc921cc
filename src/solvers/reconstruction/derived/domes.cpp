// domes - what rises (or sinks) by no more than h: cut off, or all that is left.
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
        check_numbers(where, image, options);
        job.method = method;
        job.start = start_rule::lowered;
        job.height = h;
        job.finish = finish;
        return run_job(job, options.variant);
    }
};

}  // namespace
}  // namespace reconstruction

using reconstruction::dome_call;
using reconstruction::finish_rule;

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

}  // namespace wale
