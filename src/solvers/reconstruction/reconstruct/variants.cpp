// variants - the host variants, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/reconstruction/reconstruct/cpu.hpp"
#include "solvers/reconstruction/visit.hpp"

namespace wale::reconstruction {

using catalogue::never_refuses;

reconstruct_table& reconstruct_variants() {
    static reconstruct_table table{
        "reconstruction",
        "reconstruct",
        {
            {"cpu/bits", backend::cpu, "binary: 64 pixels a word, runs filled by a carry, lines that can rise",
             bits_refusal, nullptr, reconstruct_bits},
            {"cpu/clamp_scan", backend::cpu, "SIMD sweeps along lines as prefix scans, in bands that stay in cache",
             refuses_bits, nullptr, reconstruct_clamp_scan},
            {"reference/plain", backend::reference, "raster order and back until nothing changes: the truth",
             never_refuses<reconstruct_job>, nullptr, reconstruct_reference},
        }};
    return table;
}

}  // namespace wale::reconstruction
