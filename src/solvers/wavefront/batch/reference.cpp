// reference - the truth for batches: the plain length of each pair, one after the other.
#include "solvers/wavefront/batch/shared/slices.hpp"

namespace wale::wavefront {
namespace {

template <class Job>
void run(batch_job& job, const catalogue::table<Job>& table) {
    const pair_rows<Job> rows(table, backend::reference);
    for (index_t k = 0; k < job.count; ++k) {
        Job pair;
        pair.where = job.where;
        pair.a = sequence(job.a, k);
        pair.b = sequence(job.b, k);
        rows.run(pair);
        job.answers[k] = answer(pair);
    }
}

void run_lcs(batch_job& job) {
    run(job, lcs_length_rows());
}
void run_edit(batch_job& job) {
    run(job, edit_distance_rows());
}

}  // namespace

extern const catalogue::row<batch_job> lcs_batch_reference_plain;
constinit const catalogue::row<batch_job> lcs_batch_reference_plain{
    "reference/plain",
    backend::reference,
    "pair by pair, one row of the plain table",
    catalogue::never_refuses<batch_job>,
    nullptr,
    run_lcs};

extern const catalogue::row<batch_job> edit_batch_reference_plain;
constinit const catalogue::row<batch_job> edit_batch_reference_plain{
    "reference/plain",
    backend::reference,
    "pair by pair, one row of the plain table",
    catalogue::never_refuses<batch_job>,
    nullptr,
    run_edit};

}  // namespace wale::wavefront
