// rows - LCS length, edit distance and LCS string of a pair: rows of the host, best first. The CUDA plugin
// appends its own (cuda/rows.cu).
#include "solvers/wavefront/length/shared/pair_part.hpp"

namespace wale::wavefront {

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

}  // namespace wale::wavefront
