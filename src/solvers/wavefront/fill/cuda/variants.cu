// variants - the CUDA rows, best first.
#include "solvers/wavefront/cuda/variants.hpp"
#include "solvers/wavefront/fill/cuda/rows.hpp"

namespace wale::wavefront {

using catalogue::never_refuses;

void append_fill_variants() {
    const catalogue::row<fill_job> rows[] = {
        {"cuda/strips_bits", backend::cuda,
         "a warp advances LCS bit vectors of a strip of columns, others expand and store them",
         strips_bits_refusal, nullptr, fill_strips_bits},
        {"cuda/strips", backend::cuda,
         "columns in registers, lanes a row apart, rows stored whole; the table is never read back",
         never_refuses<fill_job>, nullptr, fill_strips},
        {"cuda/hyperlane", backend::cuda,
         "skewed tiles in shared memory, persistent blocks, one counter a row of tiles", hyperlane_refusal,
         nullptr, fill_hyperlane},
        {"cuda/hyperlane_flags", backend::cuda, "the same with a flag for each tile", hyperlane_refusal,
         nullptr, fill_hyperlane_flags},
        {"cuda/hyperlane_streams", backend::cuda,
         "the same with one launch for each row of tiles, on streams", hyperlane_refusal, nullptr,
         fill_hyperlane_streams},
        {"cuda/rect_shared", backend::cuda,
         "rectangular tiles in shared memory, a launch for each antidiagonal of tiles", rect_shared_refusal,
         nullptr, fill_rect_shared},
        {"cuda/rect_global", backend::cuda,
         "rectangular tiles in global memory, a launch for each antidiagonal of tiles",
         never_refuses<fill_job>, nullptr, fill_rect_global},
    };
    auto& table = fill_variants().rows;
    table.insert(table.end(), std::begin(rows), std::end(rows));
}

}  // namespace wale::wavefront
