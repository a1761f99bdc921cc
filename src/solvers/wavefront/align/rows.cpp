// rows - alignment of a pair, and scores of a batch of pairs: rows of the host, best first. There are no rows
// of CUDA.
#include "solvers/wavefront/jobs.hpp"

namespace wale::wavefront {

extern const catalogue::row<alignment_job> align_cpu_diagonals, align_cpu_tiles, align_reference_plain;
extern const catalogue::row<alignment_batch_job> align_batch_cpu_lanes, align_batch_cpu_diagonals,
    align_batch_cpu_tiles, align_batch_reference_plain;

alignment_table& align_rows() {
    static alignment_table table{
        "wavefront", "align", {align_cpu_diagonals, align_cpu_tiles, align_reference_plain}};
    return table;
}

alignment_batch_table& align_batch_rows() {
    static alignment_batch_table table{
        "wavefront",
        "align_batch",
        {align_batch_cpu_lanes, align_batch_cpu_diagonals, align_batch_cpu_tiles,
         align_batch_reference_plain}};
    return table;
}

}  // namespace wale::wavefront
