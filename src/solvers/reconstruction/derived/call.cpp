// call - the checks, the scratch images and the order of passes that the derived operations share.
#include "solvers/reconstruction/derived/call.hpp"
#include "base/argument.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/aligned.hpp"
#include "cuda/device_api.hpp"

namespace wale::reconstruction {
namespace {

/// The rows of a scratch image start at cache lines.
raster aligned(raster r, pixel type) {
    r.type = type;
    r.row_stride = r.row_elements();
    const index_t line = static_cast<index_t>(base::cache_line) / bytes_of(type);
    r.row_stride = (r.row_stride + line - 1) / line * line;
    r.plane_stride = r.rows * r.row_stride;
    r.image_stride = r.planes * r.plane_stride;
    return r;
}

index_t bytes_needed(const raster& r) {
    return checked_bytes(checked_bytes(checked_bytes(r.images, r.planes), r.rows) * r.row_stride,
                         bytes_of(r.type));
}

}  // namespace

reconstruct_job checked_job(const execution& where, const const_image_view& image, const image_view& out,
                            pixel out_type, const reconstruction_options& options) {
    if (backend_of(where) == backend::cuda) (void)cuda::require();
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
    if (p.type == pixel::bit) base::refuse(name, "is bit-packed", "a byte or more for each pixel");
}

double checked_number(const char* name, double value, pixel type) {
    if (std::isnan(value)) base::refuse(name, "is NaN", "a number");
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

void expect_flat_marker(reconstruct_job& job) {
    constexpr index_t thin = 32;  // lines
    if (std::min(job.mask.rows, job.mask.columns) >= thin) job.flat_marker = 1;
}

reconstruction_result run_after(prepare_job& step, reconstruct_job& job, const std::string& variant) {
    report before;
    // What the stream of a device has queued needs no wait between: the job's time then begins with the
    // step's.
    if (const auto* on = std::get_if<on_cuda>(&job.where); on != nullptr && !on->time_on_device)
        step.asynchronous = true;
    prepare(step, before);
    reconstruction_result result = run_job(job, variant);
    result.run.compute_seconds += before.compute_seconds;
    return result;
}

scratch_image::scratch_image(const execution& where, const raster& like, pixel type)
    : memory_(where, bytes_needed(aligned(like, type))), shape_(aligned(like, type)) {}

}  // namespace wale::reconstruction
