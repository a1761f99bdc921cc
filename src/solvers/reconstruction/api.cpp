// api - checks arguments, selects a variant, runs it, reports. Jobs on bits that no row takes are done on
// bytes.
#include <algorithm>
#include <optional>

#include "cuda/device_api.hpp"
#include "cuda/spread.hpp"
#include "solvers/reconstruction/check.hpp"
#include "solvers/reconstruction/derived/call.hpp"
#include "solvers/reconstruction/parts/problem.hpp"
#include "variants/run.hpp"

namespace wale {
namespace reconstruction {
namespace {

/// Runs the row of the job's backend, of the CPU for the reference.
template <class Job>
void run_internal(const catalogue::table<Job>& rows, Job& job) {
    base::check_threads(job.where);
    job.where = beside(job.where);
    const bool on_device = backend_of(job.where) == backend::cuda;
    catalogue::select(rows, on_device ? backend::cuda : backend::cpu, "automatic", job).run(job);
}

}  // namespace

void inspect(inspect_job& job) {
    run_internal(inspect_rows(), job);
}

void prepare(prepare_job& job, report& to) {
    const base::stopwatch watch;
    run_internal(prepare_rows(), job);
    to.compute_seconds += job.seconds > 0 ? job.seconds : watch.seconds();
}

namespace {

void widen(const reconstruct_job& job, const const_image_view& bits, const image_view& bytes, report& run) {
    prepare_job step{.where = job.where,
                     .kind = preparation::widen,
                     .image = bits,
                     .marker = bytes,
                     .asynchronous = job.asynchronous};
    prepare(step, run);
}

/// A threshold writes two images of flags: the second one is not used.
void pack(const reconstruct_job& job, const const_image_view& bytes, const image_view& bits, report& run) {
    const scratch_image unused(job.where, job.out, pixel::bit);
    prepare_job step{.where = job.where,
                     .kind = preparation::threshold,
                     .image = bytes,
                     .marker = bits,
                     .mask = unused.get(),
                     .keep_padding = true,
                     .asynchronous = job.asynchronous};
    prepare(step, run);
}

/// Whether `automatic` has no row for this job but has one for the same on bytes: bit-packed volumes on CUDA.
bool wants_widening(const reconstruct_job& job, const std::string& variant) {
    return variant == "automatic" && backend_of(job.where) == backend::cuda && job.mask.type == pixel::bit &&
           job.mask.rank == 3;
}

/// Widens mask and marker to a byte a pixel, runs the job, and packs its answer; report::policy says so.
reconstruction_result run_widened(const reconstruct_job& job) {
    report before;
    reconstruct_job wide = job;
    const scratch_image mask(job.where, job.mask, pixel::boolean);
    const scratch_image out(job.where, job.mask, pixel::boolean);
    std::optional<scratch_image> marker;
    widen(job, job.mask, mask.get(), before);
    if (job.marker.data != nullptr) {
        marker.emplace(job.where, job.mask, pixel::boolean);
        widen(job, job.marker, marker->get(), before);
        wide.marker = marker->get();
    }
    wide.mask = mask.get();
    wide.out = out.get();
    reconstruction_result result = run_job(wide, "automatic");
    pack(job, out.get(), job.out, result.run);
    result.run.compute_seconds += before.compute_seconds;
    result.run.policy += ", widened to bytes";
    return result;
}

/// Whether images have one column of adjacent pixels.
bool is_column(const raster& r) {
    return r.columns == 1 && r.rows > 1 && r.row_stride == 1 && r.type != pixel::bit;
}

/// Such a column as a row, and a plane of such columns as a flat image: the same neighbours in the same
/// memory, in rows that fill vectors. Every pixel still lies where the image ends.
void turn(raster& r) {
    r.columns = r.rows;
    r.rows = r.planes;
    r.row_stride = std::max(r.plane_stride, r.columns);
    r.planes = 1;
    r.plane_stride = r.rows * r.row_stride;
}

/// A volume of one plane, or of one row a plane, as a flat image.
void flatten(raster& r) {
    if (r.planes != 1) {
        r.rows = r.planes;
        r.row_stride = r.plane_stride;
    }
    r.rank = 2;
    r.planes = 1;
    r.plane_stride = r.rows * r.row_stride;
}

/// Whether the job of such a volume became that of a flat image, which more rows take. Not where the marker
/// is made at the border: all pixels of such a volume lie there.
bool flatten(reconstruct_job& job) {
    const raster& r = job.mask;
    if (r.rank != 3 || job.start == start_rule::border || (r.planes != 1 && r.rows != 1)) return false;
    flatten(job.mask);
    flatten(job.out);
    if (job.marker.data != nullptr) flatten(job.marker);
    job.reach = std::min(job.reach, 2);
    return true;
}

}  // namespace

bool turn_columns(reconstruct_job& job) {
    const bool marked = job.marker.data != nullptr;
    if (!is_column(job.mask) || !is_column(job.out) || (marked && !is_column(job.marker))) return false;
    turn(job.mask);
    turn(job.out);
    if (marked) turn(job.marker);
    return true;
}

reconstruction_result run_job(reconstruct_job& job, const std::string& variant) {
    if (cuda::several(job.where) != nullptr) return run_over_devices(job, variant);
    if (is_column(job.mask)) {
        reconstruct_job turned = job;
        if (turn_columns(turned)) return run_job(turned, variant);
    }
    if (reconstruct_job wide = job; const transposed_job across{wide, variant}) {
        reconstruction_result result = run_job(wide, variant);
        across.finish(result);
        return result;
    }
    if (reconstruct_job flat = job; variant == "automatic" && flatten(flat)) return run_job(flat, variant);
    if (wants_widening(job, variant)) return run_widened(job);
    reconstruction_result result;
    job.result = &result;
    report& run = result.run;
    run.work = static_cast<double>(job.mask.pixels());
    // Mask in, marker in where one is given, answer out: what no schedule can save.
    const index_t images = job.start == start_rule::given ? 3 : 2;
    run.bytes = static_cast<double>(images * job.mask.span_elements() * bytes_of(job.mask.type));
    catalogue::run(reconstruct_rows(), variant, job, run);
    return result;
}

}  // namespace reconstruction

reconstruction_result reconstruct(const execution& where, const const_image_view& marker,
                                  const const_image_view& mask, const image_view& out,
                                  const reconstruction_options& options) {
    using namespace reconstruction;
    if (backend_of(where) == backend::cuda) (void)cuda::require();
    check_alike("marker", marker, "mask", mask);
    check_alike("out", out, "mask", mask);
    check_image(where, "marker", marker);
    check_image(where, "mask", mask);
    check_image(where, "out", out);
    check_apart("out", out, "mask", mask);
    check_apart("out", out, "marker", marker, true);
    reconstruct_job job;
    job.where = where;
    job.marker = marker;
    job.mask = mask;
    job.out = out;
    job.method = options.method;
    job.reach = checked_reach(options.connectivity, mask.rank);
    job.asynchronous = options.asynchronous;
    job.flat_marker = check_values(where, marker, mask, options);
    return run_job(job, options.variant);
}

}  // namespace wale
