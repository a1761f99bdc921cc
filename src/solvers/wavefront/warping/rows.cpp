// rows - warping costs of series, and the path or the gradient of a pair: rows of the host, best first.
#include "solvers/wavefront/warping_jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::wavefront {

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

[[maybe_unused]] static const bool enlisted = catalogue::enlist(warping_rows, warping_path_rows);

}  // namespace wale::wavefront
