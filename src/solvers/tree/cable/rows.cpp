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

namespace {

[[maybe_unused]] const bool enlisted = (catalogue::enlist<cable_job, std::unique_ptr<cable_session>>(
                                            +[]() -> const cable_table& { return cable_rows(); }),
                                        true);

}  // namespace

}  // namespace wale::tree
