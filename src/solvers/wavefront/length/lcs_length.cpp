// lcs_length - the host rows for the length of the LCS of one pair.
#include <variant>

#include "cpu/instruction_set.hpp"
#include "solvers/wavefront/length/affix.hpp"
#include "solvers/wavefront/length/bit_vector.hpp"
#include "solvers/wavefront/length/cpu.hpp"
#include "solvers/wavefront/length/strips.hpp"

namespace wale::wavefront {
namespace {

/// Calls method(codes of what the ends do not settle); the rest is there already.
template <class Method>
void with_codes(lcs_length_job& job, Method&& method) {
    const trimmed_pair t = trim(job.a, job.b);
    job.length = t.prefix + t.suffix;
    if (t.a.size > 0 && t.b.size > 0) job.length += method(encode(t.a, t.b));
}

}  // namespace

int threads_asked(const execution& where) {
    const on_cpu* cpu = std::get_if<on_cpu>(&where);
    return cpu != nullptr ? cpu->threads : 1;
}

void lcs_length_bit_vector(lcs_length_job& job) {
    with_codes(job, [](const coded_pair& pair) {
        return pair.a.size() <= pair.b.size() ? lcs_bit_vector(pair)
                                              : lcs_bit_vector(coded_pair{pair.b, pair.a, pair.count});
    });
    job.run->policy = "word=64";
}

void lcs_length_skewed_strips(lcs_length_job& job) {
    job.run->device = cpu::instruction_set();
    with_codes(job, [&](const coded_pair& pair) {
        const strip_recurrence recurrence = lcs_strips();
        const bool upright = fits_upright(recurrence, std::ssize(pair.a), std::ssize(pair.b));
        strip_table table(recurrence, upright ? pair.a : pair.b, upright ? pair.b : pair.a, pair.planes(),
                          chosen_strips());
        table.share(threads_asked(job.where));
        job.run->threads = table.workers();
        job.run->policy = table.policy_text();
        table.run();
        return table.length();
    });
}

bool lcs_length_suits_strips(const lcs_length_job& job) {
    return job.a.size * job.b.size >= chosen_methods().strip_cells;
}

}  // namespace wale::wavefront
