// rows - batches of pairs: rows of the host, best first. The CUDA plugin appends its own (cuda/rows.cu).
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

extern const catalogue::row<batch_job> lcs_batch_cpu_lanes, lcs_batch_cpu_pairs, lcs_batch_reference_plain;
extern const catalogue::row<batch_job> edit_batch_cpu_lanes, edit_batch_cpu_pairs, edit_batch_reference_plain;

batch_table& lcs_batch_rows() {
    static batch_table table{
        "wavefront", "lcs_batch", {lcs_batch_cpu_lanes, lcs_batch_cpu_pairs, lcs_batch_reference_plain}};
    return table;
}

batch_table& edit_batch_rows() {
    static batch_table table{
        "wavefront", "edit_batch", {edit_batch_cpu_lanes, edit_batch_cpu_pairs, edit_batch_reference_plain}};
    return table;
}

}  // namespace wale::wavefront
