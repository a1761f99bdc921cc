// rows - the host rows of solving trees, best first.
#include "solvers/tree/jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::tree {

extern const catalogue::row<hines_job> hines_cpu_contraction, hines_cpu_lanes, hines_cpu_sweep,
    hines_reference_plain;

hines_table& hines_rows() {
    static hines_table table{
        "tree", "hines", {hines_cpu_contraction, hines_cpu_lanes, hines_cpu_sweep, hines_reference_plain}};
    return table;
}

[[maybe_unused]] static const bool enlisted = catalogue::enlist(hines_rows);

}  // namespace wale::tree
