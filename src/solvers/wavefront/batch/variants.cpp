// variants - the batch variants on the host, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/wavefront/batch/cpu.hpp"

namespace wale::wavefront {

using catalogue::never_refuses;

batch_table& lcs_batch_variants() {
    static batch_table table{
        "wavefront",
        "lcs_batch",
        {
            {"reference/plain", backend::reference, "pair by pair, one row of the plain table",
             never_refuses<batch_job>, nullptr, lcs_batch_reference},
        }};
    return table;
}

batch_table& edit_batch_variants() {
    static batch_table table{
        "wavefront",
        "edit_batch",
        {
            {"reference/plain", backend::reference, "pair by pair, one row of the plain table",
             never_refuses<batch_job>, nullptr, edit_batch_reference},
        }};
    return table;
}

}  // namespace wale::wavefront
