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

namespace {

const cross_table& lcs_listed() {
    return lcs_cross_rows();
}
const cross_table& edit_listed() {
    return edit_cross_rows();
}
[[maybe_unused]] const bool enlisted =
    (catalogue::enlist<cross_job>(lcs_listed), catalogue::enlist<cross_job>(edit_listed), true);

}  // namespace
}  // namespace wale::wavefront
