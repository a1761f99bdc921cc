// reference - defines the results for batches: the plain length of each pair, one after the other.
#include "solvers/wavefront/batch/shared/slices.hpp"

namespace wale::wavefront {
namespace {

template <class Job>
void run(batch_job& job, const catalogue::table<Job>& table) {
    const pair_rows<Job> rows(table, backend::reference);
    for (index_t k = 0; k < job.count; ++k)
        job.answers[k] = rows.answer(job.where, sequence(job.a, k), sequence(job.b, k));
}

}  // namespace

extern constinit const catalogue::row<batch_job> lcs_batch_reference_plain{
    "reference/plain", "pair by pair, one row of the plain table",
    [](auto& job) { run(job, lcs_length_rows()); }};

extern constinit const catalogue::row<batch_job> edit_batch_reference_plain{
    "reference/plain", "pair by pair, one row of the plain table",
    [](auto& job) { run(job, edit_distance_rows()); }};

}  // namespace wale::wavefront
