// words - few short queries, one after the other in plain words: lanes would be empty.
#include "cpu/instruction_set.hpp"
#include "solvers/wavefront/infix/shared/nearest.hpp"

namespace wale::wavefront {
namespace {

std::string refusal(const infix_job& job) {
    for (index_t q = 0; q < job.count; ++q)
        if (!takes_words(sequence(job.queries, q)))
            return "needs queries of 1 to " + std::to_string(most_word_rows) + " bytes";
    return {};
}

/// Long texts are shared by threads in cpu/lanes, which also leaves out words beyond the bound.
bool suits(const infix_job& job) {
    constexpr index_t few = 3, short_text = 1 << 16;
    return job.count <= few && job.text.size <= short_text;
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
