// bit_vector - one chain of 64-bit words, column by column; the shorter sequence is the rows.
#include "solvers/wavefront/length/shared/bit_vector.hpp"

namespace wale::wavefront {
namespace {

template <class Job>
void run(Job& job, index_t (*method)(const coded_pair&)) {
    with_codes(job, [&](const coded_pair& pair) {
        return pair.a.size() <= pair.b.size() ? method(pair) : method({pair.b, pair.a, pair.count});
    });
    job.run->policy = "word=64";
}

void run_lcs(lcs_length_job& job) {
    run(job, [](const coded_pair& pair) {
        return lcs_bit_vector(pair, [](std::size_t, const std::vector<std::uint64_t>&) {});
    });
}

void run_edit(edit_distance_job& job) {
    run(job, edit_bit_vector);
}

}  // namespace

extern const catalogue::row<lcs_length_job> lcs_length_cpu_bit_vector;
constinit const catalogue::row<lcs_length_job> lcs_length_cpu_bit_vector{
    "cpu/bit_vector",
    backend::cpu,
    "one chain of 64-bit words, column by column",
    catalogue::never_refuses<lcs_length_job>,
    nullptr,
    run_lcs};

extern const catalogue::row<edit_distance_job> edit_distance_cpu_bit_vector;
constinit const catalogue::row<edit_distance_job> edit_distance_cpu_bit_vector{
    "cpu/bit_vector",
    backend::cpu,
    "one chain of 64-bit words, column by column",
    catalogue::never_refuses<edit_distance_job>,
    nullptr,
    run_edit};

}  // namespace wale::wavefront
