// wavefront_fuzz - lengths and distances of two texts: the rows of the host beside the plain table.
#include "fuzz/solver_fuzz.hpp"
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

extern const catalogue::row<lcs_length_job> lcs_length_cpu_skewed_strips, lcs_length_cpu_bit_vector,
    lcs_length_reference_plain;
extern const catalogue::row<edit_distance_job> edit_distance_cpu_band, edit_distance_cpu_skewed_strips,
    edit_distance_cpu_bit_vector, edit_distance_reference_plain;

}  // namespace wale::wavefront

namespace {

using namespace wale;
using namespace wale::wavefront;

template <class Job>
index_t value_of(const catalogue::row<Job>& row, Job job, index_t Job::*answer) {
    report run;
    job.run = &run;
    if (!fuzz::ran(row, job, run)) return -1;
    return job.*answer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::numbers_of from(data, size);
    const unsigned letters = 1 + static_cast<unsigned>(from.below(26));
    const int rows = from.below(700), columns = from.below(700), bound = from.below(90) - 1,
              threads = 1 + from.below(3);
    // The second text is the first one with some symbols replaced, so that distances are small too.
    const std::string a = from.text(static_cast<std::size_t>(rows), letters);
    std::string b = a;
    b.resize(static_cast<std::size_t>(columns), 'A');
    for (int k = from.below(64); k > 0 && !b.empty(); --k)
        b[static_cast<std::size_t>(from.below(columns))] = static_cast<char>('A' + from.byte() % letters);
    const symbols x{a.data(), rows, 1}, y{b.data(), columns, 1};
    const execution where = on_cpu{.threads = threads};

    lcs_length_job lcs{where, x, y};
    const index_t length = value_of(lcs_length_reference_plain, lcs, &lcs_length_job::length);
    for (const auto* row : {&lcs_length_cpu_skewed_strips, &lcs_length_cpu_bit_vector}) {
        const index_t found = value_of(*row, lcs, &lcs_length_job::length);
        fuzz::demand(found == -1 || found == length, row->name);
    }
    edit_distance_job edit{where, x, y};
    const index_t distance = value_of(edit_distance_reference_plain, edit, &edit_distance_job::distance);
    for (const auto* row :
         {&edit_distance_cpu_band, &edit_distance_cpu_skewed_strips, &edit_distance_cpu_bit_vector})
        for (const index_t most : {index_t{-1}, index_t{bound}}) {
            edit.bound = most;
            const index_t found = value_of(*row, edit, &edit_distance_job::distance);
            const bool beyond = most >= 0 && distance > most;
            fuzz::demand(found == -1 || (beyond ? found > most : found == distance), row->name);
        }
    return 0;
}
