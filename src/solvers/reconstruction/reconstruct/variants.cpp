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
            {"cpu/bits", backend::cpu,
             "binary: 64 pixels a word, runs filled by a carry, lines that can rise", bits_refusal, nullptr,
             reconstruct_bits},
            {"cpu/clamp_scan", backend::cpu,
             "SIMD sweeps along lines as prefix scans, in bands that stay in cache", refuses_bits, nullptr,
             reconstruct_clamp_scan},
            {"cpu/hybrid", backend::cpu,
             "a pass there, one back that fills a queue, then the queue (Vincent 1993)", refuses_bits,
             nullptr, reconstruct_hybrid},
            {"cpu/downhill", backend::cpu,
             "the highest pixel first, none rises twice (Robinson and Whelan 2004)", refuses_bits, nullptr,
             reconstruct_downhill},
            {"cpu/fifo", backend::cpu, "a queue that begins at the marker's regional maxima (Vincent 1993)",
             refuses_bits, nullptr, reconstruct_fifo},
            {"cpu/raster", backend::cpu, "passes in raster order and back until nothing rises (Vincent 1993)",
             refuses_bits, nullptr, reconstruct_raster},
            {"reference/plain", backend::reference, "raster order and back until nothing changes: the truth",
             never_refuses<reconstruct_job>, nullptr, reconstruct_reference},
        }};
    return table;
}

}  // namespace wale::reconstruction
