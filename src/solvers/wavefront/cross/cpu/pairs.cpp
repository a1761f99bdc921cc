// pairs - pair by pair, a query a thread at a time: for few queries, and for long sequences.
#include <atomic>

#include "solvers/wavefront/cross/shared/pairs.hpp"

namespace wale::wavefront {
namespace {

template <class Job>
void run(cross_job& job, const catalogue::table<Job>& table) {
    const pair_rows<Job> rows(table, backend::cpu);
    std::atomic<index_t> next{0};
    job.run->threads = cpu::team_size(job.where, job.query_count);
    job.run->device = cpu::instruction_set();
    cpu::run_team(job.run->threads, [&](int) {
        short_words words;
        for (index_t q = next++; q < job.query_count; q = next++)
            answer_query(job, rows, on_cpu{.threads = 1}, q, &words);
    });
}

}  // namespace

extern constinit const catalogue::row<cross_job> lcs_cross_cpu_pairs{
    "cpu/pairs", "pair by pair, a query a thread; the words of a short query serve all targets",
    [](auto& job) { run(job, lcs_length_rows()); }};

extern constinit const catalogue::row<cross_job> edit_cross_cpu_pairs{
    "cpu/pairs", "pair by pair, a query a thread; the words of a short query serve all targets",
    [](auto& job) { run(job, edit_distance_rows()); }};

}  // namespace wale::wavefront
