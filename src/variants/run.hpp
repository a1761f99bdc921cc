// run - from a table, a name and a job to a finished job and its report.
#pragma once

#include <string>
#include <wale/report.hpp>

#include "base/clock.hpp"
#include "base/threads.hpp"
#include "variants/table.hpp"

namespace wale::catalogue {

/// Throws backend_unavailable if the backend is CUDA and cannot be used. Loads the CUDA plugin, whose rows
/// are in the tables afterwards.
void check_available(backend b);

/// select() for a caller's job: its backend and its threads are checked, whether or not the row starts any.
template <class Job, class Result>
[[nodiscard]] const row<Job, Result>& chosen(const table<Job, Result>& all, std::string_view wanted,
                                             const Job& job) {
    check_available(backend_of(job.where));
    base::check_threads(job.where);
    if (const auto* on = std::get_if<on_cuda>(&job.where); on != nullptr && !on->devices.empty())
        throw unsupported_variant(std::string(all.operation) +
                                  ": is not split over where.devices, expected one device (batches, images "
                                  "and the length or distance of a pair are split)");
    return select(all, backend_of(job.where), wanted, job);
}

/// Selects the row, runs it and times it. Rows that time themselves, as device rows do, set compute_seconds.
template <class Job>
void run(const table<Job>& all, std::string_view wanted, Job& job, report& out) {
    const row<Job>& taken = chosen(all, wanted, job);
    out.variant = taken.name;
    const base::stopwatch watch;
    taken.run(job);
    if (out.compute_seconds == 0) out.compute_seconds = watch.seconds();
}

}  // namespace wale::catalogue
