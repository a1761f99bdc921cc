// call - the checks that the derived operations share.
#include "solvers/reconstruction/derived/call.hpp"

#include <cmath>
#include <limits>


namespace wale::reconstruction {

reconstruct_job checked_job(const execution& where, const const_image_view& image, const image_view& out,
                            pixel out_type, const reconstruction_options& options) {
    raster expected = image;
    expected.type = out_type;
    check_alike("out", out, "image", expected);
    check_image(where, "image", image);
    check_image(where, "out", out);
    check_apart("out", out, "image", image);
    reconstruct_job job;
    job.where = where;
    job.mask = image;
    job.out = out;
    job.reach = checked_reach(options.connectivity, image.rank);
    job.asynchronous = options.asynchronous;
    return job;
}

void refuse_bits(const char* name, const raster& p) {
    if (p.type == pixel::bit)
        throw bad_argument(std::string(name) + ": is bit-packed, expected a byte or more for each pixel");
}

void check_numbers(const execution& where, const const_image_view& image,
                   const reconstruction_options& options) {
    check_values(where, {}, image, options);
}

double checked_number(const char* name, double value, pixel type) {
    if (std::isnan(value)) throw bad_argument(std::string(name) + ": is NaN, expected a number");
    if (type != pixel::f32) return value;
    constexpr double beyond = 0x1.ffffffp127;  // half a step above the largest float: rounds to infinity
    if (std::abs(value) >= beyond) return std::copysign(std::numeric_limits<double>::infinity(), value);
    return static_cast<float>(value);
}

void add_pass(reconstruction_result& result, const reconstruction_result& before) {
    result.run.compute_seconds += before.run.compute_seconds;
    result.run.bytes += before.run.bytes;
    result.run.iterations += before.run.iterations;
    result.tile_visits += before.tile_visits;
    result.guarded = result.guarded || before.guarded;
}

}  // namespace wale::reconstruction
