// rows - each sequence against each: rows of the host, best first.
#include "solvers/wavefront/search_jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::wavefront {

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

[[maybe_unused]] static const bool enlisted = catalogue::enlist(lcs_cross_rows, edit_cross_rows);

}  // namespace wale::wavefront
