// pairs - a batch as many single pairs: a thread takes a slice, and each pair the method that suits it.
#include "solvers/wavefront/batch/shared/slices.hpp"

namespace wale::wavefront {
namespace {

constexpr index_t slice_of_pairs = 16;

template <class Job>
void run(batch_job& job, const catalogue::table<Job>& table) {
    const pair_rows<Job> rows(table, backend::cpu);
    for_slices(job, slice_of_pairs, [&](index_t first, index_t last) {
        for (index_t k = first; k < last; ++k)
            job.answers[k] =
                rows.answer(on_cpu{.threads = 1}, sequence(job.a, k), sequence(job.b, k), job.bound);
    });
}

}  // namespace

extern const catalogue::row<batch_job> lcs_batch_cpu_pairs;
constinit const catalogue::row<batch_job> lcs_batch_cpu_pairs{
    "cpu/pairs",
    backend::cpu,
    "pair by pair, each as a single pair would be, a slice a thread",
    catalogue::never_refuses<batch_job>,
    nullptr,
    [](auto& job) { run(job, lcs_length_rows()); }};

extern const catalogue::row<batch_job> edit_batch_cpu_pairs;
constinit const catalogue::row<batch_job> edit_batch_cpu_pairs{
    "cpu/pairs",
    backend::cpu,
    "pair by pair, each as a single pair would be, a slice a thread",
    catalogue::never_refuses<batch_job>,
    nullptr,
    [](auto& job) { run(job, edit_distance_rows()); }};

}  // namespace wale::wavefront
