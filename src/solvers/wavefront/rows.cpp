// rows - the host's rows of each operation, best first. The plugin appends those of cuda/rows.cu.
#include "solvers/wavefront/jobs.hpp"
#include "solvers/wavefront/length/shared/pair_part.hpp"
#include "solvers/wavefront/search_jobs.hpp"
#include "solvers/wavefront/warping_jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::wavefront {

extern const catalogue::row<fill_job> fill_cpu_simd, fill_cpu_hyperlane, fill_cpu_tiles, fill_cpu_rows,
    fill_reference_plain;

fill_table& fill_rows() {
    static fill_table table{
        "wavefront",
        "fill",
        {fill_cpu_simd, fill_cpu_hyperlane, fill_cpu_tiles, fill_cpu_rows, fill_reference_plain}};
    return table;
}

extern const catalogue::row<lcs_length_job> lcs_length_cpu_skewed_strips, lcs_length_cpu_bit_vector,
    lcs_length_reference_plain;
extern const catalogue::row<edit_distance_job> edit_distance_cpu_diagonals, edit_distance_cpu_band,
    edit_distance_cpu_skewed_strips, edit_distance_cpu_bit_vector, edit_distance_reference_plain;
extern const catalogue::row<lcs_string_job> lcs_string_cpu_hirschberg, lcs_string_reference_plain;

lcs_length_table& lcs_length_rows() {
    static lcs_length_table table{
        "wavefront",
        "lcs_length",
        {lcs_length_cpu_skewed_strips, lcs_length_cpu_bit_vector, lcs_length_reference_plain}};
    return table;
}

edit_distance_table& edit_distance_rows() {
    static edit_distance_table table{
        "wavefront",
        "edit_distance",
        {edit_distance_cpu_diagonals, edit_distance_cpu_band, edit_distance_cpu_skewed_strips,
         edit_distance_cpu_bit_vector, edit_distance_reference_plain}};
    return table;
}

lcs_string_table& lcs_string_rows() {
    static lcs_string_table table{
        "wavefront", "lcs_string", {lcs_string_cpu_hirschberg, lcs_string_reference_plain}};
    return table;
}

pair_part_table& lcs_part_rows() {
    static pair_part_table table{"wavefront", "lcs_part", {}};
    return table;
}

pair_part_table& edit_part_rows() {
    static pair_part_table table{"wavefront", "edit_part", {}};
    return table;
}

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

extern const catalogue::row<alignment_job> align_cpu_bit_vector, align_cpu_wavefronts, align_cpu_striped,
    align_cpu_diagonals, align_cpu_tiles, align_cpu_band, align_cpu_myers_miller, align_reference_plain;
extern const catalogue::row<alignment_batch_job> align_batch_cpu_pairs, align_batch_cpu_lanes,
    align_batch_cpu_striped, align_batch_cpu_diagonals, align_batch_cpu_tiles, align_batch_reference_plain;
extern const catalogue::row<align_pairs_job> align_pairs_cpu_pairs, align_pairs_reference_plain;
extern const catalogue::row<align_cross_job> align_cross_cpu_lanes, align_cross_cpu_striped,
    align_cross_cpu_diagonals, align_cross_cpu_tiles, align_cross_reference_plain;

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
        {align_batch_cpu_pairs, align_batch_cpu_lanes, align_batch_cpu_striped, align_batch_cpu_diagonals,
         align_batch_cpu_tiles, align_batch_reference_plain}};
    return table;
}

align_pairs_table& align_pairs_rows() {
    static align_pairs_table table{
        "wavefront", "align_pairs", {align_pairs_cpu_pairs, align_pairs_reference_plain}};
    return table;
}

align_cross_table& align_cross_rows() {
    static align_cross_table table{"wavefront",
                                   "align_cross",
                                   {align_cross_cpu_lanes, align_cross_cpu_striped, align_cross_cpu_diagonals,
                                    align_cross_cpu_tiles, align_cross_reference_plain}};
    return table;
}

extern const catalogue::row<cross_job> lcs_cross_cpu_lanes, lcs_cross_cpu_pairs, lcs_cross_reference_plain;
extern const catalogue::row<cross_job> edit_cross_cpu_lanes, edit_cross_cpu_pairs, edit_cross_reference_plain;

cross_table& lcs_cross_rows() {
    static cross_table table{
        "wavefront", "lcs_cross", {lcs_cross_cpu_lanes, lcs_cross_cpu_pairs, lcs_cross_reference_plain}};
    return table;
}

cross_table& edit_cross_rows() {
    static cross_table table{
        "wavefront", "edit_cross", {edit_cross_cpu_lanes, edit_cross_cpu_pairs, edit_cross_reference_plain}};
    return table;
}

extern const catalogue::row<infix_job> infix_cpu_words, infix_cpu_strips, infix_cpu_lanes,
    infix_reference_plain;

infix_table& infix_rows() {
    static infix_table table{
        "wavefront", "infix", {infix_cpu_words, infix_cpu_strips, infix_cpu_lanes, infix_reference_plain}};
    return table;
}

extern const catalogue::row<warping_job> warping_cpu_pair_lanes, warping_cpu_lanes, warping_cpu_diagonals,
    warping_reference_plain;
extern const catalogue::row<warping_path_job> warping_path_cpu_diagonals, warping_path_reference_plain;

warping_table& warping_rows() {
    static warping_table table{
        "wavefront",
        "warping",
        {warping_cpu_pair_lanes, warping_cpu_lanes, warping_cpu_diagonals, warping_reference_plain}};
    return table;
}

warping_path_table& warping_path_rows() {
    static warping_path_table table{
        "wavefront", "warping_path", {warping_path_cpu_diagonals, warping_path_reference_plain}};
    return table;
}

[[maybe_unused]] static const bool enlisted =
    catalogue::enlist(fill_rows, lcs_length_rows, edit_distance_rows, lcs_string_rows, lcs_batch_rows,
                      edit_batch_rows, align_rows, align_batch_rows, align_pairs_rows, align_cross_rows,
                      lcs_cross_rows, edit_cross_rows, infix_rows, warping_rows, warping_path_rows);

}  // namespace wale::wavefront
