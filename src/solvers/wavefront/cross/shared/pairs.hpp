// pairs - one query against all its targets, pair by pair, by the rows that do single pairs.
#pragma once

#include <cstdlib>
#include <type_traits>

#include "solvers/wavefront/batch/shared/slices.hpp"
#include "solvers/wavefront/length/shared/short_pair.hpp"
#include "solvers/wavefront/length/shared/short_words.hpp"
#include "solvers/wavefront/search_jobs.hpp"

namespace wale::wavefront {

/// Answers query q; of a symmetric job also the mirror images of its pairs. With `words`, those of a
/// short query serve all targets.
template <class Job>
void answer_query(const cross_job& job, const pair_rows<Job>& rows, const execution& where, index_t q,
                  short_words* words = nullptr) {
    const symbols query = sequence(job.queries, q);
    const bool short_query = words != nullptr && job.targets.bytes == 1 && short_words::takes(query);
    if (short_query) words->set(typed<std::uint8_t>(query));
    constexpr bool edit = std::is_same_v<Job, edit_distance_job>;
    std::optional<banded_query> banded;
    if (edit && words != nullptr && job.target_count > 3 && banded_query::takes(query, job.cutoff))
        banded.emplace(query, job.cutoff);
    const auto answer = [&](const symbols& target) {
        if (banded)
            if (const auto found = banded->distance(target)) return static_cast<std::int32_t>(*found);
        if (!short_query || (edit && job.cutoff >= 0 && std::min(query.size, target.size) > 64))
            if (const auto brief =
                    edit ? short_distance(query, target, job.cutoff) : short_length(query, target))
                return static_cast<std::int32_t>(brief->value);
        if (!short_query) return rows.answer(where, query, target, job.cutoff);
        if (edit && job.cutoff >= 0 && std::abs(query.size - target.size) > job.cutoff)
            return static_cast<std::int32_t>(job.cutoff + 1);
        const auto columns = typed<std::uint8_t>(target);
        return static_cast<std::int32_t>(edit ? words->edit(columns) : words->lcs(columns));
    };
    cpu::rare_poll poll(64);
    for (index_t t = job.symmetric ? q : 0; t < job.target_count; ++t, poll()) {
        const auto found = answer(sequence(job.targets, t));
        job.answers[q * job.pitch + t] = found;
        if (job.symmetric) job.answers[t * job.pitch + q] = found;
    }
    if (short_query) words->clear();
}

}  // namespace wale::wavefront
