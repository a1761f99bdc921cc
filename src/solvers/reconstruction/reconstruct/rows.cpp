// rows - what reconstructs, best first. The CUDA plugin appends cuda/rows.cu.
#include "solvers/reconstruction/jobs.hpp"
#include "variants/catalogue.hpp"

namespace wale::reconstruction {

extern const catalogue::row<reconstruct_job> reconstruct_cpu_bits, reconstruct_cpu_clamp_scan,
    reconstruct_cpu_hybrid, reconstruct_cpu_downhill, reconstruct_cpu_fifo, reconstruct_cpu_raster,
    reconstruct_reference_plain;

reconstruct_table& reconstruct_rows() {
    static reconstruct_table table{
        "reconstruction",
        "reconstruct",
        {reconstruct_cpu_bits, reconstruct_cpu_clamp_scan, reconstruct_cpu_hybrid, reconstruct_cpu_downhill,
         reconstruct_cpu_fifo, reconstruct_cpu_raster, reconstruct_reference_plain}};
    return table;
}

[[maybe_unused]] static const bool enlisted = catalogue::enlist(reconstruct_rows);

}  // namespace wale::reconstruction
