// run - from a table, a name and a job to a finished job and its report.
#pragma once

#include <string>
#include <wale/report.hpp>

#include "base/clock.hpp"
#include "variants/table.hpp"

namespace wale::catalogue {

/// Selects the row, runs it and times it. Rows that time themselves, device rows from events, set
/// compute_seconds. The caller has asked for the CUDA plugin where `b` needs it.
template <class Job>
void run(const table<Job>& all, backend b, std::string_view wanted, Job& job, report& out) {
    const row<Job>& chosen = select(all, b, wanted, job);
    out.variant = chosen.name;
    const base::stopwatch watch;
    chosen.run(job);
    if (out.compute_seconds == 0) out.compute_seconds = watch.seconds();
}

}  // namespace wale::catalogue
