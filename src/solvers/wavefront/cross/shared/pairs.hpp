// pairs - one query against all its targets, pair by pair, by the rows that do single pairs.
#pragma once

#include "solvers/wavefront/batch/shared/slices.hpp"
#include "solvers/wavefront/search_jobs.hpp"

namespace wale::wavefront {

/// Answers query q; of a symmetric job also the mirror images of its pairs.
template <class Job>
void answer_query(const cross_job& job, const pair_rows<Job>& rows, const execution& where, index_t q) {
    for (index_t t = job.symmetric ? q : 0; t < job.target_count; ++t) {
        const auto found = rows.answer(where, sequence(job.queries, q), sequence(job.targets, t), job.cutoff);
        job.answers[q * job.pitch + t] = found;
        if (job.symmetric) job.answers[t * job.pitch + q] = found;
    }
}

}  // namespace wale::wavefront
