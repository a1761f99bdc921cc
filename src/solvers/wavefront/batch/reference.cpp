// reference - the truth for batches: the plain length of each pair, one after the other.
#include "solvers/wavefront/batch/cpu.hpp"
#include "solvers/wavefront/length/cpu.hpp"
#include "solvers/wavefront/length/symbols.hpp"

namespace wale::wavefront {

void lcs_batch_reference(batch_job& job) {
    for (index_t k = 0; k < job.count; ++k) {
        lcs_length_job pair{job.where, sequence(job.a, k), sequence(job.b, k)};
        lcs_length_reference(pair);
        job.answers[k] = static_cast<std::int32_t>(pair.length);
    }
}

void edit_batch_reference(batch_job& job) {
    for (index_t k = 0; k < job.count; ++k) {
        edit_distance_job pair{job.where, sequence(job.a, k), sequence(job.b, k)};
        edit_distance_reference(pair);
        job.answers[k] = static_cast<std::int32_t>(pair.distance);
    }
}

}  // namespace wale::wavefront
