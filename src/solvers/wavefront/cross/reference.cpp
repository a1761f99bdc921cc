// reference - defines the results for each against each: the plain length of each pair, one after the other.
#include "solvers/wavefront/cross/shared/pairs.hpp"

namespace wale::wavefront {
namespace {

template <class Job>
void run(cross_job& job, const catalogue::table<Job>& table) {
    const pair_rows<Job> rows(table, backend::reference);
    for (index_t q = 0; q < job.query_count; ++q) answer_query(job, rows, job.where, q);
}

}  // namespace

extern constinit const catalogue::row<cross_job> lcs_cross_reference_plain{
    "reference/plain", "pair by pair, one row of the plain table",
    [](auto& job) { run(job, lcs_length_rows()); }};

extern constinit const catalogue::row<cross_job> edit_cross_reference_plain{
    "reference/plain", "pair by pair, one row of the plain table",
    [](auto& job) { run(job, edit_distance_rows()); }};

}  // namespace wale::wavefront
