// variants - the table variants on the host, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/wavefront/fill/cpu.hpp"

namespace wale::wavefront {

using catalogue::never_refuses;

fill_table& fill_variants() {
    static fill_table table{
        "wavefront",
        "fill",
        {
            {"reference/plain", backend::reference, "row by row, cell by cell: the truth",
             never_refuses<fill_job>, nullptr, fill_reference},
        }};
    return table;
}

}  // namespace wale::wavefront
