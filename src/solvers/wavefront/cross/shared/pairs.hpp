// pairs - one query against all its targets, pair by pair, by the rows that do single pairs.
#pragma once

#include "solvers/wavefront/batch/shared/slices.hpp"
#include "solvers/wavefront/search_jobs.hpp"

namespace wale::wavefront {

/// Answers query q; of a symmetric job also the mirror images of its pairs.
template <class Job>
void answer_query(const cross_job& job, const pair_rows<Job>& rows, const execution& where, index_t q) {
    report ignored;
    for (index_t t = job.symmetric ? q : 0; t < job.target_count; ++t) {
        Job pair;
        pair.where = where;
        pair.a = sequence(job.queries, q);
        pair.b = sequence(job.targets, t);
        pair.run = &ignored;
        if constexpr (requires { pair.bound; }) pair.bound = job.cutoff;
        rows.run(pair);
        job.answers[q * job.pitch + t] = answer(pair);
        if (job.symmetric) job.answers[t * job.pitch + q] = answer(pair);
    }
}

}  // namespace wale::wavefront
