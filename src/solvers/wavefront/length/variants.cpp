// variants - the length and string variants on the host, best first. The CUDA plugin appends its own
// (cuda/variants.cu).
#include "solvers/wavefront/length/cpu.hpp"

namespace wale::wavefront {

using catalogue::never_refuses;

lcs_length_table& lcs_length_variants() {
    static lcs_length_table table{
        "wavefront",
        "lcs_length",
        {
            {"cpu/skewed_strips", backend::cpu, "lanes are words of rows, each a column behind the one above",
             never_refuses<lcs_length_job>, lcs_length_suits_strips, lcs_length_skewed_strips},
            {"cpu/bit_vector", backend::cpu, "one chain of 64-bit words, column by column",
             never_refuses<lcs_length_job>, nullptr, lcs_length_bit_vector},
            {"reference/plain", backend::reference, "one row of the plain table",
             never_refuses<lcs_length_job>, nullptr, lcs_length_reference},
        }};
    return table;
}

edit_distance_table& edit_distance_variants() {
    static edit_distance_table table{
        "wavefront",
        "edit_distance",
        {
            {"cpu/band", backend::cpu,
             "only the strips near the diagonal, wider until the distance fits (Ukkonen)",
             never_refuses<edit_distance_job>, edit_distance_suits_band, edit_distance_band},
            {"cpu/skewed_strips", backend::cpu, "lanes are words of rows, each a column behind the one above",
             never_refuses<edit_distance_job>, edit_distance_suits_strips, edit_distance_skewed_strips},
            {"cpu/bit_vector", backend::cpu, "one chain of 64-bit words, column by column",
             never_refuses<edit_distance_job>, nullptr, edit_distance_bit_vector},
            {"reference/plain", backend::reference, "one row of the plain table",
             never_refuses<edit_distance_job>, nullptr, edit_distance_reference},
        }};
    return table;
}

lcs_string_table& lcs_string_variants() {
    static lcs_string_table table{
        "wavefront",
        "lcs_string",
        {
            {"cpu/hirschberg", backend::cpu,
             "halves the columns, in linear memory, over skewed strips (Hirschberg)",
             never_refuses<lcs_string_job>, nullptr, lcs_string_hirschberg},
            {"reference/plain", backend::reference, "the whole plain table and a walk back through it",
             never_refuses<lcs_string_job>, nullptr, lcs_string_reference},
        }};
    return table;
}

}  // namespace wale::wavefront
