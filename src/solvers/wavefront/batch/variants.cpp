// variants - the batch variants on the host, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/wavefront/batch/cpu.hpp"

namespace wale::wavefront {

using catalogue::never_refuses;

batch_table& lcs_batch_variants() {
    static batch_table table{
        "wavefront",
        "lcs_batch",
        {
            {"cpu/lanes", backend::cpu, "one pair a lane of the vectors, neighbours of like length",
             batch_lanes_refusal, batch_suits_lanes, lcs_batch_lanes},
            {"cpu/pairs", backend::cpu, "pair by pair, each as a single pair would be, a slice a thread",
             never_refuses<batch_job>, nullptr, lcs_batch_pairs},
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
            {"cpu/lanes", backend::cpu, "one pair a lane of the vectors, neighbours of like length",
             batch_lanes_refusal, batch_suits_lanes, edit_batch_lanes},
            {"cpu/pairs", backend::cpu, "pair by pair, each as a single pair would be, a slice a thread",
             never_refuses<batch_job>, nullptr, edit_batch_pairs},
            {"reference/plain", backend::reference, "pair by pair, one row of the plain table",
             never_refuses<batch_job>, nullptr, edit_batch_reference},
        }};
    return table;
}

}  // namespace wale::wavefront
