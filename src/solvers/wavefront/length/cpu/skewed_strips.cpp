// skewed_strips - the lanes of a vector are words of rows, each a column behind the word above.
#include "cpu/instruction_set.hpp"
#include "solvers/wavefront/length/shared/strips.hpp"

namespace wale::wavefront {
namespace {

template <class Job>
bool suits(const Job& job) {
    return job.a.size * job.b.size >= chosen_methods().strip_cells;
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

extern const catalogue::row<lcs_length_job> lcs_length_cpu_skewed_strips;
constinit const catalogue::row<lcs_length_job> lcs_length_cpu_skewed_strips{
    "cpu/skewed_strips",
    backend::cpu,
    "lanes are words of rows, each a column behind the one above",
    catalogue::never_refuses<lcs_length_job>,
    suits<lcs_length_job>,
    run_lcs};

extern const catalogue::row<edit_distance_job> edit_distance_cpu_skewed_strips;
constinit const catalogue::row<edit_distance_job> edit_distance_cpu_skewed_strips{
    "cpu/skewed_strips",
    backend::cpu,
    "lanes are words of rows, each a column behind the one above",
    catalogue::never_refuses<edit_distance_job>,
    suits<edit_distance_job>,
    run_edit};

}  // namespace wale::wavefront
