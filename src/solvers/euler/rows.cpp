// rows - the host's rows of each operation, best first. The plugin appends those of cuda/rows.cu.
// Tables are not destroyed: static destructors, and threads that outlive main(), may call.
#include "solvers/euler/advance/session.hpp"
#include "variants/catalogue.hpp"

namespace wale::euler {

extern const flow_row advance_cpu_ranks, advance_cpu_colours, advance_cpu_levels, advance_cpu_vectors,
    advance_cpu_one_pass, advance_cpu_five_passes, advance_reference_plain;

flow_table& advance_rows() {
    static flow_table& table =
        *new flow_table{"euler",
                        "advance",
                        {advance_cpu_ranks, advance_cpu_colours, advance_cpu_levels, advance_cpu_vectors,
                         advance_cpu_one_pass, advance_cpu_five_passes, advance_reference_plain}};
    return table;
}

[[maybe_unused]] static const bool enlisted = catalogue::enlist(advance_rows);

}  // namespace wale::euler
