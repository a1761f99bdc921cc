// pairs - a batch as many single pairs: a thread takes a slice, and each pair the method that suits it.
#include <algorithm>
#include <atomic>

#include "base/checked.hpp"
#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/batch/cpu.hpp"
#include "solvers/wavefront/length/cpu.hpp"
#include "solvers/wavefront/length/symbols.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t slice_of_pairs = 16;

/// The job of pair k, on this thread alone.
template <class Job>
Job single(const batch_job& job, index_t k, report& run) {
    Job pair;
    pair.where = on_cpu{.threads = 1};
    pair.a = sequence(job.a, k);
    pair.b = sequence(job.b, k);
    pair.run = &run;
    return pair;
}

}  // namespace

void for_slices(const batch_job& job, index_t slice, const std::function<void(index_t, index_t)>& work) {
    const index_t slices = base::ceil_div(job.count, slice);
    std::atomic<index_t> next{0};
    job.run->threads = cpu::team_size(threads_asked(job.where), slices);
    job.run->device = cpu::instruction_set();
    cpu::run_team(job.run->threads, [&](int) {
        for (index_t i = next++; i < slices; i = next++)
            work(i * slice, std::min(job.count, (i + 1) * slice));
    });
}

void lcs_batch_pairs(batch_job& job) {
    for_slices(job, slice_of_pairs, [&](index_t first, index_t last) {
        report run;
        for (index_t k = first; k < last; ++k) {
            auto pair = single<lcs_length_job>(job, k, run);
            if (lcs_length_suits_strips(pair))
                lcs_length_skewed_strips(pair);
            else
                lcs_length_bit_vector(pair);
            job.answers[k] = static_cast<std::int32_t>(pair.length);
        }
    });
}

void edit_batch_pairs(batch_job& job) {
    for_slices(job, slice_of_pairs, [&](index_t first, index_t last) {
        report run;
        for (index_t k = first; k < last; ++k) {
            auto pair = single<edit_distance_job>(job, k, run);
            pair.bound = job.bound;
            if (edit_distance_suits_band(pair))
                edit_distance_band(pair);
            else if (edit_distance_suits_strips(pair))
                edit_distance_skewed_strips(pair);
            else
                edit_distance_bit_vector(pair);
            job.answers[k] = static_cast<std::int32_t>(pair.distance);
        }
    });
}

}  // namespace wale::wavefront
