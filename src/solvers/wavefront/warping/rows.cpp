// rows - warping costs of series, and the path or the gradient of a pair: rows of the host, best first.
#include "solvers/wavefront/warping_jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::wavefront {

extern const catalogue::row<warping_job> warping_cpu_lanes, warping_cpu_diagonals, warping_reference_plain;
extern const catalogue::row<warping_path_job> warping_path_cpu_diagonals, warping_path_reference_plain;

warping_table& warping_rows() {
    static warping_table table{
        "wavefront", "warping", {warping_cpu_lanes, warping_cpu_diagonals, warping_reference_plain}};
    return table;
}
warping_path_table& warping_path_rows() {
    static warping_path_table table{
        "wavefront", "warping_path", {warping_path_cpu_diagonals, warping_path_reference_plain}};
    return table;
}

namespace {

const warping_table& listed() {
    return warping_rows();
}
const warping_path_table& paths_listed() {
    return warping_path_rows();
}
[[maybe_unused]] const bool enlisted =
    (catalogue::enlist<warping_job>(listed), catalogue::enlist<warping_path_job>(paths_listed), true);

}  // namespace
}  // namespace wale::wavefront
