// words - few short queries, one after the other in plain words: lanes would be empty.
#include "cpu/instruction_set.hpp"
#include "cpu/team.hpp"
#include "solvers/wavefront/infix/shared/nearest.hpp"

namespace wale::wavefront {
namespace {

std::string refusal(const infix_job& job) {
    for (index_t q = 0; q < job.count; ++q)
        if (!takes_words(sequence(job.queries, q)))
            return "needs queries of 1 to " + std::to_string(most_word_rows) + " bytes";
    return {};
}

/// Queries of more than two words are faster in cpu/strips but for what those take beside the columns; long
/// texts are shared by threads in cpu/lanes, which takes all queries in one pass.
bool suits(const infix_job& job) {
    constexpr index_t few = 3, brief_text = 1 << 10, short_text = 1 << 16, two_words = 128;
    if (job.count > few) return false;
    if (job.text.size <= brief_text) return true;
    for (index_t q = 0; q < job.count; ++q)
        if (sequence(job.queries, q).size > two_words) return false;
    return job.text.size <= short_text ||
           (job.count == 1 && cpu::team_size(job.where, job.text.size / short_text + 1) == 1);
}

void run(infix_job& job) {
    job.run->device = cpu::instruction_set();
    job.run->threads = 1;
    for (index_t q = 0; q < job.count; ++q)
        job.best[q] = nearest_in_words(sequence(job.queries, q), job.text, job.prefix, job.bounds[q]);
}

}  // namespace

extern constinit const catalogue::row<infix_job> infix_cpu_words{
    "cpu/words", "one short query after the other, in words of a column", run, refusal, suits};

}  // namespace wale::wavefront
