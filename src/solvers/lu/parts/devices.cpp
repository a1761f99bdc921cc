// devices - one matrix in host memory over several devices: to the devices by a thread each, factored there
// by all of them, and back; what follows from factors and pivots is read on the host.
#include "base/clock.hpp"
#include "solvers/lu/parts/problem.hpp"
#include "solvers/lu/problem.hpp"

namespace wale::lu {
namespace {

[[nodiscard]] divided_job divided(const on_cuda& devices, const factor_job& job) {
    divided_job out{
        .devices = devices.devices, .a = job.a[0], .pivoting = job.pivoting, .pivots = job.out.pivots};
    out.sm = cuda::require().describe(devices.devices[0]).sm;
    for (const int from : devices.devices)
        for (const int to : devices.devices) out.reached = out.reached && cuda::require().reaches(from, to);
    return out;
}

}  // namespace

bool divides(const on_cuda& devices, const factor_job& job, const std::string& variant) {
    if (job.a.count() != 1 || job.asynchronous) return false;
    const divided_job asked = divided(devices, job);
    for (const auto& row : divided_rows().rows) {
        if (variant != "automatic" && !catalogue::names(row.name, variant)) continue;
        const std::string refusal = catalogue::refusal_of(row, asked);
        if (variant != "automatic" && !refusal.empty())
            throw unsupported_variant(std::string(row.name) + ": " + refusal);
        if (refusal.empty() && (variant != "automatic" || row.suits == nullptr || row.suits(asked)))
            return true;
    }
    return false;
}

void factor_over_devices(const on_cuda& devices, factor_job& job, const std::string& variant) {
    divided_job d = divided(devices, job);
    const auto& row = catalogue::select(divided_rows(), backend::cuda, variant, d);
    row.run(d);
    const std::vector<cuda::part> each(devices.devices.size());
    std::vector<double> transfers;
    report& run = job.result->run;
    const base::stopwatch all;
    double loaded = 0, stored = 0;
    cuda::run_parts(
        devices, each,
        [&](std::size_t k, cuda::carrier& c) {
            d.there->load(k, c);
            c.finish();  // copies are no part of the time
        },
        transfers,
        [&](const cuda::for_all_parts& by_each) {
            loaded = all.seconds();
            const base::stopwatch watch;
            d.there->factor();
            run.compute_seconds = watch.seconds();
            const base::stopwatch back;
            by_each([&](std::size_t k, cuda::carrier& c) {
                d.there->store(k);
                c.finish();
            });
            stored = back.seconds();
        });
    run.variant = row.name;
    run.policy = d.policy + " parts=" + std::to_string(each.size());
    run.transfer_seconds = loaded + stored;
    run.iterations = d.panels;
    for (const int device : devices.devices)
        run.device.append(run.device.empty() ? "" : ", ").append(cuda::require().describe(device).name);
    finish(job);
    run.threads = static_cast<int>(each.size());
}

}  // namespace wale::lu
