// variants - the table variants on the host, best first. The CUDA plugin appends its own (cuda/variants.cu).
#include "solvers/wavefront/fill/cpu.hpp"

namespace wale::wavefront {

using catalogue::never_refuses;

fill_table& fill_variants() {
    static fill_table table{
        "wavefront",
        "fill",
        {
            {"cpu/simd", backend::cpu, "bands of rows by ticket, bit vectors or vectors on antidiagonals",
             simd_refusal, not_small, fill_simd},
            {"cpu/hyperlane", backend::cpu, "rows of tiles by ticket, one progress counter a row",
             never_refuses<fill_job>, not_small, fill_hyperlane},
            {"cpu/tiles", backend::cpu, "antidiagonals of tiles, a barrier between two",
             never_refuses<fill_job>, not_small, fill_tiles},
            {"cpu/rows", backend::cpu, "row by row in two vector passes, on one thread",
             never_refuses<fill_job>, nullptr, fill_rows},
            {"reference/plain", backend::reference, "row by row, cell by cell: the truth",
             never_refuses<fill_job>, nullptr, fill_reference},
        }};
    return table;
}

}  // namespace wale::wavefront
