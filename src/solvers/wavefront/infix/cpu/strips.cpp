// strips - few long queries, one after the other, the whole table of each in skewed strips of vectors.
#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/infix/shared/nearest.hpp"

namespace wale::wavefront {
namespace {

/// Long texts are shared by threads in cpu/lanes, which takes all queries in one pass.
bool suits(const infix_job& job) {
    constexpr index_t few = 3, short_text = 1 << 16;
    if (job.text.size <= short_text) return job.count <= few;
    return job.count == 1 && cpu::team_size(job.where, job.text.size / short_text + 1) == 1;
}

void run(infix_job& job) {
    job.run->device = cpu::instruction_set();
    job.run->threads = 1;
    for (index_t q = 0; q < job.count; ++q)
        job.best[q] = nearest_in_strips(sequence(job.queries, q), job.text, job.prefix, job.bounds[q]);
}

}  // namespace

extern constinit const catalogue::row<infix_job> infix_cpu_strips{
    "cpu/strips", "one query after the other, the lanes of a vector a column behind each other", run, nullptr,
    suits};

}  // namespace wale::wavefront
