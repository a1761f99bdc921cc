// pairs - a batch as many single pairs: a thread takes a slice; short pairs of bytes are done in words that
// stay, others by the method that suits them.
#include <type_traits>

#include "solvers/wavefront/batch/shared/slices.hpp"
#include "solvers/wavefront/length/shared/short_pair.hpp"

namespace wale::wavefront {
namespace {

/// Pairs of a slice: of some ten microseconds, so that no thread is woken for less.
index_t slice_of(const batch_job& job) {
    if (job.count == 0) return 1;
    const index_t symbols =
        job.a.offsets[job.count] - job.a.offsets[0] + job.b.offsets[job.count] - job.b.offsets[0];
    const double mean = static_cast<double>(symbols) / (2 * static_cast<double>(job.count));
    return static_cast<index_t>(std::clamp(4e6 / (mean * mean + 4e3), 16.0, 1024.0));
}

template <class Job>
void run(batch_job& job, const catalogue::table<Job>& table) {
    const pair_rows<Job> rows(table, backend::cpu);
    constexpr bool edit = std::is_same_v<Job, edit_distance_job>;
    for_slices(job, slice_of(job), [&](index_t first, index_t last) {
        short_pairs words;  // of the slice: a call that is interrupted leaves nothing behind
        pairs_together<edit> one;
        pairs_together<edit, 2> two;
        const auto together = [&](auto& some, index_t k) {
            const auto next = [&](std::size_t t) {
                const index_t at = k + static_cast<index_t>(t);
                return std::pair(sequence(job.a, at), sequence(job.b, at));
            };
            return some.answer_next(static_cast<std::size_t>(last - k), next, job.answers + k);
        };
        for (index_t k = first; k < last;) {
            std::size_t done = job.bound < 0 ? together(one, k) : 0;
            if (done == 0 && job.bound < 0) done = together(two, k);
            k += static_cast<index_t>(done);
            if (done > 0) continue;
            const symbols a = sequence(job.a, k), b = sequence(job.b, k);
            const auto brief = words.answer<edit>(a, b, job.bound);
            job.answers[k++] = brief ? static_cast<std::int32_t>(*brief)
                                     : rows.answer(on_cpu{.threads = 1}, a, b, job.bound);
        }
    });
}

}  // namespace

extern constinit const catalogue::row<batch_job> lcs_batch_cpu_pairs{
    "cpu/pairs", "pair by pair, short ones in words that stay, others as a single pair would be",
    [](auto& job) { run(job, lcs_length_rows()); }};

extern constinit const catalogue::row<batch_job> edit_batch_cpu_pairs{
    "cpu/pairs", "pair by pair, short ones in words that stay, others as a single pair would be",
    [](auto& job) { run(job, edit_distance_rows()); }};

}  // namespace wale::wavefront
