// widened - scratch of a byte a pixel round a job on bits.
#include "solvers/reconstruction/derived/widened.hpp"

#include <optional>

#include "solvers/reconstruction/derived/scratch.hpp"
#include "solvers/reconstruction/prepare/prepare.hpp"

namespace wale::reconstruction {
namespace {

void widen(const reconstruct_job& job, const const_image_view& bits, const image_view& bytes, report& run) {
    prepare_job step{.where = job.where,
                     .kind = preparation::widen,
                     .image = bits,
                     .marker = bytes,
                     .asynchronous = job.asynchronous};
    prepare(step, run);
}

/// A threshold writes two images of flags: the second one is nobody's.
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

}  // namespace

bool wants_widening(const reconstruct_job& job, const std::string& variant) {
    return variant == "automatic" && backend_of(job.where) == backend::cuda && job.mask.type == pixel::bit &&
           job.mask.rank == 3;
}

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

}  // namespace wale::reconstruction
