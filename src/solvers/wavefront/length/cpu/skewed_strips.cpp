// skewed_strips - the lanes of a vector are words of rows, each a column behind the word above.
#include <algorithm>

#include "cpu/instruction_set.hpp"
#include "solvers/wavefront/length/shared/strips.hpp"

namespace wale::wavefront {
namespace {

/// Fewer rows leave most lanes without a word of their own; edit distances gain more from the others.
constexpr index_t least_lcs_rows = 400, least_edit_rows = 256;
/// Fewer cells of an LCS are faster in eight words that stay in registers.
constexpr index_t least_lcs_cells = 1 << 20;

template <class Job>
bool suits(const Job& job, index_t least_rows, index_t least_cells) {
    return std::min(job.a.size, job.b.size) >= least_rows && job.a.size * job.b.size >= least_cells;
}

bool suits_lcs(const lcs_length_job& job) {
    return suits(job, least_lcs_rows, least_lcs_cells);
}

bool suits_edit(const edit_distance_job& job) {
    return suits(job, least_edit_rows, chosen_methods.strip_cells);
}

void run_lcs(lcs_length_job& job) {
    job.run->device = cpu::instruction_set();
    with_codes(job, [&](const coded_pair& pair) {
        strip_table table(lcs_strips(), pair, chosen_strips());
        table.run(job);
        return table.length();
    });
}

void run_edit(edit_distance_job& job) {
    job.run->device = cpu::instruction_set();
    with_codes(job, [&](const coded_pair& pair) { return distance_by_strips(job, pair); });
}

}  // namespace

extern constinit const catalogue::row<lcs_length_job> lcs_length_cpu_skewed_strips{
    "cpu/skewed_strips", "lanes are words of rows, each a column behind the one above", run_lcs, nullptr,
    suits_lcs};

extern constinit const catalogue::row<edit_distance_job> edit_distance_cpu_skewed_strips{
    "cpu/skewed_strips", "lanes are words of rows, each a column behind the one above", run_edit, nullptr,
    suits_edit};

}  // namespace wale::wavefront
