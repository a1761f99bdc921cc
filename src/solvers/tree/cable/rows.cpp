// rows - the host rows of cables, best first.
#include "solvers/tree/cable/job.hpp"
#include "variants/catalogue.hpp"

namespace wale::tree {

extern const cable_row cable_cpu_lanes, cable_cpu_compartments, cable_reference_plain;

cable_table& cable_rows() {
    static cable_table table{
        "tree", "cable", {cable_cpu_lanes, cable_cpu_compartments, cable_reference_plain}};
    return table;
}

[[maybe_unused]] static const bool enlisted = catalogue::enlist(cable_rows);

}  // namespace wale::tree
