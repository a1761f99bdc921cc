// variants - the host variants, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/reconstruction/reconstruct/cpu.hpp"

namespace wale::reconstruction {

using catalogue::never_refuses;

reconstruct_table& reconstruct_variants() {
    static reconstruct_table table{
        "reconstruction",
        "reconstruct",
        {
            {"cpu/bits", backend::cpu, "binary: 64 pixels a word, runs filled by a carry, lines that can rise",
             bits_refusal, nullptr, reconstruct_bits},
            {"reference/plain", backend::reference, "raster order and back until nothing changes: the truth",
             never_refuses<reconstruct_job>, nullptr, reconstruct_reference},
        }};
    return table;
}

}  // namespace wale::reconstruction
