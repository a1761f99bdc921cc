// rows - alignment of a pair, and scores of a batch of pairs: rows of the host, best first.
#include "solvers/wavefront/jobs.hpp"
#include "solvers/wavefront/search_jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::wavefront {

extern const catalogue::row<alignment_job> align_cpu_bit_vector, align_cpu_wavefronts, align_cpu_striped,
    align_cpu_diagonals, align_cpu_tiles, align_cpu_band, align_cpu_myers_miller, align_reference_plain;
extern const catalogue::row<alignment_batch_job> align_batch_cpu_lanes, align_batch_cpu_striped,
    align_batch_cpu_diagonals, align_batch_cpu_tiles, align_batch_reference_plain;

alignment_table& align_rows() {
    static alignment_table table{
        "wavefront",
        "align",
        {align_cpu_bit_vector, align_cpu_wavefronts, align_cpu_striped, align_cpu_diagonals, align_cpu_tiles,
         align_cpu_band, align_cpu_myers_miller, align_reference_plain}};
    return table;
}

alignment_batch_table& align_batch_rows() {
    static alignment_batch_table table{
        "wavefront",
        "align_batch",
        {align_batch_cpu_lanes, align_batch_cpu_striped, align_batch_cpu_diagonals, align_batch_cpu_tiles,
         align_batch_reference_plain}};
    return table;
}

extern const catalogue::row<align_pairs_job> align_pairs_cpu_pairs, align_pairs_cpu_diagonals,
    align_pairs_cpu_tiles, align_pairs_reference_plain;

align_pairs_table& align_pairs_rows() {
    static align_pairs_table table{"wavefront",
                                   "align_pairs",
                                   {align_pairs_cpu_pairs, align_pairs_cpu_diagonals, align_pairs_cpu_tiles,
                                    align_pairs_reference_plain}};
    return table;
}

extern const catalogue::row<align_cross_job> align_cross_cpu_lanes, align_cross_cpu_striped,
    align_cross_cpu_diagonals, align_cross_cpu_tiles, align_cross_reference_plain;

align_cross_table& align_cross_rows() {
    static align_cross_table table{"wavefront",
                                   "align_cross",
                                   {align_cross_cpu_lanes, align_cross_cpu_striped, align_cross_cpu_diagonals,
                                    align_cross_cpu_tiles, align_cross_reference_plain}};
    return table;
}

[[maybe_unused]] static const bool enlisted = catalogue::enlist(align_cross_rows);

}  // namespace wale::wavefront
