// variants - the length and string variants on the host, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/wavefront/length/cpu.hpp"

namespace wale::wavefront {

using catalogue::never_refuses;

lcs_length_table& lcs_length_variants() {
    static lcs_length_table table{
        "wavefront",
        "lcs_length",
        {
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
            {"reference/plain", backend::reference, "the whole plain table and a walk back through it",
             never_refuses<lcs_string_job>, nullptr, lcs_string_reference},
        }};
    return table;
}

}  // namespace wale::wavefront
