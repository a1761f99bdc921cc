// api - checks arguments, selects a variant, runs it, reports.
#include "solvers/reconstruction/check.hpp"
#include "solvers/reconstruction/derived/widened.hpp"
#include "variants/run.hpp"

namespace wale {
namespace reconstruction {

reconstruction_result run_job(reconstruct_job& job, const std::string& variant) {
    if (wants_widening(job, variant)) return run_widened(job);
    reconstruction_result result;
    job.result = &result;
    report& run = result.run;
    run.work = static_cast<double>(job.mask.pixels());
    // Mask in, marker in where one is given, answer out: what no schedule can save.
    const index_t images = job.start == start_rule::given ? 3 : 2;
    run.bytes = static_cast<double>(images * job.mask.span_elements() * bytes_of(job.mask.type));
    catalogue::run(reconstruct_variants(), variant, job, run);
    return result;
}

}  // namespace reconstruction

reconstruction_result reconstruct(const execution& where, const const_image_view& marker,
                                  const const_image_view& mask, const image_view& out,
                                  const reconstruction_options& options) {
    using namespace reconstruction;
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
    check_values(where, marker, mask, options);
    return run_job(job, options.variant);
}

}  // namespace wale
